//! One journal that is followed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use duoforge_journal::{CasualRecord, History, JournalError, Kind, Record, Tail};
use duoforge_tournament::{Plan, Report};
use serde::Serialize;

use super::entry::{Entry, EntryKind, entry};
use super::shown::ShownGame;
use super::{Message, casual, variant};
use crate::dto::{EventSummary, GameCount, Live, Status};

/// Journal that is followed.
#[derive(Debug)]
pub struct Followed {
    tail: Tail,
    /// True if the journal is in the directory of the service's games.
    pub is_own: bool,
    entries: Vec<Entry>,
    fault: Option<String>,
    /// Message to the operator about a new fault.
    pub notice: Option<String>,
    /// True if the file does not exist any more.
    pub is_deleted: bool,
    /// Modification time of the file.
    changed: Option<SystemTime>,
    /// Time since which a seat of a casual game is to move, in milliseconds since 1970.
    asked_ms: Option<u64>,
    /// Number of records that state results: headers, ends of games, and the end of the event.
    results: u64,
    /// Number of the journal in the order in which they were found, from 1; 0 before.
    pub found: u64,
    texts: RefCell<Texts>,
}

/// JSON objects that all streams share, made at most once for each number of records.
#[derive(Debug, Default)]
struct Texts {
    records: u64,
    lives: BTreeMap<u32, Arc<str>>,
    snapshot: Option<Arc<str>>,
}

/// Content of a snapshot.
#[derive(Serialize)]
struct Snapshot {
    event: EventSummary,
    running: Vec<Live>,
}

impl Followed {
    /// Creates the journal of a path, with nothing read.
    pub fn new(path: &Path, is_own: bool) -> Self {
        Self {
            tail: Tail::new(path),
            is_own,
            entries: Vec::new(),
            fault: None,
            notice: None,
            is_deleted: false,
            changed: None,
            asked_ms: None,
            results: 0,
            found: 0,
            texts: RefCell::default(),
        }
    }

    pub fn path(&self) -> &Path {
        self.tail.path()
    }

    /// Reads what is new; true if anything was. A file that another one has replaced is read from
    /// its beginning.
    pub fn poll(&mut self) -> bool {
        match self.tail.poll() {
            Ok(records) => {
                let had_fault = self.fault.take().is_some();
                if records.is_empty() {
                    return had_fault;
                }
                let metadata = fs::metadata(self.tail.path());
                self.changed = metadata.and_then(|it| it.modified()).ok();
                self.asked_ms = records.iter().rev().find_map(asked_ms).or(self.asked_ms);
                let entries: Vec<_> = records.iter().map(entry).collect();
                let states = |entry: &&Entry| {
                    use EntryKind::{Ended, Finished, Header};
                    matches!(entry.kind, Header | Ended | Finished)
                };
                self.results += entries.iter().filter(states).count() as u64;
                self.entries.extend(entries);
                true
            }
            Err(JournalError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                self.is_deleted = true;
                true
            }
            Err(_) if self.tail.is_replaced() => {
                *self = Self::new(self.path(), self.is_own);
                self.poll();
                true
            }
            Err(error) => {
                let fault = Some(reason(&error));
                let is_new = fault != self.fault;
                if is_new {
                    self.notice = Some(error.to_string());
                    self.fault = fault;
                }
                is_new
            }
        }
    }

    /// Content of the journal.
    fn history(&self) -> Option<&History> {
        self.tail.history()
    }

    /// Content of the journal of an event that is rated, without moves but the first of each player.
    pub fn rated(&self) -> Option<History> {
        self.is_rated()
            .then(|| self.history())?
            .map(History::results)
    }

    /// Number of records that state results; `None` for a journal that is not rated.
    pub fn results(&self) -> Option<u64> {
        self.is_rated().then_some(self.results)
    }

    fn is_rated(&self) -> bool {
        self.fault.is_none() && !self.is_casual() && self.history().is_some()
    }

