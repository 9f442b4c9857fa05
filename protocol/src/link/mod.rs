//! Links: byte streams to a board or to a host, with absolute deadlines.
//!
//! One blocking thread per link is the intended use. Every implementation
//! keeps the same promises, stated at [`Link`].

mod error;
#[cfg(unix)]
mod exec;
#[cfg(unix)]
mod pipe;
#[cfg(unix)]
mod pty;
mod returning;
mod serial;
mod spec;
mod tcp;

use std::time::{Duration, Instant};

pub use error::LinkError;
#[cfg(unix)]
pub use exec::ExecLink;
#[cfg(unix)]
pub use pipe::PipeLink;
#[cfg(unix)]
pub use pty::PtyLink;
pub use returning::{Reopen, ReturningLink};
pub use serial::SerialLink;
pub use spec::{LinkSpec, LinkSpecError};
pub use tcp::{TcpAcceptor, TcpLink};

/// How long a send may be held up by a peer that does not read, before it is a timeout.
pub const SEND_LIMIT: Duration = Duration::from_secs(1);

/// Most bytes that one [`Link::drain`] takes, so that a babbling peer cannot hold it up.
pub const DRAIN_LIMIT: usize = 64 * 1024;

/// When the last byte of a chunk left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Wall clock, taken when the operating system had accepted (a serial line: sent) all bytes.
    pub at: Instant,
    /// Simulated time, where the peer is simulated and its own time is known.
    pub simulated: Option<Duration>,
}

impl Sent {
    /// Sent by now, by a peer of which no other time is known.
    #[must_use]
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            simulated: None,
        }
    }
}

/// Bytes that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<'b> {
    /// The bytes, at least one.
    pub bytes: &'b [u8],
    /// Wall clock, taken right after the read that returned the last of them.
    pub at: Instant,
    /// Simulated time, where the peer is simulated and its own time is known.
    pub simulated: Option<Duration>,
}

impl<'b> Received<'b> {
    /// Received by now, from a peer of which no other time is known.
    #[must_use]
    pub fn now(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: Instant::now(),
            simulated: None,
        }
    }

    /// Time since a send: simulated time if both ends have it, the wall clock otherwise.
    #[must_use]
    pub fn since(&self, sent: &Sent) -> Duration {
        match (self.simulated, sent.simulated) {
            (Some(received), Some(sent)) => received.saturating_sub(sent),
            _ => self.at.saturating_duration_since(sent.at),
        }
    }
}

/// A byte stream to the other end of the line.
///
/// - [`recv`](Self::recv) returns as soon as at least one byte is there, and with
///   [`LinkError::Timeout`] not before its deadline.
/// - Bytes that are there already are returned even when the deadline has passed.
/// - [`LinkError::Closed`] says that the peer has gone; the bytes it left behind come first,
///   where the operating system keeps them.
pub trait Link: Send {
    /// Sends all bytes and returns when the last one left.
    ///
    /// # Errors
    /// [`LinkError::Closed`] when the peer has gone, [`LinkError::Timeout`] when it does not
    /// take the bytes within [`SEND_LIMIT`], [`LinkError::Io`] otherwise.
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError>;

    /// Waits until the deadline for bytes and returns those that are there, at most `buf` full.
    ///
    /// # Errors
    /// [`LinkError::Timeout`] at the deadline, [`LinkError::Closed`] when the peer has gone,
    /// [`LinkError::Io`] otherwise.
    ///
    /// # Panics
    /// May panic if `buf` is empty.
    fn recv<'b>(&mut self, buf: &'b mut [u8], deadline: Instant)
    -> Result<Received<'b>, LinkError>;

    /// The link in words that its [`LinkSpec`] would take, such as `serial:/dev/ttyUSB0`.
    fn describe(&self) -> String;

    /// Takes the bytes that have arrived already, without waiting; at most [`DRAIN_LIMIT`].
    ///
    /// # Errors
    /// As [`recv`](Self::recv), except for the timeout; also [`LinkError::Closed`] only if
    /// nothing was there.
    fn drain(&mut self) -> Result<Vec<u8>, LinkError> {
        let mut stale = Vec::new();
        let mut buf = [0; 512];
        while stale.len() < DRAIN_LIMIT {
            match self.recv(&mut buf, Instant::now()) {
                Ok(received) => stale.extend_from_slice(received.bytes),
                Err(LinkError::Timeout) => break,
                Err(LinkError::Closed) if !stale.is_empty() => break,
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
fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
