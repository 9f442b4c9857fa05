//! Time bank of a bot.

use std::time::Duration;

/// Number of time-outs that end a game.
const MAX_TIMEOUTS: u32 = 2;

/// Time bank: full at the beginning of a game, filled by an increment at each request, and never
/// more than its initial content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBank {
    capacity: Duration,
    increment: Duration,
    left: Duration,
    timeouts: u32,
}

impl TimeBank {
    /// Creates a full bank.
    ///
    /// ```
    /// use std::time::Duration;
    /// use duoforge_bots::TimeBank;
    ///
    /// let ms = Duration::from_millis;
    /// let mut bank = TimeBank::full(ms(10_000), ms(500));
    /// assert_eq!(bank.request(), ms(10_000));
    /// bank.pay(ms(2_000));
    /// assert_eq!(bank.request(), ms(8_500));
    /// ```
    #[must_use]
    pub const fn full(capacity: Duration, increment: Duration) -> Self {
        Self {
            capacity,
            increment,
            left: capacity,
            timeouts: 0,
        }
    }

    /// Content of the full bank.
    #[must_use]
    pub const fn capacity(&self) -> Duration {
        self.capacity
    }

    /// Further waiting time for a late answer: the capacity before the first time-out, then none.
    #[must_use]
    pub const fn grace(&self) -> Duration {
        if self.timeouts == 0 {
            self.capacity
        } else {
            Duration::ZERO
        }
    }

    /// Adds the increment, up to the capacity, and returns the time for the answer.
    pub fn request(&mut self) -> Duration {
        self.left = self.capacity.min(self.left + self.increment);
        self.left
    }

    /// Subtracts the time of an answer.
    pub const fn pay(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    /// Empties the bank after a time-out. Returns true for the second time-out, which ends the
    /// game.
    pub const fn time_out(&mut self) -> bool {
        self.left = Duration::ZERO;
        self.timeouts += 1;
        self.timeouts >= MAX_TIMEOUTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn the_bank_never_holds_more_than_full() {
        let mut bank = TimeBank::full(MS(1_000), MS(300));
        assert_eq!(bank.request(), MS(1_000));
        bank.pay(MS(100));
        // 900 ms and the increment of 300 ms exceed the capacity.
        assert_eq!(bank.request(), MS(1_000));
        bank.pay(MS(600));
        assert_eq!(bank.request(), MS(700));
        bank.pay(MS(700));
        assert_eq!(bank.request(), MS(300));
    }

    #[test]
    fn an_increment_as_large_as_the_bank_is_a_fixed_limit() {
        let mut bank = TimeBank::full(MS(1_000), MS(1_000));
        for time in [0, 1, 500, 999, 1_000] {
            assert_eq!(bank.request(), MS(1_000));
            bank.pay(MS(time));
        }
    }

    #[test]
    fn the_first_time_out_empties_the_bank_and_the_second_ends_the_game() {
        let mut bank = TimeBank::full(MS(1_000), MS(50));
        assert_eq!(bank.grace(), MS(1_000));
        assert!(!bank.time_out());
        assert_eq!((bank.request(), bank.grace()), (MS(50), MS(0)));
        bank.pay(MS(20));
        assert_eq!(bank.request(), MS(80));
        assert!(bank.time_out());
    }
}
