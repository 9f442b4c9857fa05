//! Feed: follows journals read-only, and gives their games and records.
//!
//! A thread polls the journals. Watching cannot disturb a referee: files are opened for reading
//! only and never locked. The number of a record in its journal is the number of its event.

mod batch;
mod casual;
mod entry;
mod followed;
mod journals;
mod shown;
mod variant;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duoforge_journal::History;
use duoforge_tournament::Report;
use tokio::sync::watch;

pub use batch::{Message, Position, Reader, Sent};
pub use entry::{Entry, EntryKind};
pub use followed::Followed;
use journals::{Journals, listed};
pub use shown::ShownGame;

use crate::dto::{EventSummary, GameSummary, Status};

/// Polling interval of journals in progress.
pub const POLL: Duration = Duration::from_millis(100);

/// Polling interval of directories, and of journals that are finished or cannot be read.
const RARE: Duration = Duration::from_secs(2);

/// Time after its last record from which a journal is at rest: streams name it no more.
const REST: Duration = Duration::from_secs(3600);

/// Journals that are followed.
#[derive(Debug)]
pub struct Feed {
    sources: Vec<PathBuf>,
    /// Directory of the service's games.
    games: PathBuf,
    journals: Mutex<Journals>,
    changes: watch::Sender<u64>,
}

/// Numbers of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedCounts {
    /// Number of journals that are followed.
    pub journals: usize,
    /// Number of files that cannot be followed.
    pub faults: usize,
    /// Number of games in progress.
    pub running: usize,
}

/// Number of records that state results, by the path of the journal.
pub type ResultCounts = BTreeMap<PathBuf, u64>;

/// Selection of games.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameFilter<'a> {
    /// True for games in progress, false for all others.
    pub running: Option<bool>,
    /// Id of a journal.
    pub journal: Option<&'a str>,
    /// Name of a variant.
    pub variant: Option<&'a str>,
    /// Names of players, each of which has a seat.
    pub players: [Option<&'a str>; 2],
}

impl GameFilter<'_> {
    fn matches(&self, game: &ShownGame) -> bool {
        let is_running = game.status == Status::Running;
        let mut seats: Vec<_> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
        let mut takes = |player: &str| {
            let seat = seats.iter().position(|name| *name == player);
            seat.map(|seat| seats.swap_remove(seat)).is_some()
        };
        self.running.is_none_or(|running| running == is_running)
            && self.variant.is_none_or(|name| name == game.variant.name())
            && self.players.into_iter().flatten().all(&mut takes)
    }
}

