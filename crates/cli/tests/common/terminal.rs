//! Devices of tests on pseudo-terminals.

use std::time::{Duration, Instant};

use duoforge_links::{Link, PtyLink};

/// Returns the next bytes that a host sends. A host that closes the terminal sends none; the next
/// one may open it.
pub fn received(link: &mut PtyLink) -> Vec<u8> {
    let mut buffer = [0; 64];
    loop {
        let deadline = Instant::now() + Duration::from_secs(3600);
        if let Ok(received) = link.recv(&mut buffer, deadline) {
            return received.bytes.to_vec();
        }
    }
}
