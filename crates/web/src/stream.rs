//! Server-sent events: records of journals, programs that think, analyses.
//!
//! The id of a message is the position of the whole stream, as `JOURNAL:RECORDS,...`; of consecutive
//! snapshots only the last one has an id. A browser that returns sends it back and gets every later
//! record once, also after a restart of the service.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, mpsc, watch};

use crate::Role;
use crate::app::{App, RELEASE};
use crate::dto::{Analysis, MoveView};
use crate::feed::{Entry, EntryKind, Message, Position, Reader, Sent};
use crate::problem::Problem;
use crate::turns::{Turn, Turns};

/// Maximum number of journals that a stream names.
const MAX_NAMED: usize = 64;

/// Maximum length of a position in bytes.
const MAX_POSITION: usize = 64 << 10;

/// Maximum number of journals of a position.
const MAX_ENTRIES: usize = 1024;

/// Interval of comments, which show whether the client is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Batches of events that wait for a slow reader before its stream waits too.
const QUEUE: usize = 4;

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
    limit: usize,
    turns: Arc<Turns>,
    stop: watch::Sender<bool>,
}

impl Streams {
    /// Creates the list without open streams, for at most `limit` of them.
    pub fn new(limit: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(limit)),
            limit,
            turns: Arc::default(),
            stop: watch::Sender::new(false),
        }
    }

    /// Number of open streams.
    pub fn open(&self) -> usize {
        self.limit - self.slots.available_permits()
    }

    /// Maximum number of open streams.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// True once all streams end.
    pub fn ending(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Lets the streams take turns after each change, until the sender of `changes` has gone.
    pub fn follow(&self, changes: watch::Receiver<u64>) -> impl Future<Output = ()> + use<> {
        Arc::clone(&self.turns).follow(changes)
    }

    /// Ends all streams.
    pub fn end(&self) {
        self.stop.send_replace(true);
    }

    fn take(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let slot = Arc::clone(&self.slots).try_acquire_owned();
        slot.map_err(|_| {
            let limit = self.limit;
            Problem::busy(format!(
                "{limit} streams are open: expected at most {limit}"
            ))
        })
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

/// Reader at the position of a client; a text that is unknown or too long is the empty position, which
/// begins with snapshots.
fn reader(headers: &HeaderMap) -> Reader {
    let text = headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let text = text
        .filter(|text| text.len() <= MAX_POSITION)
        .unwrap_or_default();
    let mut reader = Reader::default();
    reader.read(text.split(','));
    if reader.position.len() > MAX_ENTRIES {
        reader.position = Position::new();
    }
    reader
}

/// Opens a stream.
pub fn open(
    app: &Arc<App>,
    role: Role,
    filter: Vec<String>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let slot = app.streams.take()?;
    let mut reader = reader(headers);
    // The stream begins with the event `gone` of each journal that cannot be followed any more.
    let faulty = app.feed.faulty().into_iter();
    let is_named = |id: &String| filter.is_empty() || filter.contains(id);
    for id in faulty.filter(is_named) {
        reader.position.entry(id).or_insert(0);
    }
    reader.filter = filter;
    reader.known = app.feed.found();
    let (events, queue) = mpsc::channel(QUEUE);
    let sender = Sender {
        app: Arc::clone(app),
        turn: app.streams.turns.join(),
        notices: app.notices.subscribe(),
        stop: app.streams.stop.subscribe(),
        reader,
        events,
        _slot: slot,
    };
    tokio::spawn(sender.run(role));
    let events = stream::unfold(queue, |mut queue| async {
        let batch = queue.recv().await?;
        Some((
            stream::iter(batch.into_iter().map(Ok::<_, Infallible>)),
            queue,
        ))
    });
    let events = events.flatten();
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    let headers = response.headers_mut();
    headers.insert("cache-control", "no-store".parse().expect("a header"));
    headers.insert("x-accel-buffering", "no".parse().expect("a header"));
    Ok(response)
}

/// Sender of one stream.
struct Sender {
    app: Arc<App>,
    turn: Turn,
    notices: broadcast::Receiver<Notice>,
    stop: watch::Receiver<bool>,
    reader: Reader,
    /// Events that are written together.
    events: mpsc::Sender<Vec<Event>>,
    _slot: OwnedSemaphorePermit,
}

/// The client has gone, or the service stops.
struct Closed;

impl Sender {
    async fn run(mut self, role: Role) {
        let journals: BTreeMap<String, u64> = self.app.feed.position();
        let hello = json!({
            "version": duoforge_view::VERSION,
            "release": RELEASE,
            "role": role,
            "journals": journals,
        });
        let hello = event("hello", &hello).retry(Duration::from_secs(1));
        if self.send(vec![hello]).await.is_err() {
            return;
        }
        while self.step().await.is_ok() {}
    }

    /// Sends what is new, then waits for a change.
    async fn step(&mut self) -> Result<(), Closed> {
        let batch = self.app.feed.since(&mut self.reader);
        if !batch.sent.is_empty() {
            let events = batch.sent.into_iter().map(message);
            self.send(events.collect()).await?;
        }
        if batch.has_more && !*self.stop.borrow() {
            return Ok(());
        }
        let notice = tokio::select! {
            biased;
            _ = self.stop.wait_for(|stop| *stop) => return Err(Closed),
            () = self.events.closed() => return Err(Closed),
            () = self.turn.next() => return Ok(()),
            notice = self.notices.recv() => notice,
        };
        match notice {
            Ok(Notice::Thinking { game, seat }) => {
                let data = json!({ "game": game, "seat": seat, "thinking": seat.is_some() });
                self.send(vec![event("thinking", &data)]).await
            }
            Ok(Notice::Analysis(analysis)) => self.send(vec![event("analysis", &*analysis)]).await,
            // The reader is slow. The next records and notices state what it missed; no record is
            // a notice.
            Err(RecvError::Lagged(_)) => Ok(()),
            Err(RecvError::Closed) => Err(Closed),
        }
    }

    async fn send(&self, events: Vec<Event>) -> Result<(), Closed> {
        self.events.send(events).await.map_err(|_| Closed)
    }
}

/// Creates the event of a message of the feed, with the position after it if it has one.
fn message(Sent { message, position }: Sent) -> Event {
    let event = match message {
        Message::Journal(text) => Event::default().event("journal").data(text),
        Message::Record {
            journal,
            number,
            entry: Entry { kind, game, played },
            live,
        } => {
            let record = Record {
                game: game.map(|game| format!("{journal}.{game}")),
                journal,
                n: number,
                kind,
                played,
            };
            Event::default()
                .event("record")
                .data(record.text(live.as_deref()))
        }
        Message::Gone { journal, reason } => {
            event("gone", &json!({ "journal": journal, "reason": reason }))
        }
        Message::Position => Event::default(),
    };
    match position {
        Some(position) => event.id(position),
        None => event,
    }
}

/// Data of the event `record`, but for the game after it.
#[derive(Serialize)]
struct Record {
    journal: String,
    n: u64,
    #[serde(rename = "type")]
    kind: EntryKind,
    game: Option<String>,
    #[serde(rename = "move")]
    played: Option<MoveView>,
}

impl Record {
    /// Text of the data; `live` is the JSON object of the game.
    fn text(&self, live: Option<&str>) -> String {
        let mut text = json_text(self);
        let end = text.pop();
        text.push_str(",\"live\":");
        text.push_str(live.unwrap_or("null"));
        text.extend(end);
        text
    }
}

/// Writes an object as JSON.
fn json_text(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("objects are made of texts and numbers")
}

/// Creates an event with JSON data.
fn event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).data(json_text(data))
}
