//! Link that records its traffic in a wire log.

use std::time::{Duration, Instant};

use super::{Direction, WireLog};
use crate::{DRAIN_LIMIT, Link, LinkError, Received, Sent};

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
///
/// Of the bytes received between two sends, the log keeps the first [`DRAIN_LIMIT`]; a remark
/// replaces the others, so that a peer that sends without end cannot exhaust the memory.
#[derive(Debug)]
pub struct LoggedLink<L> {
    inner: L,
    log: WireLog,
    line: String,
    side: Endpoint,
    /// Number of bytes received since the last send.
    received: usize,
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
            received: 0,
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

    /// Logs received bytes up to the limit since the last send.
    fn log_received(&mut self, bytes: &[u8], at: Instant, simulated: Option<Duration>) {
        let left = DRAIN_LIMIT.saturating_sub(self.received);
        let kept = &bytes[..bytes.len().min(left)];
        self.log
            .chunk(&self.line, self.side.receives(), kept, at, simulated);
        let was_full = self.received > DRAIN_LIMIT;
        self.received = self.received.saturating_add(bytes.len());
        if self.received > DRAIN_LIMIT && !was_full {
            let text = format!("further bytes are not logged: {DRAIN_LIMIT} since the last send");
            self.log.note(&self.line, text);
        }
    }
}

impl<L: Link> Link for LoggedLink<L> {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let sent = self.inner.send(bytes);
        self.received = 0;
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
            }) => self.log_received(bytes, *at, *simulated),
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
            Ok(bytes) => self.log_received(bytes, Instant::now(), None),
            Err(error) => self.log.note(&self.line, error.to_string()),
        }
        stale
    }
}
