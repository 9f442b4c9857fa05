//! Progress of a campaign on standard error: a bar on a terminal, else a line now and then.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::play::watch::progress;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(30);

/// Progress of a campaign.
pub struct Progress {
    total: u64,
    done: u64,
    started: Instant,
    shown: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Creates the progress of a number of games.
    pub fn new(total: u64) -> Self {
        let bar = io::stderr().is_terminal() && total > 1;
        let now = Instant::now();
        Self {
            total,
            done: 0,
            started: now,
            shown: now,
            bar: bar.then(|| progress(total)),
        }
    }

    /// Prints a text.
    pub fn print(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note!("{text}")),
            None => note!("{text}"),
        }
    }

    /// Counts a finished game.
    pub fn advance(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if self.shown.elapsed() >= INTERVAL {
            self.shown = Instant::now();
            note!("{}", line(self.done, self.total, self.started.elapsed()));
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Formats the progress, with the time that the remaining games need at the present rate.
fn line(done: u64, total: u64, elapsed: Duration) -> String {
    let remaining = elapsed.mul_f64((total - done) as f64 / done.max(1) as f64);
    let [elapsed, remaining] = [elapsed, remaining].map(clock);
    format!("game {done} of {total}, {elapsed} elapsed, {remaining} remaining")
}

/// Formats a duration as hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_rate() {
        let text = line(20, 80, Duration::from_secs(1300));
        assert_eq!(text, "game 20 of 80, 21:40 elapsed, 1:05:00 remaining");
        let text = line(80, 80, Duration::from_secs(7));
        assert_eq!(text, "game 80 of 80, 0:07 elapsed, 0:00 remaining");
    }
}
