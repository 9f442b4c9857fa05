//! Server: accepts connections until it is to stop.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::{Extension, Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, broadcast, watch};
use tokio::task::JoinSet;

use crate::access::{Access, guard};
use crate::analyses::Analyses;
use crate::api::{self, ApiDocument};
use crate::app::App;
use crate::comparisons::{Comparisons, HardwareModel};
use crate::connection::Connection;
use crate::descriptors;
use crate::examinations::Examinations;
use crate::feed::{Feed, follow};
use crate::ladder::Ladders;
use crate::page;
use crate::play::{Tables, create_directory};
use crate::players::Players;
use crate::serial::MAX_BOARDS;
use crate::stream::Streams;
use crate::tournaments::Tournaments;
use crate::{ServeError, Tokens};

/// Maximum time for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Maximum number of connections besides those of the streams and of boards.
const MAX_OTHERS: usize = 256;

/// Maximum size of the head of a request in bytes.
const MAX_HEAD: usize = 128 << 10;

/// Time that connections get to end.
const GRACE: Duration = Duration::from_secs(2);

/// Polling interval of the request to stop.
const POLL: Duration = Duration::from_millis(50);

/// Notices that a slow stream may be behind.
const NOTICES: usize = 256;

/// Settings of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address; port 0 selects a free one.
    pub listen: SocketAddr,
    /// Further host names by which clients may call the service.
    pub hosts: Vec<String>,
    /// Tokens of clients.
    pub tokens: Option<Tokens>,
    /// Journals, and directories of journals, that are followed.
    pub sources: Vec<PathBuf>,
    /// Directory of the journals of casual games and of tournaments that the service plays.
    pub games: PathBuf,
    /// Players that games can be created with.
    pub players: Players,
    /// Simulation of the hardware player.
    pub hardware: Option<Arc<dyn HardwareModel>>,
    /// Maximum number of open event streams, 1 to [`MAX_STREAMS`](Self::MAX_STREAMS).
    pub streams: usize,
    /// Time for which a client may accept no data before its connection is closed.
    pub write_time: Duration,
}

impl Settings {
    /// Default number of open event streams.
    pub const STREAMS: usize = 1000;

    /// Maximum of [`streams`](Self::streams).
    pub const MAX_STREAMS: usize = 100_000;

    /// Default of [`write_time`](Self::write_time).
    pub const WRITE_TIME: Duration = Duration::from_secs(30);
}

/// Service that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    limits: Limits,
}

/// Limits of the connections.
#[derive(Clone, Copy, Debug)]
struct Limits {
    connections: usize,
    write_time: Duration,
}

impl Server {
    /// Reads the journals and listens. Raises the process's limit of open files if the streams need
    /// it.
    ///
    /// # Errors
    /// [`ServeError`]. An address that other machines can reach needs tokens.
    pub fn start(settings: Settings) -> Result<Self, ServeError> {
        let listen = settings.listen;
        if !listen.ip().is_loopback() && settings.tokens.is_none() {
            return Err(ServeError::Open(listen));
        }
        let streams = settings.streams.clamp(1, Settings::MAX_STREAMS);
        let limits = Limits {
            connections: streams + MAX_OTHERS + MAX_BOARDS,
            write_time: settings.write_time,
        };
        descriptors::reserve(limits.connections)?;
        create_directory(&settings.games)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(ServeError::Runtime)?;
        let failed = |source| ServeError::Listen {
            address: listen,
            source,
        };
        let listener = runtime
            .block_on(TcpListener::bind(listen))
            .map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let games = canonical(settings.games);
        let sources = settings.sources.into_iter();
        let sources = sources.map(|path| source(path, &games)).collect();
        let feed = Arc::new(Feed::new(sources, games.clone()));
        feed.poll();
        let players = Arc::new(settings.players);
        let notices = broadcast::Sender::new(NOTICES);
        let tournaments = Tournaments::new(games.clone(), Arc::clone(&feed), Arc::clone(&players));
        let tables = Tables::new(
            games,
            Arc::clone(&feed),
            Arc::clone(&players),
            notices.clone(),
        );
        let app = App {
            access: Arc::new(Access::new(address, settings.hosts, settings.tokens)),
            analyses: Analyses::start(notices.clone()).map_err(ServeError::Runtime)?,
            comparisons: Comparisons::start(settings.hardware, Arc::clone(&feed))
                .map_err(ServeError::Runtime)?,
            examinations: Examinations::start(Arc::clone(&players)).map_err(ServeError::Runtime)?,
            ladders: Ladders::new(Arc::clone(&feed)),
            feed: Arc::clone(&feed),
            players,
            tables,
            tournaments,
            streams: Streams::new(streams),
            notices,
            started: Instant::now(),
        };
        runtime.spawn(app.streams.follow(feed.changes()));
        std::thread::Builder::new()
            .name("feed".to_owned())
            .spawn(move || follow(&feed))
            .map_err(ServeError::Runtime)?;
        Ok(Self {
            runtime,
            listener,
            address,
            app: Arc::new(app),
            limits,
        })
    }

