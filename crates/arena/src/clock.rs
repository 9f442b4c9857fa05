//! How much time a player has.

use std::time::Duration;

/// How much time a player has for its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The same for each answer.
    Fixed(Duration),
    /// A time bank, filled up when a game begins.
    ///
    /// A player that runs out of it forfeits that move: a pass is entered for it. Its answer is waited
    /// for as long again as a full bank and dropped, so that it is not taken for the next one; a
    /// player that never answers, or that may not pass yet, has exceeded its time. The second time
    /// ends the game. The protocol has no code to tell a player of a forfeited move: it has to keep
    /// its own clock.
    Bank {
        /// What is in it at the beginning of a game.
        start: Duration,
        /// What comes in after each of the player's moves.
        increment: Duration,
    },
}

/// A time bank during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bank {
    start: Duration,
    increment: Duration,
    left: Duration,
    /// Whether it has run out before.
    warned: bool,
}

impl Bank {
    /// A full one, where the clock is a bank.
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

    /// Time for the next answer.
    pub(crate) const fn left(&self) -> Duration {
        self.left
    }

    /// How long an answer is waited for after that.
    pub(crate) const fn grace(&self) -> Duration {
        if self.warned {
            Duration::ZERO
        } else {
            self.start
        }
    }

    /// Takes the time of an answer out of it, and the increment in.
    pub(crate) fn pay(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.increment;
    }

    /// It ran out. The first time is forgiven; false from the second one on.
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
