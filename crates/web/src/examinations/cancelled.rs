//! Link that ends when its examination is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_referee::Player;

/// Link whose next send or wait fails once the flag is set.
pub struct CancelledLink {
    inner: Box<dyn Link>,
    cancel: Arc<AtomicBool>,
}

impl CancelledLink {
    /// Puts the link of a player behind the flag.
    pub fn player(player: Player, cancel: Arc<AtomicBool>) -> Player {
        let name = player.name().to_owned();
        let inner = player.into_link();
        Player::board(Self { inner, cancel }).named(name)
    }

    fn check(&self) -> Result<(), LinkError> {
        if !self.cancel.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(LinkError::Inside {
            name: self.describe(),
            source: "the examination was cancelled".into(),
        })
    }
}

impl Link for CancelledLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.check()?;
        self.inner.send(bytes)
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        self.check()?;
        self.inner.recv(buf, deadline)
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }

    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        self.check()?;
        self.inner.drain()
    }
}
