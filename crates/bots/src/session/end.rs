//! End of a bot's process.

use std::fmt;
use std::process::ExitStatus;

/// End of a bot's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotEnd {
    /// Exit status or signal; `None` if the operating system did not report it.
    pub status: Option<ExitStatus>,
    /// True if the bot did not exit by itself and was killed.
    pub killed: bool,
}

/// Writes the end of the process: `ended with exit status 1`, `ended with signal 9 (SIGKILL)`.
impl fmt::Display for BotEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            // The standard library writes `exit status: 1`.
            Some(status) => {
                let status = status.to_string().replacen(": ", " ", 1);
                write!(f, "ended with {status}")
            }
            None if self.killed => f.write_str("did not exit by itself and was killed"),
            None => f.write_str("ended with an unknown exit status"),
        }
    }
}
