//! Links that reconnect to a device that was unplugged between games.

use std::thread;
use std::time::{Duration, Instant};

use crate::link::remaining;
use crate::{Link, LinkError, Received, Sent};

/// Polling interval for the return of a device.
const POLL: Duration = Duration::from_millis(50);

/// Function that opens the device.
pub type Reopen = Box<dyn FnMut() -> Result<Box<dyn Link>, LinkError> + Send>;

/// Observer of the waits of a [`ReconnectingLink`].
pub trait ReconnectObserver: Send {
    /// Called before the link waits up to `limit` for the device.
    fn waits(&mut self, device: &str, limit: Duration);

    /// Called when the device has returned after a wait.
    fn returned(&mut self, device: &str);

    /// True if the link must not wait, or wait any longer.
    fn wants_stop(&self) -> bool;
}

/// Reason of [`LinkError::Inside`] if the observer stopped the wait for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wait for the device was stopped before the device returned")]
pub struct WaitStopped;

/// Link that waits for its device to return, but only between games.
///
/// A game runs from `2X` or `3XYYYY` to `0` or `9`. A device that disappears during a game is
/// [`LinkError::Closed`], as on every link, for the rest of that game. At the first code after it,
/// or if the device disappears between games, the link waits for the device and reopens it. The
/// interrupted send is then repeated. The device has lost its state, which is empty between games.
/// One send waits at most once the time limit. An observer can announce the wait and stop it.
pub struct ReconnectingLink {
    reopen: Reopen,
    link: Option<Box<dyn Link>>,
    name: String,
    reconnect_timeout: Duration,
    in_game: bool,
    observer: Option<Box<dyn ReconnectObserver>>,
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
            observer: None,
        })
    }

    /// Adds an observer of the waits. If it stops a wait, the send that waits returns
    /// [`LinkError::Inside`] with [`WaitStopped`] as its source.
    #[must_use]
    pub fn with_observer(self, observer: Box<dyn ReconnectObserver>) -> Self {
        Self {
            observer: Some(observer),
            ..self
        }
    }

    /// Returns the link, reopened before the deadline if it was lost and no game is running.
    fn link(&mut self, deadline: Instant) -> Result<&mut Box<dyn Link>, LinkError> {
        if self.link.is_none() {
            if self.in_game {
                return Err(LinkError::Closed);
            }
            self.link = Some(self.wait(deadline)?);
        }
        self.link.as_mut().ok_or(LinkError::Closed)
    }

    /// Waits until the deadline for the device. If the device has already returned, there is no wait
    /// to announce.
    fn wait(&mut self, deadline: Instant) -> Result<Box<dyn Link>, LinkError> {
        if let Some(link) = self.reopened(deadline)? {
            return Ok(link);
        }
        self.check_stop()?;
        let left = remaining(deadline);
        tracing::debug!("waiting for {} at most {left:?}", self.name);
        if let Some(observer) = &mut self.observer {
            observer.waits(&self.name, left);
        }
        loop {
            thread::sleep(POLL.min(remaining(deadline)));
            if let Some(link) = self.reopened(deadline)? {
                tracing::debug!("{} has returned", self.name);
                if let Some(observer) = &mut self.observer {
                    observer.returned(&self.name);
                }
                return Ok(link);
            }
            self.check_stop()?;
        }
    }

    /// Reopens the device. Returns `None` if the device is absent and may return before the
    /// deadline.
    fn reopened(&mut self, deadline: Instant) -> Result<Option<Box<dyn Link>>, LinkError> {
        match (self.reopen)() {
            // While the system sets an adapter up, its device file may exist without permissions.
            Err(
                LinkError::NotFound { .. }
                | LinkError::NoPermission { .. }
                | LinkError::Busy { .. }
                | LinkError::Io { .. },
            ) if Instant::now() < deadline => Ok(None),
            Err(LinkError::NotFound { .. }) => Err(LinkError::Closed),
            result => result.map(Some),
        }
    }

    /// Returns an error if the observer stops the wait.
    fn check_stop(&self) -> Result<(), LinkError> {
        match &self.observer {
            Some(observer) if observer.wants_stop() => Err(LinkError::Inside {
                name: self.name.clone(),
                source: Box::new(WaitStopped),
            }),
            _ => Ok(()),
        }
    }

    /// Sends bytes, waiting at most the reconnect timeout in all. If the link was open and the
    /// device turns out to have disappeared, repeats the send once if `repeats` is true.
    fn deliver(&mut self, bytes: &[u8], repeats: bool) -> Result<Sent, LinkError> {
        let deadline = Instant::now() + self.reconnect_timeout;
        match self.link(deadline)?.send(bytes) {
            Err(error) if self.lost(&error) && repeats => self.link(deadline)?.send(bytes),
            sent => sent,
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
        let sent = self.deliver(bytes, !was_in_game);
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