    /// Address at which the service listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a function that takes the messages about journals that cannot be followed since its
    /// last call. They name paths, and are for the operator alone.
    pub fn notices(&self) -> impl Fn() -> Vec<String> + use<> {
        let feed = Arc::downgrade(&self.app.feed);
        move || {
            let feed = feed.upgrade();
            feed.map(|feed| feed.take_notices()).unwrap_or_default()
        }
    }

    /// Serves until `stop` returns true; it is polled every 50 ms. Connections then get two seconds
    /// to end, and the games in progress of a tournament are finished.
    pub fn run(self, stop: impl Fn() -> bool) {
        let app = Arc::clone(&self.app);
        let router = router(app);
        self.runtime.block_on(async {
            let (ending, stopping) = watch::channel(false);
            let mut connections = JoinSet::new();
            let accepting = accept(
                &self.listener,
                &router,
                &stopping,
                self.limits,
                &mut connections,
            );
            let mut accepting = Box::pin(accepting);
            loop {
                tokio::select! {
                    () = &mut accepting => {}
                    () = tokio::time::sleep(POLL) => {}
                }
                if stop() {
                    break;
                }
            }
            self.app.tournaments.stop_all();
            self.app.streams.end();
            ending.send_replace(true);
            drop(accepting);
            // Connections that have not ended by then are dropped with the runtime.
            let ended = async { while connections.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(GRACE, ended).await;
        });
        self.app.tournaments.end();
        self.runtime.shutdown_timeout(GRACE);
    }
}

/// Path of a directory without links: several paths may lead to one directory.
fn canonical(directory: PathBuf) -> PathBuf {
    directory.canonicalize().unwrap_or(directory)
}

/// Path by which a source is followed. A file keeps its name, since a link may be set to another
/// journal later; one in the directory of the games has the path that this directory gives it.
fn source(path: PathBuf, games: &Path) -> PathBuf {
    if path.is_dir() {
        return canonical(path);
    }
    let parent = path.parent().map(|parent| Path::new(".").join(parent));
    let is_in_games = parent.is_some_and(|parent| canonical(parent) == games);
    match path.file_name() {
        Some(name) if is_in_games => games.join(name),
        _ => path,
    }
}

/// Creates the routes with all layers.
fn router(app: Arc<App>) -> Router {
    let access = Arc::clone(&app.access);
    let (router, document) = api::routes(app);
    router
        .fallback(page::serve)
        .method_not_allowed_fallback(page::no_method)
        .layer(Extension(ApiDocument(Arc::new(document))))
        .layer(middleware::from_fn_with_state(access, guard))
}

/// Accepts connections permanently.
async fn accept(
    listener: &TcpListener,
    router: &Router,
    stopping: &watch::Receiver<bool>,
    limits: Limits,
    connections: &mut JoinSet<()>,
) {
    let slots = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Too many open files, for example: the next attempt may succeed.
                tokio::time::sleep(POLL).await;
                continue;
            }
        };
        let (router, stopping) = (router.clone(), stopping.clone());
        connections.spawn(async move {
            // A client that has gone already needs no answer.
            if let Ok(stream) = Connection::new(stream, limits.write_time) {
                serve(stream, router, stopping).await;
            }
            drop(slot);
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Serves one connection.
async fn serve(stream: Connection, router: Router, mut stopping: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // A client may break off at any time.
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(GRACE, connection).await;
}
