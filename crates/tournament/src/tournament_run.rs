//! Parts of a tournament in progress that every game needs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

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
    /// End of the reset of each player's device while its link is closed.
    pub resets: Vec<Mutex<Option<Instant>>>,
    /// True once a game has stopped the tournament with an error.
    failed: AtomicBool,
}

impl<'a> TournamentRun<'a> {
    /// Creates the floor of a tournament without an open device.
    ///
    /// If the event is `resumed`, another process may have ended games shortly before, and devices
    /// may be in their resets.
    pub(crate) fn new(
        plan: &'a Plan,
        journal: &'a Journal,
        control: &'a dyn Control,
        resumed: bool,
    ) -> Self {
        let now = Instant::now();
        let resets = plan.players.iter().map(|entry| {
            let resets = resumed && !entry.reset.is_zero();
            Mutex::new(resets.then(|| now + entry.reset))
        });
        Self {
            plan,
            journal,
            control,
            singles: plan.players.iter().map(|_| Mutex::default()).collect(),
            resets: resets.collect(),
            failed: AtomicBool::new(false),
        }
    }

    /// Keeps a device open for the first game of its player.
    pub(crate) fn keep(&self, index: usize, device: Player) {
        let mut kept = self.singles[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *kept = Some(device);
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
