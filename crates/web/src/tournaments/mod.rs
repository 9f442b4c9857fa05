//! Tournaments that referees start on the page. One is in progress at a time, so that no other one
//! takes the processors from games that are judged by the wall clock.
//!
//! Their journals are in the directory of the service's games. The journal is the only state: a
//! tournament that was stopped, or whose service was killed, is resumed from it, here or by
//! `duoforge resume`.

mod file;
mod plan;
mod run;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use duoforge_journal::{Header, History, Journal, JournalError, Kind, read};

pub use plan::NewEvent;

use crate::devices::{Device, ExaminedDevice};
use crate::dto::{EventSummary, GameCount, RunStatus, RunView};
use crate::feed::Feed;
use crate::play::bad_player;
use crate::players::{OfferError, Players};
use crate::position::shown;
use crate::problem::Problem;

use file::OpenFile;
use plan::EventPlan;
use run::{LOST, Run};

/// Number of runs whose ends are kept.
const KEPT: usize = 16;

/// Polling interval of the reset of a device.
const POLL: Duration = Duration::from_millis(50);

/// Code of a request that the state of an event forbids.
const CODE: &str = "duoforge::event";

/// Tournaments of the service.
pub struct Tournaments {
    directory: PathBuf,
    feed: Arc<Feed>,
    players: Arc<Players>,
    runs: Mutex<Runs>,
    created: AtomicU64,
}

#[derive(Default)]
struct Runs {
    /// Runs since the start of the service, by the ids of their journals, the newest last.
    all: VecDeque<(String, Arc<Run>)>,
    thread: Option<JoinHandle<()>>,
    /// True once the service ends.
    ended: bool,
}

/// Tournament that begins.
struct Start {
    plan: EventPlan,
    journal: Journal,
    /// File of the journal.
    file: OpenFile,
    history: History,
    leases: Vec<ExaminedDevice>,
    feed: Arc<Feed>,
}

impl Tournaments {
    /// Creates the tournaments of a directory; none is in progress.
    pub fn new(directory: PathBuf, feed: Arc<Feed>, players: Arc<Players>) -> Self {
        Self {
            directory,
            feed,
            players,
            runs: Mutex::default(),
            created: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a tournament and begins to play it. Returns the id of its journal.
    pub fn create(&self, request: &NewEvent) -> Result<String, Problem> {
        let text = request.text(&self.players)?;
        let (plan, devices) = EventPlan::read(&text, &self.players)?;
        let mut runs = self.lock();
        runs.check()?;
        let leases = lease(&devices)?;
        let mut header = Header::new(Kind::Tournament, plan.name(), text);
        let number = self.created.fetch_add(1, Ordering::Relaxed);
        header.id = format!("{}-t{number:x}", header.id);
        let id = header.id.clone();
        let path = self.directory.join(format!("{id}.journal"));
        Journal::create(&path, header).map_err(|error| disk(&error))?;
        self.begin(&mut runs, &id, &path, plan, leases)?;
        Ok(id)
    }

    /// Resumes a tournament that is stopped.
    pub fn resume(&self, id: &str) -> Result<(), Problem> {
        if self.lost(id).is_some() {
            return Err(Problem::conflict(CODE, LOST)
                .help("move the journal back, or create the tournament again"));
        }
        let path = self.own(id)?;
        let mut runs = self.lock();
        runs.check()?;
        let history = read(&path).map_err(|error| disk(&error))?.history;
        if history.finished {
            return Err(Problem::conflict(CODE, "all games have been played"));
        }
        let (plan, devices) = EventPlan::read(&history.header.plan, &self.players)?;
        let leases = lease(&devices)?;
        self.begin(&mut runs, id, &path, plan, leases)
    }

    /// Requests the end of a tournament: games in progress are finished. Its journal may have gone.
    pub fn stop(&self, id: &str) -> Result<(), Problem> {
        if self.lock().find(id).is_some_and(Run::stop) {
            return Ok(());
        }
        if self.lost(id).is_none() {
            self.own(id)?;
        }
        Err(Problem::conflict(CODE, "the tournament is not in progress"))
    }

    /// State of an event, if this service plays it, has played it, or can resume it.
    pub fn view(&self, event: &EventSummary) -> Option<RunView> {
        if let Some(run) = self.lock().find(&event.id) {
            return Some(run.view_of(event));
        }
        let is_open = event.kind == Kind::Tournament.word() && !event.finished;
        let is_own = is_open && self.path(&event.id).is_some();
        is_own.then(|| RunView::new(RunStatus::Stopped))
    }

    /// Summary of a tournament whose journal is not followed any more, since it was deleted or replaced
    /// while this service played the tournament.
    pub fn lost(&self, id: &str) -> Option<EventSummary> {
        if self.feed.path(id).is_some() {
            return None;
        }
        let runs = self.lock();
        let run = runs.find(id)?;
        (run.is_open() || run.is_lost()).then(|| EventSummary {
            id: id.to_owned(),
            kind: Kind::Tournament.word().to_owned(),
            name: run.name.clone(),
            made_ms: run.made_ms,
            finished: false,
            games: GameCount::default(),
            records: 0,
            fault: Some(LOST.to_owned()),
        })
    }

    /// Begins no other game.
    pub fn stop_all(&self) {
        let mut runs = self.lock();
        runs.ended = true;
        runs.all.iter().for_each(|(_, run)| {
            run.stop();
        });
    }

    /// Begins no other game, and waits for the end of the games in progress.
    pub fn end(&self) {
        self.stop_all();
        let thread = self.lock().thread.take();
        if let Some(thread) = thread {
            // A run that panicked has noted it.
            let _ = thread.join();
        }
    }

    /// Path of a journal in the directory of this service.
    fn path(&self, id: &str) -> Option<PathBuf> {
        let path = self.feed.path(id);
        path.filter(|path| path.parent() == Some(&self.directory))
    }

    /// Path of the journal of a tournament of this service.
    fn own(&self, id: &str) -> Result<PathBuf, Problem> {
        let events = self.feed.events();
        let event = events.iter().find(|event| event.id == id);
        let event = event.ok_or_else(|| unknown(id))?;
        if event.kind == Kind::Tournament.word()
            && let Some(path) = self.path(id)
        {
            return Ok(path);
        }
        Err(Problem::new(
            axum::http::StatusCode::FORBIDDEN,
            "duoforge::read-only",
            "the event is not played at this service",
        )
        .help("`duoforge resume JOURNAL` resumes other events"))
    }

    /// Begins to play the games that a journal lacks.
    fn begin(
        &self,
        runs: &mut Runs,
        id: &str,
        path: &Path,
        plan: EventPlan,
        leases: Vec<ExaminedDevice>,
    ) -> Result<(), Problem> {
        let (journal, history, _) = Journal::open(path).map_err(|error| match error {
            JournalError::Locked(_) => Problem::conflict(
                "duoforge::journal::locked",
                "another program plays the tournament",
            ),
            error => disk(&error),
        })?;
        let file = OpenFile::at(path).map_err(|_| unknown(id))?;
        self.feed.refresh(path);
        let run = Arc::new(Run::new(&history.header));
        let start = Start {
            plan,
            journal,
            file,
            history,
            leases,
            feed: Arc::clone(&self.feed),
        };
        let own = Arc::clone(&run);
        let thread = thread::Builder::new()
            .name("tournament".to_owned())
            .spawn(move || start.play(&own));
        runs.thread = Some(thread.map_err(|_| Problem::busy("there is no thread left"))?);
        runs.all.retain(|(known, _)| known != id);
        if runs.all.len() == KEPT {
            runs.all.pop_front();
        }
        runs.all.push_back((id.to_owned(), run));
        Ok(())
    }
}

impl Drop for Tournaments {
    /// Begins no other game.
    fn drop(&mut self) {
        let runs = self.runs.get_mut().unwrap_or_else(PoisonError::into_inner);
        runs.all.iter().for_each(|(_, run)| {
            run.stop();
        });
    }
}

impl Runs {
    fn find(&self, id: &str) -> Option<&Run> {
        let found = self.all.iter().find(|(known, _)| known == id);
        found.map(|(_, run)| &**run)
    }

    /// Refuses to begin a tournament while one is in progress, or the service ends.
    fn check(&self) -> Result<(), Problem> {
        if self.ended {
            return Err(Problem::busy("the service ends"));
        }
        match self.all.iter().find(|(_, run)| run.is_open()) {
            None => Ok(()),
            Some((id, _)) => {
                let message = format!("the tournament {id} is in progress: expected none");
                Err(Problem::conflict(CODE, message).help("stop it first, or wait for its end"))
            }
        }
    }
}

/// Notes a run that ends by a panic.
struct Ending<'a>(&'a Run);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0
            .fail("internal fault: the service's messages have it");
    }
}

