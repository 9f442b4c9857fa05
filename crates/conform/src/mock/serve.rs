//! A mock behind a link.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_protocol::link::{Link, LinkError};

use super::{Deed, Mock};

/// How long the host is listened to at a time.
const POLL: Duration = Duration::from_secs(3600);

/// How long the line stays open for what was said last: a terminal loses what was not read when it
/// is closed.
const LINGER: Duration = Duration::from_millis(50);

/// How serving a mock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The host has gone.
    HostGone,
    /// The mock ends its program.
    Crash,
    /// The mock closes the line.
    HangUp,
}

/// Lets a mock do its deeds until one of the two has gone.
///
/// # Errors
/// Those of the link, but for [`LinkError::Closed`].
pub fn serve(link: &mut dyn Link, mock: &mut Mock) -> Result<End, LinkError> {
    let mut last = Instant::now();
    let mut buf = [0; 256];
    loop {
        let (bytes, at) = match link.recv(&mut buf, Instant::now() + POLL) {
            Ok(received) => (received.bytes, received.at),
            Err(LinkError::Timeout) => continue,
            Err(LinkError::Closed) => return Ok(End::HostGone),
            Err(error) => return Err(error),
        };
        for deed in mock.hear(bytes, at.saturating_duration_since(last)) {
            match deed {
                Deed::Say(bytes) => match link.send(&bytes) {
                    // A host that does not read loses the answer, as on a serial line.
                    Ok(_) | Err(LinkError::Timeout) => {}
                    Err(LinkError::Closed) => return Ok(End::HostGone),
                    Err(error) => return Err(error),
                },
                Deed::Wait(span) => thread::sleep(span),
                Deed::Crash => return Ok(End::Crash),
                Deed::HangUp => {
                    thread::sleep(LINGER);
                    return Ok(End::HangUp);
                }
            }
        }
        last = at;
    }
}
