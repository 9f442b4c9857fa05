//! Link in place of a lost one.

use std::time::Instant;

use duoforge_links::{Link, LinkError, Received, Sent};

/// Link without a device.
pub struct ClosedLink;

impl Link for ClosedLink {
    fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
        Err(LinkError::Closed)
    }

    fn recv<'b>(&mut self, _: &'b mut [u8], _: Instant) -> Result<Received<'b>, LinkError> {
        Err(LinkError::Closed)
    }

    fn describe(&self) -> String {
        "closed".to_owned()
    }
}
