//! Links to devices that may be unplugged between games and come back.

use std::thread;
use std::time::{Duration, Instant};

use super::{Link, LinkError, Received, Sent};

/// How often it is looked whether a device has come back.
const POLL: Duration = Duration::from_millis(50);

/// Opens the device.
pub type Reopen = Box<dyn FnMut() -> Result<Box<dyn Link>, LinkError> + Send>;

/// A link that waits for its device to come back, between games only.
///
/// From `2X` or `3XYYYY` up to `0` or `9` a game is on: a device that vanishes then is
/// [`LinkError::Closed`], as on every link, and stays so for the rest of the game. At the first code
/// after it, or when it vanishes between games, the device is waited for and opened anew; what was
/// being sent is sent to it then. It has lost what it knew, which is nothing between games.
pub struct ReturningLink {
    reopen: Reopen,
    link: Option<Box<dyn Link>>,
    name: String,
    patience: Duration,
    in_game: bool,
}

impl ReturningLink {
    /// Opens the device, which has to be there; later it is waited for up to `patience`.
    ///
    /// # Errors
    /// Those of `reopen`.
    pub fn open(mut reopen: Reopen, patience: Duration) -> Result<Self, LinkError> {
        let link = reopen()?;
        Ok(Self {
            name: link.describe(),
            reopen,
            link: Some(link),
            patience,
            in_game: false,
        })
    }

    /// The link, opened anew if it was lost and no game is on.
    fn link(&mut self) -> Result<&mut Box<dyn Link>, LinkError> {
        if self.link.is_none() {
            if self.in_game {
                return Err(LinkError::Closed);
            }
            self.link = Some(self.wait()?);
        }
        self.link.as_mut().ok_or(LinkError::Closed)
    }

    fn wait(&mut self) -> Result<Box<dyn Link>, LinkError> {
        let deadline = Instant::now() + self.patience;
        loop {
            match (self.reopen)() {
                // An adapter that is being set up may be there and not yet be allowed.
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

    /// Notes that the device has gone. Returns whether it may come back now.
    fn lost(&mut self, error: &LinkError) -> bool {
        let gone = matches!(error, LinkError::Closed);
        if gone {
            self.link = None;
        }
        gone && !self.in_game
    }
}

impl Link for ReturningLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let was_in_game = self.in_game;
        match bytes.first() {
            Some(b'2' | b'3') => self.in_game = true,
            Some(b'0') => self.in_game = false,
            // The end of a game is nothing to wait for a device with.
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

    /// As [`Link::drain`]; a device that has gone between games has nothing to say.
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

impl std::fmt::Debug for ReturningLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReturningLink")
            .field("name", &self.name)
            .field("in_game", &self.in_game)
            .finish_non_exhaustive()
    }
}
