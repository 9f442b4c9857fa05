//! The trait of all links, and what they send and receive.

use std::time::{Duration, Instant};

use crate::LinkError;

/// Time limit of a send to a peer that does not read; then [`LinkError::Timeout`].
pub const SEND_LIMIT: Duration = Duration::from_secs(1);

/// Maximum number of bytes that one [`Link::drain`] takes, so that a peer that sends without end
/// cannot block it.
pub const DRAIN_LIMIT: usize = 64 * 1024;

/// Time at which the last byte of a chunk was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Wall clock, taken when the operating system had accepted all bytes (on a serial line: had
    /// sent them).
    pub at: Instant,
    /// Simulated time, if the peer is simulated and reports its time.
    pub simulated: Option<Duration>,
}

impl Sent {
    /// Returns the current wall clock, without a simulated time.
    #[must_use]
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            simulated: None,
        }
    }
}

/// Chunk of received bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<'b> {
    /// Received bytes, at least one.
    pub bytes: &'b [u8],
    /// Wall clock, taken right after the read that returned the last byte.
    pub at: Instant,
    /// Simulated time, if the peer is simulated and reports its time.
    pub simulated: Option<Duration>,
}

impl<'b> Received<'b> {
    /// Returns the bytes with the current wall clock, without a simulated time.
    #[must_use]
    pub fn now(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: Instant::now(),
            simulated: None,
        }
    }

    /// Time since a send: simulated time if both ends have it, otherwise wall clock time.
    #[must_use]
    pub fn since(&self, sent: &Sent) -> Duration {
        match (self.simulated, sent.simulated) {
            (Some(received), Some(sent)) => received.saturating_sub(sent),
            _ => self.at.saturating_duration_since(sent.at),
        }
    }
}

/// Byte stream to the peer at the far end of the wire.
///
/// - [`recv`](Self::recv) returns as soon as at least one byte is available. It returns
///   [`LinkError::Timeout`] not before the deadline.
/// - Available bytes are returned even after the deadline.
/// - [`LinkError::Closed`] means that the peer has disconnected, [`LinkError::Ended`] that the
///   program at the far end has ended. The bytes that the peer sent before are returned first,
///   where the operating system keeps them.
pub trait Link: Send {
    /// Sends all bytes and returns once the last one is sent.
    ///
    /// # Errors
    /// [`LinkError::Closed`] if the peer has disconnected, [`LinkError::Ended`] if its program has
    /// ended, [`LinkError::Timeout`] if it does not take the bytes within [`SEND_LIMIT`],
    /// [`LinkError::Io`] otherwise.
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError>;

    /// Waits until the deadline for bytes and returns the available ones, at most `buf.len()`.
    ///
    /// # Errors
    /// [`LinkError::Timeout`] at the deadline, [`LinkError::Closed`] if the peer has disconnected,
    /// [`LinkError::Ended`] if its program has ended, [`LinkError::Io`] otherwise.
    ///
    /// # Panics
    /// May panic if `buf` is empty.
    fn recv<'b>(&mut self, buf: &'b mut [u8], deadline: Instant)
    -> Result<Received<'b>, LinkError>;

    /// Name of the link in the syntax of [`LinkSpec`](crate::LinkSpec), such as
    /// `serial:/dev/ttyUSB0`.
    fn describe(&self) -> String;

    /// Takes the bytes that are available now, without waiting; at most [`DRAIN_LIMIT`].
    ///
    /// # Errors
    /// As [`recv`](Self::recv), except the timeout; [`LinkError::Closed`] and [`LinkError::Ended`]
    /// only if no bytes were available.
    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        let mut stale = Vec::new();
        let mut buf = [0; 512];
        while stale.len() < DRAIN_LIMIT {
            match self.recv(&mut buf, Instant::now()) {
                Ok(received) => stale.extend_from_slice(received.bytes),
                Err(LinkError::Timeout) => break,
                Err(error) if error.is_gone() && !stale.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(stale)
    }
}

impl<L: Link + ?Sized> Link for Box<L> {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        (**self).send(bytes)
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        (**self).recv(buf, deadline)
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        (**self).drain()
    }
}

impl<L: Link + ?Sized> Link for &mut L {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        (**self).send(bytes)
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        (**self).recv(buf, deadline)
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        (**self).drain()
    }
}

/// Time left until a deadline, zero once it has passed.
pub(crate) fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
