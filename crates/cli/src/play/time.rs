//! Time control of a match.

use std::time::Duration;

use duoforge_referee::{TimeControl, duration};

/// Time control of the players of a match.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct TimeArgs {
    /// Time limit of a reply [default: the longest limit of the players; 1s without a profile]
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub limit: Option<Duration>,
    /// Time bank of each player in place of a limit, full at the beginning of a game; the first
    /// time that it runs out forfeits the move, the second time loses
    #[arg(long, value_name = "TIME", value_parser = content, conflicts_with = "limit")]
    pub bank: Option<Duration>,
    /// Time that the bank gains after each move of the player; it never exceeds its initial content
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "bank")]
    #[arg(default_value = "0s", conflicts_with = "limit")]
    pub increment: Duration,
}

/// Parses a time limit.
pub fn limit(text: &str) -> Result<Duration, String> {
    positive("limit", text)
}

/// Parses the content of a full bank.
fn content(text: &str) -> Result<Duration, String> {
    positive("bank", text)
}

fn positive(name: &str, text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err(format!(
            "invalid time {name} '{text}': expected more than 0s"
        )),
        time => Ok(time),
    }
}

impl TimeArgs {
    /// Returns the time bank, if there is one.
    pub fn bank(&self) -> Option<TimeControl> {
        self.bank.map(|start| TimeControl::TimeBank {
            start,
            increment: self.increment,
        })
    }
}
