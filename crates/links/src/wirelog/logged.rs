//! Link that records its traffic in a wire log.

use std::time::Instant;

use super::{Direction, WireLog};
use crate::{Link, LinkError, Received, Sent};

/// End of the wire at which a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// Host: the bytes that this end sends travel to the device.
    Host,
    /// Device: the bytes that this end receives travel to the device.
    Board,
}

impl Endpoint {
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

/// Link that records its traffic in a [`WireLog`]: every chunk sent, received or drained, and every
/// error except a timeout of [`recv`](Link::recv).
#[derive(Debug)]
pub struct LoggedLink<L> {
    inner: L,
    log: WireLog,
    line: String,
    side: Endpoint,
}

impl<L: Link> LoggedLink<L> {
    /// Wraps `inner` and logs it under the name `line`.
    #[must_use]
    pub fn new(inner: L, log: WireLog, line: impl Into<String>, side: Endpoint) -> Self {
        Self {
            inner,
            log,
            line: line.into(),
            side,
        }
    }

    /// Log that the link writes to.
    #[must_use]
    pub const fn log(&self) -> &WireLog {
        &self.log
    }

    /// Name of the connection in the log.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Returns the inner link, whose further traffic is not logged.
    #[must_use]
    pub fn into_inner(self) -> L {
        self.inner
    }

    /// Returns the inner link; its traffic is not logged.
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
            // The number of bytes sent is unknown, so the log gets no chunk.
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
            // Silence is the normal state of a connection; only the caller knows whether a reply
            // was due.
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