    /// Id of the journal, if it can be part of an address.
    pub fn id(&self) -> Option<&str> {
        let id = &self.history()?.header.id;
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_valid = (1..=64).contains(&id.len()) && id.bytes().all(is_allowed);
        is_valid.then_some(id)
    }

    /// Reason why the journal cannot be followed.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Number of records.
    pub const fn records(&self) -> u64 {
        self.tail.records()
    }

    /// Time since which a seat of a casual game is to move, in milliseconds since 1970: that of the last
    /// begin, move or take-back.
    pub const fn asked_ms(&self) -> Option<u64> {
        self.asked_ms
    }

    /// True if the journal holds one casual game.
    pub fn is_casual(&self) -> bool {
        self.history()
            .is_some_and(|it| it.header.kind == Kind::Casual)
    }

    /// True if the journal holds a casual game in progress.
    pub fn is_open_casual(&self) -> bool {
        let casual = self.history().and_then(|it| it.casual.as_ref());
        casual.is_some_and(|game| game.ended.is_none())
    }

    /// True if records may follow soon.
    pub fn is_busy(&self) -> bool {
        self.fault.is_none() && !self.is_over()
    }

    fn is_over(&self) -> bool {
        let ended = self.is_casual() && !self.is_open_casual() && self.records() > 1;
        ended || self.history().is_some_and(|it| it.finished)
    }

    /// True if no record is expected: the event or the casual game is over, or has been abandoned for a
    /// time.
    pub fn is_at_rest(&self, time: Duration) -> bool {
        let age = self.changed.and_then(|changed| changed.elapsed().ok());
        self.is_over() || age.is_some_and(|age| age > time)
    }

    /// True if the file was changed at a time or later.
    pub fn has_changed_since(&self, time: SystemTime) -> bool {
        self.changed.is_some_and(|changed| changed >= time)
    }

    /// Numbers of games.
    pub fn count(&self) -> GameCount {
        let Some(history) = self.history() else {
            return GameCount::default();
        };
        let casual = history.casual.as_ref();
        GameCount {
            ended: history.ended().count()
                + history.variant_games.ended().count()
                + casual.map_or(0, |it| it.ended.is_some().into()),
            running: if self.fault.is_some() {
                0
            } else {
                history.running().count()
                    + history.variant_games.running().count()
                    + casual.map_or(0, |it| it.ended.is_none().into())
            },
        }
    }

    /// Summary of the event.
    pub fn summary(&self) -> Option<EventSummary> {
        let history = self.history()?;
        Some(EventSummary {
            id: self.id()?.to_owned(),
            kind: history.header.kind.word().to_owned(),
            name: history.header.event.clone(),
            made_ms: history.header.made_ms,
            finished: self.is_over(),
            games: self.count(),
            records: self.records(),
            fault: self.fault.clone(),
        })
    }

    /// Games in the order of their numbers.
    pub fn games(&self) -> Vec<ShownGame> {
        let (Some(history), Some(id)) = (self.history(), self.id()) else {
            return Vec::new();
        };
        let kind = history.header.kind.word();
        let refereed = history.games.values();
        let refereed = refereed.map(|game| ShownGame::refereed(id, kind, self.records(), game));
        let variants = history.variant_games.iter();
        let variants = variants.filter_map(|game| variant::shown(id, kind, self.records(), game));
        let games = refereed.chain(variants).chain(self.casual());
        games.map(|game| self.with_fault(game)).collect()
    }

    /// Returns the game of a number.
    pub fn game(&self, number: u32) -> Option<ShownGame> {
        let history = self.history()?;
        let kind = history.header.kind.word();
        let game = match history.games.get(&number) {
            Some(game) => Some(ShownGame::refereed(self.id()?, kind, self.records(), game)),
            None => match history.variant_games.get(number) {
                Some(game) => variant::shown(self.id()?, kind, self.records(), game),
                None => self.casual().filter(|game| game.number == number),
            },
        };
        game.map(|game| self.with_fault(game))
    }

