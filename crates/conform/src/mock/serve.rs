//! Server of a mock on a link.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError};

use super::{Mock, MockAction};

/// Length of a single wait for the host.
const POLL: Duration = Duration::from_secs(3600);

/// Delay before the link is closed: a terminal loses unread bytes when it is closed.
const LINGER: Duration = Duration::from_millis(50);

/// Reason why the server of a mock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The host has disconnected.
    HostGone,
    /// The mock ends its program.
    Crash,
    /// The mock closes the link.
    HangUp,
}

/// Runs a mock until the mock or the host disconnects.
///
/// # Errors
/// The errors of the link, except that the host has disconnected.
pub fn serve(link: &mut dyn Link, mock: &mut Mock) -> Result<End, LinkError> {
    let mut last = Instant::now();
    let mut buf = [0; 256];
    loop {
        let (bytes, at) = match link.recv(&mut buf, Instant::now() + POLL) {
            Ok(received) => (received.bytes, received.at),
            Err(LinkError::Timeout) => continue,
            Err(error) if error.is_gone() => return Ok(End::HostGone),
            Err(error) => return Err(error),
        };
        for action in mock.hear(bytes, at.saturating_duration_since(last)) {
            match action {
                MockAction::Say(bytes) => match link.send(&bytes) {
                    // A host that does not read loses the reply, as on a serial line.
                    Ok(_) | Err(LinkError::Timeout) => {}
                    Err(error) if error.is_gone() => return Ok(End::HostGone),
                    Err(error) => return Err(error),
                },
                MockAction::Wait(span) => thread::sleep(span),
                MockAction::Crash => return Ok(End::Crash),
                MockAction::HangUp => {
                    thread::sleep(LINGER);
                    return Ok(End::HangUp);
                }
            }
        }
        last = at;
    }
}
