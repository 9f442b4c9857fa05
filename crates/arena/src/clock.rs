//! Time control of a player.

use std::time::Duration;

/// Time control of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Fixed limit for each reply.
    Fixed(Duration),
    /// Time bank, refilled when a game begins.
    ///
    /// A player whose bank runs out forfeits that move: the referee enters a pass for it. The
    /// referee waits up to a full bank for the late reply and drops it. Otherwise that reply would
    /// be taken for the next one. A player that never replies, or that may not pass yet, loses on
    /// time. Running out a second time loses the game. The protocol has no code for a forfeited
    /// move, so the player must track its own time.
    Bank {
        /// Content of the bank at the beginning of a game.
        start: Duration,
        /// Time added after each of the player's moves.
        increment: Duration,
    },
}

/// Time bank during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bank {
    start: Duration,
    increment: Duration,
    left: Duration,
    /// True if the bank has run out before.
    warned: bool,
}

impl Bank {
    /// Returns a full bank if the time control is a bank.
    pub(crate) const fn full(clock: Clock) -> Option<Self> {
        match clock {
            Clock::Fixed(_) => None,
            Clock::Bank { start, increment } => Some(Self {
                start,
                increment,
                left: start,
                warned: false,
            }),
        }
    }

    /// Time for the next reply.
    pub(crate) const fn left(&self) -> Duration {
        self.left
    }

    /// Further waiting time for a late reply after [`left`](Self::left).
    pub(crate) const fn grace(&self) -> Duration {
        if self.warned {
            Duration::ZERO
        } else {
            self.start
        }
    }

    /// Subtracts the time of a reply and adds the increment.
    pub(crate) fn pay(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.increment;
    }

    /// Records that the bank ran out. Returns true the first time, false afterwards.
    pub(crate) const fn forgive(&mut self) -> bool {
        self.left = self.increment;
        !std::mem::replace(&mut self.warned, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_pays_is_filled_and_forgives_once() {
        let ms = Duration::from_millis;
        let clock = Clock::Bank {
            start: ms(1000),
            increment: ms(50),
        };
        let mut bank = Bank::full(clock).unwrap();
        bank.pay(ms(400));
        assert_eq!((bank.left(), bank.grace()), (ms(650), ms(1000)));
        assert!(bank.forgive());
        assert_eq!((bank.left(), bank.grace()), (ms(50), ms(0)));
        bank.pay(ms(20));
        assert_eq!(bank.left(), ms(80));
        assert!(!bank.forgive());
        assert_eq!(Bank::full(Clock::Fixed(ms(1000))), None);
    }
}
