//! Time left of engines of the Go Text Protocol.

use std::time::Duration;

use duoforge_gtp::{Client, ClientError};
use duoforge_referee::variant::TimeLeft;

/// Time limit of the reply to the command.
const ANSWER: Duration = Duration::from_secs(30);

/// Time after the limit of a move in which a late reply is still read, so that the referee can judge
/// it by the host stalls.
pub(crate) const LATE: Duration = Duration::from_secs(2);

/// Sender of the command `time_left`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeSender {
    /// True if the engine knows the command.
    is_known: bool,
    /// True if the engine accepts times with a fraction of a second.
    takes_fractions: bool,
}

impl TimeSender {
    /// Creates the sender for an engine with this list of commands.
    pub(crate) fn new(commands: &str) -> Self {
        Self {
            is_known: commands.lines().any(|line| line.trim() == "time_left"),
            takes_fractions: true,
        }
    }

    /// Sends the time left of a colour. A limit for a single move is sent as the time of one stone.
    pub(crate) fn send(
        &mut self,
        client: &mut Client,
        colour: &str,
        time: TimeLeft,
    ) -> Result<(), ClientError> {
        let Some(left) = time.left.filter(|_| self.is_known) else {
            return Ok(());
        };
        let stones = u8::from(!time.is_bank);
        if self.takes_fractions && left.subsec_millis() > 0 {
            let seconds = format!("{}.{:03}", left.as_secs(), left.subsec_millis());
            let command = format!("time_left {colour} {seconds} {stones}");
            match client.send(&command, ANSWER) {
                Err(ClientError::Refused { .. }) => self.takes_fractions = false,
                answer => return answer.map(drop),
            }
        }
        let command = format!("time_left {colour} {} {stones}", left.as_secs());
        match client.send(&command, ANSWER) {
            // The time is advice: an engine may refuse it.
            Ok(_) | Err(ClientError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