impl Start {
    /// Plays the tournament to its end, or until it is stopped. When the run has ended, the devices
    /// are free again, the journal is closed, and the feed has all its records.
    fn play(self, run: &Run) {
        let _ending = Ending(run);
        let resets = || self.leases.iter().any(|lease| lease.resets_for().is_some());
        while resets() && !run.is_stopping() {
            thread::sleep(POLL);
        }
        let (running, ended) = channel();
        let own = &self;
        let result = thread::scope(|scope| {
            // Without a thread the journal is not checked.
            let _ = thread::Builder::new()
                .name("journal".to_owned())
                .spawn_scoped(scope, move || own.watch(run, &ended));
            let result = own.plan.play(&own.journal, &own.history, run);
            drop(running);
            result
        });
        let path = self.journal.path().to_owned();
        let feed = Arc::clone(&self.feed);
        drop(self);
        feed.refresh(&path);
        run.end(result);
    }

    /// Stops the tournament if its journal goes, until the sender of `ended` has gone.
    fn watch(&self, run: &Run, ended: &Receiver<()>) {
        if self.file.is_lost_until(ended) {
            run.lose();
            let path = self.journal.path().display();
            self.feed.note(format!("{path}: {LOST}: it stops"));
        }
    }
}

/// Takes devices, unless one of them is in use.
fn lease(devices: &[Arc<Device>]) -> Result<Vec<ExaminedDevice>, Problem> {
    let busy = |device: &Arc<Device>| bad_player(&OfferError::Busy(device.name().to_owned()));
    // A lease that is given back begins a reset.
    if let Some(device) = devices.iter().find(|device| !device.is_free()) {
        return Err(busy(device));
    }
    let leases = devices.iter();
    let leases = leases.map(|device| device.examine().ok_or_else(|| busy(device)));
    leases.collect()
}

/// Event that does not exist.
pub fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no event has the id '{}'", shown(id)))
        .help("GET /api/v1/events lists the events")
}

/// Failure of a journal, without its path.
fn disk(error: &JournalError) -> Problem {
    Problem::internal(match error {
        JournalError::Full(_) => "the disk or the quota is full",
        _ => "the journal of the event cannot be read or written",
    })
    .help("the operator must check the directory of the games")
}
