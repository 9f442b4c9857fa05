//! Server-sent events: records of journals, programs that think, analyses.
//!
//! The id of a message is the position of the whole stream, as `JOURNAL:RECORDS,...`. A browser
//! that returns sends it back and gets every later record once, also after a restart of the
//! service.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, mpsc, watch};

use crate::Role;
use crate::app::{App, RELEASE};
use crate::dto::Analysis;
use crate::feed::{Feed, Message, Position};
use crate::problem::Problem;

/// Maximum number of open streams.
pub const MAX_STREAMS: usize = 256;

/// Maximum number of journals that a stream names.
const MAX_NAMED: usize = 64;

/// Maximum length of a position in bytes.
const MAX_POSITION: usize = 64 << 10;

/// Interval of comments that keep a connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Messages that wait for a slow reader before its stream waits too.
const QUEUE: usize = 16;

/// Event that is not a record.
#[derive(Clone, Debug)]
pub enum Notice {
    /// A program began or ended to think.
    Thinking {
        /// Id of the game.
        game: String,
        /// Seat of the program; `None` if no program thinks.
        seat: Option<u8>,
    },
    /// Progress of an analysis.
    Analysis(Arc<Analysis>),
}

/// Open streams.
#[derive(Debug)]
pub struct Streams {
    slots: Arc<Semaphore>,
    stop: watch::Sender<bool>,
}

impl Streams {
    /// Creates the list without open streams.
    pub fn new() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(MAX_STREAMS)),
            stop: watch::Sender::new(false),
        }
    }

    /// Number of open streams.
    pub fn open(&self) -> usize {
        MAX_STREAMS - self.slots.available_permits()
    }

    /// Ends all streams.
    pub fn end(&self) {
        self.stop.send_replace(true);
    }

    fn take(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let slot = Arc::clone(&self.slots).try_acquire_owned();
        slot.map_err(|_| Problem::busy(format!("{MAX_STREAMS} streams are open")))
    }
}

/// Reads the list of journals of a query.
pub fn named(journal: Option<&str>) -> Result<Vec<String>, Problem> {
    let ids: Vec<String> = journal
        .unwrap_or_default()
        .split(',')
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    if ids.len() > MAX_NAMED {
        let found = ids.len();
        let message = format!("journal names {found} journals: expected at most {MAX_NAMED}");
        return Err(Problem::request(message));
    }
    Ok(ids)
}

/// Reads a position; an unknown text is the empty position, which begins with snapshots.
fn position(headers: &HeaderMap) -> Position {
    let text = headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let text = text
        .filter(|text| text.len() <= MAX_POSITION)
        .unwrap_or_default();
    let entries = text.split(',').filter_map(|entry| {
        let (id, records) = entry.split_once(':')?;
        Some((id.to_owned(), records.parse().ok()?))
    });
    entries.collect()
}

/// Writes a position.
fn written(position: &Position) -> String {
    let entries: Vec<_> = position
        .iter()
        .map(|(id, records)| format!("{id}:{records}"))
        .collect();
    entries.join(",")
}

/// Opens a stream.
pub fn open(
    app: &Arc<App>,
    role: Role,
    filter: Vec<String>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let slot = app.streams.take()?;
    let (events, queue) = mpsc::channel(QUEUE);
    let sender = Sender {
        feed: Arc::clone(&app.feed),
        changes: app.feed.changes(),
        notices: app.notices.subscribe(),
        stop: app.streams.stop.subscribe(),
        position: position(headers),
        filter,
        events,
        _slot: slot,
    };
    tokio::spawn(sender.run(role));
    let events = stream::unfold(queue, |mut queue| async {
        let event = queue.recv().await?;
        Some((Ok::<_, Infallible>(event), queue))
    });
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    let headers = response.headers_mut();
    headers.insert("cache-control", "no-store".parse().expect("a header"));
    headers.insert("x-accel-buffering", "no".parse().expect("a header"));
    Ok(response)
}

/// Sender of one stream.
struct Sender {
    feed: Arc<Feed>,
    changes: watch::Receiver<u64>,
    notices: broadcast::Receiver<Notice>,
    stop: watch::Receiver<bool>,
    position: Position,
    filter: Vec<String>,
    events: mpsc::Sender<Event>,
    _slot: OwnedSemaphorePermit,
}

/// The client has gone, or the service stops.
struct Closed;

impl Sender {
    async fn run(mut self, role: Role) {
        let journals: BTreeMap<String, u64> = self.feed.position();
        let hello = json!({
            "version": duoforge_view::VERSION,
            "release": RELEASE,
            "role": role,
            "journals": journals,
        });
        let hello = event("hello", &hello).retry(Duration::from_secs(1));
        if self.send(hello).await.is_err() {
            return;
        }
        while self.step().await.is_ok() {}
    }

    /// Sends what is new, then waits for a change.
    async fn step(&mut self) -> Result<(), Closed> {
        self.changes.mark_unchanged();
        for message in self.feed.since(&mut self.position.clone(), &self.filter) {
            self.tell(message).await?;
        }
        let notice = tokio::select! {
            biased;
            _ = self.stop.wait_for(|stop| *stop) => return Err(Closed),
            () = self.events.closed() => return Err(Closed),
            changed = self.changes.changed() => {
                changed.map_err(|_| Closed)?;
                return Ok(());
            }
            notice = self.notices.recv() => notice,
        };
        match notice {
            Ok(Notice::Thinking { game, seat }) => {
                let data = json!({ "game": game, "seat": seat, "thinking": seat.is_some() });
                self.send(event("thinking", &data)).await
            }
            Ok(Notice::Analysis(analysis)) => self.send(event("analysis", &*analysis)).await,
            // The reader is slow: snapshots replace what it missed.
            Err(RecvError::Lagged(_)) => {
                self.position.clear();
                Ok(())
            }
            Err(RecvError::Closed) => Err(Closed),
        }
    }

    /// Sends a message of the feed with the position after it.
    async fn tell(&mut self, message: Message) -> Result<(), Closed> {
        let event = match message {
            Message::Journal {
                event: journal,
                running,
            } => {
                self.position.insert(journal.id.clone(), journal.records);
                let data = json!({ "event": journal, "running": running });
                event("journal", &data)
            }
            Message::Record {
                journal,
                number,
                entry,
                live,
            } => {
                self.position.insert(journal.clone(), number + 1);
                let game = entry.game.map(|game| format!("{journal}.{game}"));
                let data = json!({
                    "journal": journal,
                    "n": number,
                    "type": entry.kind,
                    "game": game,
                    "move": entry.played,
                    "live": live,
                });
                event("record", &data)
            }
            Message::Gone { journal, reason } => {
                self.position.remove(&journal);
                event("gone", &json!({ "journal": journal, "reason": reason }))
            }
        };
        let mut named = self.position.clone();
        self.feed.forget(&mut named);
        self.send(event.id(written(&named))).await
    }

    async fn send(&self, event: Event) -> Result<(), Closed> {
        self.events.send(event).await.map_err(|_| Closed)
    }
}

/// Creates an event with JSON data.
fn event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).expect("objects are made of texts and numbers");
    Event::default().event(name).data(data)
}
