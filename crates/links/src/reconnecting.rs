//! Links that reconnect to a device that was unplugged between games.

use std::thread;
use std::time::{Duration, Instant};

use crate::{Link, LinkError, Received, Sent};

/// Polling interval for the return of a device.
const POLL: Duration = Duration::from_millis(50);

/// Function that opens the device.
pub type Reopen = Box<dyn FnMut() -> Result<Box<dyn Link>, LinkError> + Send>;

/// Link that waits for its device to return, but only between games.
///
/// A game runs from `2X` or `3XYYYY` to `0` or `9`. A device that disappears during a game is
/// [`LinkError::Closed`], as on every link, for the rest of that game. At the first code after it,
/// or if the device disappears between games, the link waits for the device and reopens it. The
/// interrupted send is then repeated. The device has lost its state, which is empty between games.
pub struct ReconnectingLink {
    reopen: Reopen,
    link: Option<Box<dyn Link>>,
    name: String,
    reconnect_timeout: Duration,
    in_game: bool,
}

impl ReconnectingLink {
    /// Opens the device, which must be present. Later the link waits up to `reconnect_timeout` for
    /// its return.
    ///
    /// # Errors
    /// The errors of `reopen`.
    pub fn open(mut reopen: Reopen, reconnect_timeout: Duration) -> Result<Self, LinkError> {
        let link = reopen()?;
        Ok(Self {
            name: link.describe(),
            reopen,
            link: Some(link),
            reconnect_timeout,
            in_game: false,
        })
    }

    /// Returns the link, reopened if it was lost and no game is running.
    fn link(&mut self) -> Result<&mut Box<dyn Link>, LinkError> {
        if self.link.is_none() {
            if self.in_game {
                return Err(LinkError::Closed);
            }
            tracing::debug!(
                "waiting for {} at most {:?}",
                self.name,
                self.reconnect_timeout
            );
            self.link = Some(self.wait()?);
            tracing::debug!("{} has returned", self.name);
        }
        self.link.as_mut().ok_or(LinkError::Closed)
    }

    fn wait(&mut self) -> Result<Box<dyn Link>, LinkError> {
        let deadline = Instant::now() + self.reconnect_timeout;
        loop {
            match (self.reopen)() {
                // While the system sets an adapter up, its device file may exist without
                // permissions.
                Err(
                    LinkError::NotFound { .. }
                    | LinkError::NoPermission { .. }
                    | LinkError::Busy { .. }
                    | LinkError::Io { .. },
                ) if Instant::now() < deadline => thread::sleep(POLL),
                Err(LinkError::NotFound { .. }) => return Err(LinkError::Closed),
                other => return other,
            }
        }
    }

    /// Records the loss of the device. Returns true if the device may return now.
    fn lost(&mut self, error: &LinkError) -> bool {
        let gone = error.is_gone();
        if gone {
            tracing::debug!("{} is lost: {error}", self.name);
            self.link = None;
        }
        gone && !self.in_game
    }
}

impl Link for ReconnectingLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let was_in_game = self.in_game;
        match bytes.first() {
            Some(b'2' | b'3') => self.in_game = true,
            Some(b'0') => self.in_game = false,
            // `9` is not worth waiting for a device.
            Some(b'9') if self.link.is_none() => {
                self.in_game = false;
                return Err(LinkError::Closed);
            }
            _ => {}
        }
        let mut sent = self.link().and_then(|link| link.send(bytes));
        if let Err(error) = &sent
            && self.lost(error)
            && !was_in_game
        {
            sent = self.link().and_then(|link| link.send(bytes));
        }
        if bytes.first() == Some(&b'9') {
            self.in_game = false;
        }
        sent
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        let Some(link) = &mut self.link else {
            return Err(LinkError::Closed);
        };
        let received = link.recv(buf, deadline);
        match received {
            Ok(Received {
                bytes,
                at,
                simulated,
            }) => {
                let len = bytes.len();
                Ok(Received {
                    bytes: &buf[..len],
                    at,
                    simulated,
                })
            }
            Err(error) => {
                self.lost(&error);
                Err(error)
            }
        }
    }

    fn describe(&self) -> String {
        self.name.clone()
    }

    /// As [`Link::drain`]; a device that is absent between games has no bytes.
    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        let Some(link) = &mut self.link else {
            return if self.in_game {
                Err(LinkError::Closed)
            } else {
                Ok(Vec::new())
            };
        };
        match link.drain() {
            Err(error) if self.lost(&error) => Ok(Vec::new()),
            other => other,
        }
    }
}

impl std::fmt::Debug for ReconnectingLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReconnectingLink")
            .field("name", &self.name)
            .field("in_game", &self.in_game)
            .finish_non_exhaustive()
    }
}