impl Feed {
    /// Creates a feed of journals and of directories, which hold journals with the extension
    /// `.journal`. Those of the directory `games` belong to this service.
    pub fn new(mut sources: Vec<PathBuf>, games: PathBuf) -> Self {
        sources.push(games.clone());
        Self {
            sources,
            games,
            journals: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// Receiver that is notified of changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, Journals> {
        self.journals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what is new in all journals.
    pub fn poll(&self) {
        let mut journals = self.lock();
        let now = Instant::now();
        let is_due = |last: Option<Instant>| last.is_none_or(|last| now - last >= RARE);
        if is_due(journals.listed) {
            journals.listed = Some(now);
            for path in self.sources.iter().flat_map(|source| listed(source)) {
                self.add(&mut journals, &path);
            }
        }
        let rare = is_due(journals.polled);
        if rare {
            journals.polled = Some(now);
        }
        let changed = journals.poll(|followed| rare || followed.is_busy());
        drop(journals);
        if changed {
            self.notify();
        }
    }

    /// Reads what is new in one journal, which may be unknown so far.
    pub fn refresh(&self, path: &Path) {
        let mut journals = self.lock();
        self.add(&mut journals, path);
        let changed = journals.poll(|followed| followed.path() == path);
        drop(journals);
        if changed {
            self.notify();
        }
    }

    fn add(&self, journals: &mut Journals, path: &Path) {
        // A link in the directory of the games leads to another journal.
        let is_own = || path.parent() == Some(&self.games) && !path.is_symlink();
        let new = || Followed::new(path, is_own());
        journals.by_path.entry(path.to_owned()).or_insert_with(new);
    }

    /// Adds a message to the operator.
    pub fn note(&self, message: String) {
        self.lock().note(message);
    }

    /// Returns the messages about new faults of journals since the last call, for the operator.
    pub fn take_notices(&self) -> Vec<String> {
        self.lock().take_notices()
    }

    fn notify(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    /// Counts journals, faults and games.
    pub fn counts(&self) -> FeedCounts {
        let journals = self.lock();
        let running = journals.all().map(|(_, followed)| followed.count().running);
        let files = journals.by_path.values();
        FeedCounts {
            journals: journals.by_id.len(),
            faults: files.filter(|it| it.fault().is_some()).count(),
            running: running.sum(),
        }
    }

    /// Games that match, the newest first: their number, and a part of them.
    pub fn games(
        &self,
        filter: &GameFilter<'_>,
        offset: usize,
        limit: usize,
    ) -> (usize, Vec<GameSummary>) {
        let journals = self.lock();
        let of_journal = journals
            .all()
            .filter(|(id, _)| filter.journal.is_none_or(|journal| journal == *id));
        let mut games: Vec<ShownGame> = of_journal
            .flat_map(|(_, followed)| followed.games())
            .filter(|game| filter.matches(game))
            .collect();
        drop(journals);
        games.sort_by(|left, right| {
            let key = |game: &ShownGame| (game.begun_ms, game.journal.clone(), game.number);
            key(right).cmp(&key(left))
        });
        let total = games.len();
        let part = games.iter().skip(offset).take(limit);
        (total, part.map(|game| game.summary(None)).collect())
    }

    /// Returns the journals of rated events, without moves but the first of each player, and the
    /// numbers of their results; `None` if these are the numbers in `known`.
    pub fn rated(&self, known: Option<&ResultCounts>) -> Option<(ResultCounts, Vec<History>)> {
        let journals = self.lock();
        let all = || journals.by_path.iter();
        let counts = all().filter_map(|(path, it)| Some((path.clone(), it.results()?)));
        let counts: ResultCounts = counts.collect();
        if known == Some(&counts) {
            return None;
        }
        let histories = all().filter_map(|(_, followed)| followed.rated());
        Some((counts, histories.collect()))
    }

    /// Returns a game by its id.
    pub fn game(&self, id: &str) -> Option<ShownGame> {
        let (journal, number) = id.rsplit_once('.')?;
        let journals = self.lock();
        let game = journals.followed(journal)?.game(number.parse().ok()?)?;
        // The number 1 is also the value of other texts, such as +1 and 01.
        (game.number.to_string() == number).then_some(game)
    }

    /// Time since which a seat of a casual game is to move, in milliseconds since 1970.
    pub fn asked_ms(&self, journal: &str) -> Option<u64> {
        self.lock().followed(journal)?.asked_ms()
    }

    /// Path of a journal.
    pub fn path(&self, journal: &str) -> Option<PathBuf> {
        self.lock().by_id.get(journal).cloned()
    }

    /// Ids of the casual games in progress.
    pub fn open_casual(&self) -> Vec<String> {
        let journals = self.lock();
        let open = journals
            .all()
            .filter(|(_, followed)| followed.is_open_casual());
        open.map(|(id, _)| id.to_owned()).collect()
    }

    /// Events, the newest first; casual games are not events.
    pub fn events(&self) -> Vec<EventSummary> {
        let journals = self.lock();
        let mut events: Vec<_> = journals
            .all()
            .filter(|(_, followed)| !followed.is_casual())
            .filter_map(|(_, followed)| followed.summary())
            .collect();
        events.sort_by(|left, right| (right.made_ms, &right.id).cmp(&(left.made_ms, &left.id)));
        events
    }

    /// Returns an event, its games in the order of their numbers, and the report of a tournament.
    pub fn event(&self, id: &str) -> Option<(EventSummary, Vec<ShownGame>, Option<Report>)> {
        let journals = self.lock();
        let followed = journals.followed(id)?;
        Some((followed.summary()?, followed.games(), followed.report()))
    }

    /// Number of records of each journal.
    pub fn position(&self) -> Position {
        let journals = self.lock();
        let all = journals
            .all()
            .map(|(id, followed)| (id.to_owned(), followed.records()));
        all.collect()
    }

    /// Ids of the journals that cannot be followed any more.
    pub fn faulty(&self) -> Vec<String> {
        let journals = self.lock();
        let faulty = journals.all().filter(|(_, it)| it.fault().is_some());
        faulty.map(|(id, _)| id.to_owned()).collect()
    }

    /// Number of journals that have been found so far.
    pub fn found(&self) -> u64 {
        self.lock().found
    }
}

/// Polls a feed until the last other owner of it has gone.
pub fn follow(feed: &Arc<Feed>) {
    while Arc::strong_count(feed) > 1 {
        feed.poll();
        std::thread::sleep(POLL);
    }
}
