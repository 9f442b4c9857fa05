//! Progress and cancellation of a search.

use std::time::Duration;

use crate::RankedMove;

/// Search in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchProgress {
    /// Root moves, best first, then by visit count.
    pub lines: Vec<RankedMove>,
    /// Number of simulations of this search so far.
    pub simulations: u64,
    /// Time used so far.
    pub time: Duration,
}

/// Caller's view of a search in progress.
///
/// The search calls the observer while it holds the tree, so the methods must return soon. The
/// observer does not change the simulations that are made.
pub trait SearchObserver: Sync {
    /// True if the search is to end; polled every 16 simulations.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Minimum time between two reports.
    fn interval(&self) -> Duration {
        Duration::from_millis(200)
    }

    /// Receives a report.
    fn report(&self, progress: SearchProgress) {
        let _ = progress;
    }
}
