//! Times of an SDRAM in cycles of the player's clock.

use thiserror::Error;

/// Cycles between a command and the earliest cycle of another one, at one clock frequency.
///
/// The times in nanoseconds cover the chips on ULX3S boards in their grades for 133 and 143 MHz:
/// MT48LC16M16A2 (-75 and -7E), IS42S16160 (-7 of all revisions) and AS4C32M16 (-7). Each is the
/// longest of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdramTiming {
    /// Wait after power-up, with a stable clock: 200 µs.
    pub power_up: u16,
    /// From the opening of a row to a read or write in it (tRCD): 21 ns.
    pub open_to_word: u16,
    /// From the opening of a row to its precharge (tRAS): 45 ns.
    pub open_to_close: u16,
    /// From the opening of a row to the next one in its bank (tRC): 67.5 ns.
    pub open_to_open: u16,
    /// From a precharge to the next command of its bank (tRP): 21 ns.
    pub close: u16,
    /// From the last written word to the precharge (tWR, tDPL): 15 ns, and two cycles.
    pub write_to_close: u16,
    /// Duration of a refresh (tRFC): 70 ns.
    pub refresh: u16,
    /// From the setting of the mode register to the next command (tMRD): 15 ns, and two cycles.
    pub mode: u16,
    /// Longest time from one refresh to the next: 64 ms / 8192 rows, 7.8125 µs.
    pub refresh_interval: u16,
}

/// Reason why a controller cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TimingError {
    /// A read would need a CAS latency of three cycles, or a count does not fit.
    #[error("a clock of {0} Hz is out of range: expected 1000000 to 100000000")]
    Clock(u32),
    /// A row would be closed too early, or a line lies in two halves of a row.
    #[error("{0} words a line are out of range: expected {1} to 256")]
    Words(usize, usize),
    /// A line takes too long.
    #[error("a line takes {line} of the {interval} cycles between two refreshes: expected fewer")]
    Refresh {
        /// Cycles of a line.
        line: u16,
        /// Cycles from a refresh to the next.
        interval: u16,
    },
}

/// Highest clock frequency in hertz for a CAS latency of two cycles: 10 ns, by the slowest chip.
pub const MAX_CLOCK_HZ: u32 = 100_000_000;

/// Lowest clock frequency in hertz. Lines of more than a few words need a higher one.
pub const MIN_CLOCK_HZ: u32 = 1_000_000;

impl SdramTiming {
    /// Returns the cycles at a clock of `clock_hz`.
    ///
    /// # Errors
    /// [`TimingError::Clock`] if the frequency is out of range.
    pub fn at(clock_hz: u32) -> Result<Self, TimingError> {
        if !(MIN_CLOCK_HZ..=MAX_CLOCK_HZ).contains(&clock_hz) {
            return Err(TimingError::Clock(clock_hz));
        }
        // Times in picoseconds. The results fit, since no time exceeds 200 µs: 20,000 cycles.
        let cycles = |ps: u64| (ps * u64::from(clock_hz)).div_ceil(1_000_000_000_000) as u16;
        Ok(Self {
            power_up: cycles(200_000_000),
            open_to_word: cycles(21_000),
            open_to_close: cycles(45_000),
            open_to_open: cycles(67_500),
            close: cycles(21_000),
            write_to_close: cycles(15_000).max(2),
            refresh: cycles(70_000),
            mode: cycles(15_000).max(2),
            refresh_interval: (u64::from(clock_hz) * 64 / 1000 / 8192) as u16,
        })
    }

    /// Returns the greatest number of cycles from the cycle in which a line of `words` words is
    /// requested to the cycle in which the next line can be requested, without a refresh.
    pub fn line(&self, words: usize) -> u16 {
        self.open_to_word + words as u16 - 1 + self.write_to_close + self.close
    }

    /// Returns the greatest number of cycles from a refresh to a request of a line of `words` words
    /// that ends early enough for the next refresh. From the next cycle on, refreshes have priority.
    ///
    /// # Errors
    /// [`TimingError::Words`] or [`TimingError::Refresh`] if lines of `words` words cannot be
    /// transferred.
    pub fn refresh_after(&self, words: usize) -> Result<u16, TimingError> {
        // A read may close its row one cycle after its last word.
        let open = self.open_to_close.max(self.open_to_open - self.close);
        let least = open.saturating_sub(self.open_to_word).max(2);
        if !(usize::from(least)..=256).contains(&words) {
            return Err(TimingError::Words(words, least.into()));
        }
        let (line, interval) = (self.line(words), self.refresh_interval);
        // After a refresh, at least one line can be requested.
        if line + self.refresh >= interval {
            return Err(TimingError::Refresh { line, interval });
        }
        Ok(interval - line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_at_50_mhz() {
        let timing = SdramTiming::at(50_000_000).expect("in range");
        let expected = SdramTiming {
            power_up: 10_000,
            open_to_word: 2,
            open_to_close: 3,
            open_to_open: 4,
            close: 2,
            write_to_close: 2,
            refresh: 4,
            mode: 2,
            refresh_interval: 390,
        };
        assert_eq!(timing, expected);
        assert_eq!(timing.line(226), 231);
        assert_eq!(timing.refresh_after(226), Ok(159));
    }

    /// No time is shorter than on any of the chips, and none a cycle longer than necessary.
    #[test]
    fn cycles_are_rounded_up_and_the_interval_down() {
        for clock_hz in (MIN_CLOCK_HZ..=MAX_CLOCK_HZ).step_by(999_983) {
            let timing = SdramTiming::at(clock_hz).expect("in range");
            let period = 1e9 / f64::from(clock_hz);
            for (cycles, ns, least) in [
                (timing.power_up, 200_000.0, 1),
                (timing.open_to_word, 21.0, 1),
                (timing.open_to_close, 45.0, 1),
                (timing.open_to_open, 67.5, 1),
                (timing.close, 21.0, 1),
                (timing.write_to_close, 15.0, 2),
                (timing.refresh, 70.0, 1),
                (timing.mode, 15.0, 2),
            ] {
                let whole = f64::from(cycles) * period;
                assert!(whole > ns - 1e-6, "{clock_hz}: {cycles} for {ns}");
                assert!(cycles == least || whole - period < ns, "{clock_hz}: {ns}");
            }
            let interval = f64::from(timing.refresh_interval) * period;
            assert!(interval <= 7812.5 && interval + period > 7812.5);
        }
    }

    #[test]
    fn other_clocks_and_lines_are_refused() {
        for clock_hz in [0, 999_999, 100_000_001, u32::MAX] {
            assert_eq!(SdramTiming::at(clock_hz), Err(TimingError::Clock(clock_hz)));
        }
        let timing = SdramTiming::at(100_000_000).expect("in range");
        // A row is open for five cycles, three of which pass before its first word; 7 - 3 = 4.
        assert_eq!(timing.refresh_after(1), Err(TimingError::Words(1, 2)));
        assert_eq!(timing.refresh_after(257), Err(TimingError::Words(257, 2)));
        assert!(timing.refresh_after(2).is_ok() && timing.refresh_after(256).is_ok());
        // The lowest clock for the lines of the tree.
        let low = SdramTiming::at(29_900_000).expect("in range");
        let error = Err(TimingError::Refresh {
            line: 229,
            interval: 233,
        });
        assert!(low.refresh_after(226).is_ok());
        let lower = SdramTiming::at(29_000_000).expect("in range");
        assert!(lower.refresh_after(226) != error && lower.refresh_after(226).is_err());
    }
}
