//! Time control of a player.

use std::time::Duration;

/// Maximum of [`duration`]: longer than any reply; beyond it, sums of times could overflow.
const MAX_DURATION: Duration = Duration::from_secs(24 * 3600);

/// Parses a duration of up to 24 hours, such as `1s`, `250ms`, `1.5s` or `1m 30s`. A number without
/// a unit is in seconds.
///
/// # Errors
/// Message with the text and the permitted forms.
pub fn duration(text: &str) -> Result<Duration, String> {
    let trimmed = text.trim();
    let has_unit = trimmed.contains(|c: char| !c.is_ascii_digit() && c != '.');
    let unit = if has_unit { "" } else { "s" };
    match humantime::parse_duration(&format!("{trimmed}{unit}")) {
        Ok(duration) if duration <= MAX_DURATION => Ok(duration),
        _ => Err(format!(
            "invalid duration '{text}': expected 0s to 24h, for example 250ms, 1.5s or 1m 30s; \
             a number without a unit is in seconds"
        )),
    }
}

/// Time control of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Fixed limit for each reply.
    Fixed(Duration),
    /// Time bank, full when a game begins. It never holds more than that.
    ///
    /// A player whose bank runs out forfeits that move: the referee enters a pass for it. The
    /// referee waits up to a full bank for the late reply and drops it. Otherwise that reply would
    /// be taken for the next one. A player that never replies, or that may not pass yet, loses on
    /// time. Running out a second time loses the game. The protocol has no code for a forfeited
    /// move, so the player must track its own time.
    TimeBank {
        /// Content of the bank at the beginning of a game.
        start: Duration,
        /// Time added after each of the player's moves.
        increment: Duration,
    },
}

/// Time bank during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBank {
    start: Duration,
    increment: Duration,
    left: Duration,
    /// True if the bank has run out before.
    warned: bool,
}

impl TimeBank {
    /// Returns a full bank if the time control is a bank.
    pub(crate) const fn full(clock: TimeControl) -> Option<Self> {
        match clock {
            TimeControl::Fixed(_) => None,
            TimeControl::TimeBank { start, increment } => Some(Self {
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

    /// Subtracts the time of a reply and adds the increment. The bank never exceeds its initial content.
    pub(crate) fn pay(&mut self, time: Duration) {
        let left = self.left.saturating_sub(time) + self.increment;
        self.left = left.min(self.start);
    }

    /// Records that the bank ran out. Returns true the first time, false afterwards.
    pub(crate) fn forgive(&mut self) -> bool {
        self.left = self.increment.min(self.start);
        !std::mem::replace(&mut self.warned, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_or_are_seconds() {
        let ms = Duration::from_millis;
        for (text, expected) in [
            ("1s", 1_000),
            ("1.5s", 1_500),
            ("250ms", 250),
            (" 2 s", 2_000),
            ("5", 5_000),
            ("0.25", 250),
            ("0", 0),
            ("1m", 60_000),
            ("1m 30s", 90_000),
            ("1min30s", 90_000),
            ("24h", 86_400_000),
            ("86400s", 86_400_000),
        ] {
            assert_eq!(duration(text), Ok(ms(expected)), "{text}");
        }
        assert_eq!(duration("0.5ms"), Ok(Duration::from_micros(500)));
        for text in [
            "", "s", "-1s", "-1", "1.", "1x", "1e300s", "infs", "NaNs", "soon", "1 2", "86400.1s",
            "25h",
        ] {
            let error = duration(text).unwrap_err();
            let named = format!("invalid duration '{text}': expected 0s to 24h");
            assert!(error.starts_with(&named), "{error}");
        }
    }

    #[test]
    fn a_bank_pays_is_filled_and_forgives_once() {
        let ms = Duration::from_millis;
        let clock = TimeControl::TimeBank {
            start: ms(1000),
            increment: ms(50),
        };
        let mut bank = TimeBank::full(clock).unwrap();
        bank.pay(ms(20));
        assert_eq!(bank.left(), ms(1000), "the bank was full");
        bank.pay(ms(400));
        assert_eq!((bank.left(), bank.grace()), (ms(650), ms(1000)));
        assert!(bank.forgive());
        assert_eq!((bank.left(), bank.grace()), (ms(50), ms(0)));
        bank.pay(ms(20));
        assert_eq!(bank.left(), ms(80));
        assert!(!bank.forgive());
        assert_eq!(TimeBank::full(TimeControl::Fixed(ms(1000))), None);
    }
}