    /// Notes that a game cannot be followed to its end, if the journal has a fault.
    fn with_fault(&self, mut game: ShownGame) -> ShownGame {
        if self.fault.is_some() && game.status == Status::Running {
            game.status = Status::Damaged;
        }
        game
    }

    fn casual(&self) -> Option<ShownGame> {
        let game = self.history()?.casual.as_ref()?;
        casual::shown(self.id()?, self.records(), game, self.is_own)
    }

    /// Messages of the records from number `from` on.
    pub fn since(&self, id: &str, from: u64) -> Vec<Message> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let entries = self.entries.iter().enumerate().skip(from);
        let mut messages: Vec<_> = entries
            .map(|(number, entry)| Message::Record {
                journal: id.to_owned(),
                number: number as u64,
                entry: entry.clone(),
                live: None,
            })
            .collect();
        // The last record of each game carries the position.
        let mut drawn = Vec::new();
        for message in messages.iter_mut().rev() {
            if let Message::Record { entry, live, .. } = message
                && let Some(number) = entry.game
                && !drawn.contains(&number)
            {
                drawn.push(number);
                *live = self.live(number);
            }
        }
        messages
    }

    /// The texts of the present number of records.
    fn texts(&self) -> std::cell::RefMut<'_, Texts> {
        let mut texts = self.texts.borrow_mut();
        if texts.records != self.records() {
            *texts = Texts {
                records: self.records(),
                ..Texts::default()
            };
        }
        texts
    }

    /// JSON object of a game as a wall shows it.
    fn live(&self, number: u32) -> Option<Arc<str>> {
        if let Some(text) = self.texts().lives.get(&number) {
            return Some(Arc::clone(text));
        }
        let text = json(&self.game(number)?.live());
        self.texts().lives.insert(number, Arc::clone(&text));
        Some(text)
    }

    /// JSON object of the journal and its games in progress.
    pub fn snapshot(&self) -> Option<Arc<str>> {
        if let Some(text) = &self.texts().snapshot {
            return Some(Arc::clone(text));
        }
        let games = self.games();
        let running = games.iter().filter(|game| game.status == Status::Running);
        let text = json(&Snapshot {
            event: self.summary()?,
            running: running.map(ShownGame::live).collect(),
        });
        self.texts().snapshot = Some(Arc::clone(&text));
        Some(text)
    }

    /// Report of a tournament; `None` for other events, and for a plan that cannot be read.
    pub fn report(&self) -> Option<Report> {
        let history = self.history()?;
        if history.header.kind != Kind::Tournament {
            return None;
        }
        let plan = Plan::read_schedule(&history.header.plan).ok()?;
        let plan = plan.without_excluded(&history.input_tests);
        Some(Report::new(&plan, history))
    }
}

/// Time of a record after which a seat of a casual game is to move.
const fn asked_ms(record: &Record) -> Option<u64> {
    match record {
        Record::Casual(CasualRecord::Begun(begun)) => Some(begun.at_ms),
        Record::Casual(CasualRecord::Moved(moved)) => Some(moved.at_ms),
        Record::Casual(CasualRecord::Undone(undone)) => Some(undone.at_ms),
        _ => None,
    }
}

/// Writes an object as JSON.
fn json(value: &impl Serialize) -> Arc<str> {
    let text = serde_json::to_string(value);
    text.expect("objects are made of texts and numbers").into()
}

/// Reason of a fault without the path, which is not for clients.
fn reason(error: &JournalError) -> String {
    match error {
        JournalError::Io { source, .. } => format!("the journal cannot be read: {}", source.kind()),
        JournalError::NoJournal { reason, .. } => format!("not a journal: {reason}"),
        JournalError::Version { version, .. } => format!("version {version} is not supported"),
        JournalError::Damaged { line, reason, .. } => format!("line {line} is damaged: {reason}"),
        _ => "the journal cannot be read".to_owned(),
    }
}
