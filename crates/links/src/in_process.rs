//! Links to devices inside this process.

use std::collections::VecDeque;
use std::thread;
use std::time::Instant;

use duoforge_protocol::{ByteDevice, INTER_BYTE_TIMEOUT};

use crate::{Link, LinkError, Received, Sent};

/// Link to a device in software.
///
/// The device thinks inside [`recv`](Link::recv), so its time counts like that of any other device.
#[derive(Debug)]
pub struct InProcessLink<B> {
    board: B,
    name: String,
    inbox: VecDeque<u8>,
    outbox: VecDeque<u8>,
    last: Instant,
}

impl<B: ByteDevice> InProcessLink<B>
where
    B::Error: Into<LinkError>,
{
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
            let frame = frame.map_err(Into::<LinkError>::into)?;
            self.outbox.extend(frame.iter().flat_map(|f| f.as_bytes()));
        }
        Ok(())
    }
}

impl<B: ByteDevice> Link for InProcessLink<B>
where
    B::Error: Into<LinkError>,
{
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let at = Instant::now();
        if at.duration_since(self.last) >= INTER_BYTE_TIMEOUT {
            self.work()?;
            self.board.on_silence();
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

    use super::*;
    use crate::greeter::Greeter;

    fn greeter() -> InProcessLink<Greeter> {
        InProcessLink::new(Greeter::new(), "greeter")
    }

    #[test]
    fn silence_makes_a_board_forget_an_unfinished_code() {
        let mut link = greeter();
        link.send(b"3A53").unwrap();
        thread::sleep(INTER_BYTE_TIMEOUT);
        link.send(b"0").unwrap();
        assert_eq!(
            link.recv(&mut [0; 8], Instant::now()).unwrap().bytes,
            b"1TW"
        );
    }

    #[test]
    fn an_answer_may_be_taken_in_pieces() {
        let mut link = greeter();
        link.send(b"0").unwrap();
        assert_eq!(link.recv(&mut [0; 2], Instant::now()).unwrap().bytes, b"1T");
        assert_eq!(link.recv(&mut [0; 2], Instant::now()).unwrap().bytes, b"W");
        let deadline = Instant::now() + Duration::from_millis(30);
        let silence = link.recv(&mut [0; 2], deadline).unwrap_err();
        assert!(matches!(silence, LinkError::Timeout), "{silence}");
        assert!(Instant::now() >= deadline);
    }
}
