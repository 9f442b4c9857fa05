//! Parts of a tournament in progress that every game needs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use duoforge_journal::Journal;
use duoforge_referee::Player;

use crate::control::Control;
use crate::plan::Plan;

/// Plan, journal, observer and open devices of a tournament in progress.
pub(crate) struct TournamentRun<'a> {
    pub plan: &'a Plan,
    pub journal: &'a Journal,
    pub control: &'a dyn Control,
    /// Single devices, kept open from game to game.
    pub singles: Vec<Mutex<Option<Player>>>,
    /// True once a game has stopped the tournament with an error.
    failed: AtomicBool,
}

impl<'a> TournamentRun<'a> {
    /// Creates the floor of a tournament without an open device.
    pub(crate) fn new(plan: &'a Plan, journal: &'a Journal, control: &'a dyn Control) -> Self {
        Self {
            plan,
            journal,
            control,
            singles: plan.players.iter().map(|_| Mutex::default()).collect(),
            failed: AtomicBool::new(false),
        }
    }

    /// Stops the tournament after an error.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
    }

    /// True to start no further games.
    pub(crate) fn stops(&self) -> bool {
        self.failed.load(Ordering::SeqCst) || self.control.stops()
    }
}
