//! Hard reset of a device after the end of a game.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::WireLog;

use crate::connection::Connection;
use crate::{Observer, Seat, Seats};

/// Interval at which a wait checks for a stop.
const LOOK: Duration = Duration::from_millis(50);

/// Time that a device needs for its hard reset after `9`, and the wait for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reset {
    /// Duration of the reset; zero for a device that needs none.
    pub time: Duration,
    /// End of the reset in progress, if there is one.
    pub until: Option<Instant>,
    /// Time waited since the last game.
    pub waited: Duration,
}

impl Reset {
    /// Begins a reset: the device has just received `9`.
    pub fn begin(&mut self) {
        if !self.time.is_zero() {
            self.until = Some(Instant::now() + self.time);
        }
    }

    /// Time until the device can be prompted.
    pub fn left(&self) -> Duration {
        let until = self
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        until.unwrap_or_default()
    }

    /// Waits until the device can be prompted. Returns false if `stops` returned true before.
    pub fn wait(&mut self, mut stops: impl FnMut() -> bool) -> bool {
        while !self.left().is_zero() {
            if stops() {
                return false;
            }
            let begin = Instant::now();
            thread::sleep(self.left().min(LOOK));
            self.waited += begin.elapsed();
        }
        self.until = None;
        true
    }
}

/// Waits until both devices have finished their resets. Returns false if the observer wants to stop
/// before and `may_stop` is true.
pub(crate) fn await_resets(
    lines: &mut Seats<Connection>,
    observer: &mut dyn Observer,
    may_stop: bool,
) -> bool {
    Seat::BOTH.into_iter().all(|seat| {
        let reset = lines[seat].reset();
        let left = reset.left();
        if !left.is_zero() {
            observer.resets(seat, left);
        }
        reset.wait(|| may_stop && observer.wants_stop())
    })
}

/// Takes the times waited since the last game, and notes them in the wire log.
pub(crate) fn take_waited(lines: &mut Seats<Connection>, log: &WireLog) -> Seats<Duration> {
    Seats::each(|seat| {
        let waited = std::mem::take(&mut lines[seat].reset().waited);
        if !waited.is_zero() {
            let text = format!("waited {:.3} s for the reset", waited.as_secs_f64());
            log.note(&seat.number().to_string(), text);
        }
        waited
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_lasts_from_the_end_code_and_can_be_stopped() {
        let mut reset = Reset::default();
        reset.begin();
        assert!(reset.left().is_zero() && reset.wait(|| true) && reset.waited.is_zero());
        reset.time = Duration::from_millis(120);
        reset.begin();
        let begin = Instant::now();
        assert!(!reset.wait(|| true));
        assert!(!reset.left().is_zero());
        thread::sleep(Duration::from_millis(60));
        assert!(reset.wait(|| false));
        assert!(
            begin.elapsed() >= Duration::from_millis(115),
            "{:?}",
            begin.elapsed()
        );
        // The time before the second wait does not count.
        assert!(reset.waited < begin.elapsed() - Duration::from_millis(55));
        assert!(reset.left().is_zero() && reset.until.is_none());
    }
}
