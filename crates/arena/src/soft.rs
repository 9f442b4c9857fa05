//! Players inside this process, connected by a link like any other player.

use std::collections::VecDeque;
use std::io;
use std::thread;
use std::time::Instant;

use duoforge_engine::Twin;
use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_protocol::{Frame, GAP};

use crate::NoMove;

/// Device in software: takes bytes of the host and returns bytes of the device.
pub trait ByteBoard: Send {
    /// Takes a byte from the host and returns the bytes that the device sends in response.
    ///
    /// # Errors
    /// [`NoMove`] on resignation or if the mover has failed. The protocol has no code for it, so it
    /// travels as the source of a [`LinkError::Io`].
    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, NoMove>;

    /// Signals silence of [`GAP`]: drops a partial code.
    fn gap(&mut self);
}

impl ByteBoard for Twin {
    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, NoMove> {
        Ok(Self::receive(self, byte))
    }

    fn gap(&mut self) {
        Self::gap(self);
    }
}

/// Resignation of a person or an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("resigned")]
pub struct Resigned;

/// Link to a device in software.
///
/// The device thinks inside [`recv`](Link::recv), so its time counts like that of any other device.
#[derive(Debug)]
pub struct SoftLink<B> {
    board: B,
    name: String,
    inbox: VecDeque<u8>,
    outbox: VecDeque<u8>,
    last: Instant,
}

impl<B: ByteBoard> SoftLink<B> {
    /// Creates a link to `board` with the given name.
    #[must_use]
    pub fn new(board: B, name: impl Into<String>) -> Self {
        Self {
            board,
            name: name.into(),
            inbox: VecDeque::new(),
            outbox: VecDeque::new(),
            last: Instant::now(),
        }
    }

    /// Passes the bytes that were sent to the device.
    fn work(&mut self) -> Result<(), LinkError> {
        while let Some(byte) = self.inbox.pop_front() {
            let frame = self.board.receive(byte);
            let frame = frame.map_err(|reason| LinkError::Io {
                name: self.name.clone(),
                source: io::Error::other(reason),
            })?;
            self.outbox.extend(frame.iter().flat_map(|f| f.as_bytes()));
        }
        Ok(())
    }
}

impl<B: ByteBoard> Link for SoftLink<B> {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let at = Instant::now();
        if at.duration_since(self.last) >= GAP {
            self.work()?;
            self.board.gap();
        }
        self.last = at;
        self.inbox.extend(bytes);
        Ok(Sent {
            at,
            simulated: None,
        })
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        self.work()?;
        if self.outbox.is_empty() {
            // No byte can arrive any more, but a link is silent until the deadline.
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            return Err(LinkError::Timeout);
        }
        let len = self.outbox.len().min(buf.len());
        for (slot, byte) in buf.iter_mut().zip(self.outbox.drain(..len)) {
            *slot = byte;
        }
        Ok(Received::now(&buf[..len]))
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoforge_engine::Policy;
    use duoforge_protocol::TeamCode;

    use super::*;

    fn twin() -> SoftLink<Twin> {
        let team = TeamCode::new(*b"TW").unwrap();
        SoftLink::new(Twin::new(team, Policy::default()), "twin")
    }

    #[test]
    fn silence_makes_a_board_forget_an_unfinished_code() {
        let mut link = twin();
        link.send(b"3A53").unwrap();
        thread::sleep(GAP);
        link.send(b"0").unwrap();
        assert_eq!(
            link.recv(&mut [0; 8], Instant::now()).unwrap().bytes,
            b"1TW"
        );
    }

    #[test]
    fn an_answer_may_be_taken_in_pieces() {
        let mut link = twin();
        link.send(b"0").unwrap();
        assert_eq!(link.recv(&mut [0; 2], Instant::now()).unwrap().bytes, b"1T");
        assert_eq!(link.recv(&mut [0; 2], Instant::now()).unwrap().bytes, b"W");
        let deadline = Instant::now() + Duration::from_millis(30);
        let silence = link.recv(&mut [0; 2], deadline).unwrap_err();
        assert!(matches!(silence, LinkError::Timeout), "{silence}");
        assert!(Instant::now() >= deadline);
    }
}
