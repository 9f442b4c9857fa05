//! A link that writes down what goes over it.

use std::time::Instant;

use super::{Direction, WireLog};
use crate::link::{Link, LinkError, Received, Sent};

/// Which end of the line a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// We are the host: what we send goes to the board.
    Host,
    /// We are the board: what we receive goes to the board.
    Board,
}

impl Side {
    const fn sends(self) -> Direction {
        match self {
            Self::Host => Direction::ToBoard,
            Self::Board => Direction::FromBoard,
        }
    }

    const fn receives(self) -> Direction {
        match self {
            Self::Host => Direction::FromBoard,
            Self::Board => Direction::ToBoard,
        }
    }
}

/// A link whose traffic goes into a [`WireLog`]: every chunk sent, received or drained, and
/// every error but a timeout of [`recv`](Link::recv).
#[derive(Debug)]
pub struct LoggedLink<L> {
    inner: L,
    log: WireLog,
    line: String,
    side: Side,
}

impl<L: Link> LoggedLink<L> {
    /// Logs `inner` under the name `line`.
    #[must_use]
    pub fn new(inner: L, log: WireLog, line: impl Into<String>, side: Side) -> Self {
        Self {
            inner,
            log,
            line: line.into(),
            side,
        }
    }

    /// The log that is written to.
    #[must_use]
    pub const fn log(&self) -> &WireLog {
        &self.log
    }

    /// The name of the line in the log.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The link itself, whose further traffic is not logged.
    #[must_use]
    pub fn into_inner(self) -> L {
        self.inner
    }

    /// The link itself, past the log.
    pub const fn inner_mut(&mut self) -> &mut L {
        &mut self.inner
    }
}

impl<L: Link> Link for LoggedLink<L> {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let sent = self.inner.send(bytes);
        match &sent {
            Ok(sent) => {
                self.log.chunk(
                    &self.line,
                    self.side.sends(),
                    bytes,
                    sent.at,
                    sent.simulated,
                );
            }
            // How much of it left is unknown, so it is no chunk.
            Err(error) => {
                let text = bytes.escape_ascii();
                self.log
                    .note(&self.line, format!("sending {text} failed: {error}"));
            }
        }
        sent
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        let received = self.inner.recv(buf, deadline);
        match &received {
            Ok(Received {
                bytes,
                at,
                simulated,
            }) => {
                self.log
                    .chunk(&self.line, self.side.receives(), bytes, *at, *simulated);
            }
            // Silence is the normal state of a line; who asked and waited knows what it means.
            Err(LinkError::Timeout) => {}
            Err(error) => self.log.note(&self.line, error.to_string()),
        }
        received
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }

    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        let stale = self.inner.drain();
        match &stale {
            Ok(bytes) => {
                self.log.chunk(
                    &self.line,
                    self.side.receives(),
                    bytes,
                    Instant::now(),
                    None,
                );
            }
            Err(error) => self.log.note(&self.line, error.to_string()),
        }
        stale
    }
}
