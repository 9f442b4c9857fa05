//! Waits for a device that disappeared between games.

use std::time::Duration;

use duoforge_links::ReconnectObserver;
use duoforge_referee::Seat;

use crate::interrupt;

/// Observer that announces the waits for a player's device, which Ctrl-C ends.
#[derive(Debug)]
pub struct Absence {
    seat: Seat,
}

impl Absence {
    /// Creates the observer of the device in a seat.
    pub fn of(seat: Seat) -> Box<Self> {
        Box::new(Self { seat })
    }
}

impl ReconnectObserver for Absence {
    fn waits(&mut self, device: &str, limit: Duration) {
        note!(
            "waiting at most {:.1} s for {} at {device}",
            limit.as_secs_f64(),
            self.seat
        );
    }

    fn returned(&mut self, device: &str) {
        note!("{} has returned at {device}", self.seat);
    }

    fn wants_stop(&self) -> bool {
        interrupt::is_requested()
    }
}
