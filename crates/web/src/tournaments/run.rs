//! Run of a tournament: its state, and the request to stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use duoforge_journal::Header;
use duoforge_tournament::{Control, Notice, TournamentError, VariantControl};

use crate::dto::{EventSummary, RunStatus, RunView};

/// Number of messages that are kept, the newest ones.
const KEPT: usize = 20;

/// Fault of a tournament whose journal has gone.
pub const LOST: &str = "the journal was deleted or replaced while the tournament was in progress";

/// Tournament in progress, or one that this service has played.
#[derive(Debug)]
pub struct Run {
    /// Name of the event.
    pub name: String,
    /// Creation time of the journal in milliseconds since 1970.
    pub made_ms: u64,
    stops: AtomicBool,
    lost: AtomicBool,
    view: Mutex<RunView>,
}

impl Run {
    /// Creates the state of a tournament that begins.
    pub fn new(header: &Header) -> Self {
        Self {
            name: header.event.clone(),
            made_ms: header.made_ms,
            stops: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            view: Mutex::new(RunView::new(RunStatus::Running)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, RunView> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Describes the run of an event. Another program may have played the last games since its end.
    pub fn view_of(&self, event: &EventSummary) -> RunView {
        let mut view = self.lock().clone();
        if event.finished && !is_open(view.status) {
            (view.status, view.reason) = (RunStatus::Finished, None);
        }
        view
    }

    /// True until the run ends.
    pub fn is_open(&self) -> bool {
        is_open(self.lock().status)
    }

    /// Requests the end, since the journal has gone: the run fails.
    pub fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
        if self.stop() {
            self.lock().reason = Some(LOST.to_owned());
        }
    }

    /// True if the journal has gone during the run.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Requests the end: games in progress are finished, and no other one begins. Returns false if
    /// the run has ended.
    pub fn stop(&self) -> bool {
        let mut view = self.lock();
        if !is_open(view.status) {
            return false;
        }
        self.stops.store(true, Ordering::Relaxed);
        view.status = RunStatus::Stopping;
        true
    }

    /// True once the end is requested.
    pub fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    /// Notes the end.
    pub fn end(&self, result: Result<bool, TournamentError>) {
        let mut view = self.lock();
        (view.status, view.reason) = match result {
            _ if self.is_lost() => (RunStatus::Failed, Some(LOST.to_owned())),
            Ok(true) => (RunStatus::Finished, None),
            Ok(false) => (RunStatus::Stopped, None),
            Err(error) => (RunStatus::Failed, Some(reason(&error))),
        };
    }

    /// Notes that the run has failed for a reason that no error states, unless it has ended.
    pub fn fail(&self, reason: &str) {
        if self.is_open() {
            let mut view = self.lock();
            view.status = RunStatus::Failed;
            view.reason = Some(reason.to_owned());
        }
    }

    fn say(&self, message: String) {
        let mut view = self.lock();
        if view.messages.len() == KEPT {
            view.messages.remove(0);
        }
        view.messages.push(message);
    }
}

const fn is_open(status: RunStatus) -> bool {
    matches!(status, RunStatus::Running | RunStatus::Stopping)
}

/// Reason of a failure. The path of a journal is not for clients.
fn reason(error: &TournamentError) -> String {
    match error {
        TournamentError::Journal(_) => "the journal of the event cannot be written".to_owned(),
        error => error.to_string(),
    }
}

impl Control for Run {
    fn stops(&self) -> bool {
        self.is_stopping()
    }

    fn notice(&self, notice: &Notice) {
        self.say(notice.to_string());
    }
}

impl VariantControl for Run {
    fn stops(&self) -> bool {
        self.is_stopping()
    }

    fn excluded(&self, notice: &Notice) {
        self.say(notice.to_string());
    }

    fn restarted(&self, game: u32) {
        self.say(format!("game {game} restarts: the process stopped"));
    }
}
