//! Time of a seat during a game.

use std::time::Duration;

use super::TimeLeft;
use crate::TimeControl;

/// Time control of a seat and the time that is left to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatClock {
    control: TimeControl,
    left: Duration,
    /// True if the bank has run out before.
    warned: bool,
}

/// Punctuality of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Punctuality {
    /// The reply was in time.
    InTime,
    /// The bank ran out for the first time: the seat forfeits the move.
    Forfeit,
    /// The reply was late, and the seat loses.
    Lost,
}

impl SeatClock {
    /// Creates the clock of a seat at the beginning of a game.
    pub(super) const fn full(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::Fixed(limit) => limit,
            TimeControl::TimeBank { start, .. } => start,
        };
        Self {
            control,
            left,
            warned: false,
        }
    }

    /// Returns the time for the next reply.
    pub(super) const fn time_left(&self) -> TimeLeft {
        let grace = match self.control {
            TimeControl::TimeBank { start, .. } if !self.warned => start,
            _ => Duration::ZERO,
        };
        TimeLeft {
            left: Some(self.left),
            grace,
            is_bank: matches!(self.control, TimeControl::TimeBank { .. }),
        }
    }

    /// Subtracts the time of a reply and adds the increment. A bank never holds more than at the
    /// beginning of the game.
    pub(super) fn pay(&mut self, time: Duration) -> Punctuality {
        let is_late = time > self.left;
        let TimeControl::TimeBank { start, increment } = self.control else {
            return if is_late {
                Punctuality::Lost
            } else {
                Punctuality::InTime
            };
        };
        self.left = self.left.saturating_sub(time).saturating_add(increment);
        self.left = self.left.min(start);
        if !is_late {
            return Punctuality::InTime;
        }
        if std::mem::replace(&mut self.warned, true) {
            Punctuality::Lost
        } else {
            Punctuality::Forfeit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_fixed_limit_holds_for_each_reply() {
        let mut clock = SeatClock::full(TimeControl::Fixed(ms(100)));
        for (time, expected) in [
            (100, Punctuality::InTime),
            (1, Punctuality::InTime),
            (101, Punctuality::Lost),
        ] {
            assert_eq!(clock.time_left().longest_wait(), Some(ms(100)));
            assert_eq!(clock.pay(ms(time)), expected, "{time}");
        }
    }

    #[test]
    fn a_bank_never_exceeds_full_and_forgives_once() {
        let bank = TimeControl::TimeBank {
            start: ms(1000),
            increment: ms(50),
        };
        let mut clock = SeatClock::full(bank);
        let left = |clock: &SeatClock| clock.time_left().left;
        assert_eq!(clock.time_left().longest_wait(), Some(ms(2000)));
        assert_eq!(clock.pay(ms(20)), Punctuality::InTime);
        assert_eq!(left(&clock), Some(ms(1000)), "the bank was full");
        assert_eq!(clock.pay(ms(400)), Punctuality::InTime);
        assert_eq!(left(&clock), Some(ms(650)));
        assert_eq!(clock.pay(ms(651)), Punctuality::Forfeit);
        assert_eq!(clock.time_left().longest_wait(), Some(ms(50)));
        assert_eq!(clock.pay(ms(50)), Punctuality::InTime);
        assert_eq!(clock.pay(ms(51)), Punctuality::Lost);
    }
}
