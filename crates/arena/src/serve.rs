//! Boards of this process for hosts elsewhere: whatever can talk to a real board can talk to them.

use std::time::{Duration, Instant};

use duoforge_protocol::link::{Link, LinkError};
use duoforge_protocol::{BoardParser, GAP};
use duoforge_sim::board::SimBoard;
use duoforge_sim::cable::CabledBoard;

use crate::{ArenaError, ByteBoard};

/// How long the host is listened to before it is looked whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// Something that can be served: bytes of a host in, bytes of a board out.
pub trait Served: Send {
    /// Takes bytes of the host and returns all that the board answers.
    ///
    /// # Errors
    /// [`ArenaError::Simulation`] from a simulator that failed.
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ArenaError>;

    /// The line was silent for longer than [`GAP`].
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn gap(&mut self) -> Result<(), ArenaError>;
}

impl<B: ByteBoard> Served for B {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ArenaError> {
        let mut answer = Vec::new();
        for &byte in bytes {
            // Only people resign, and then nothing is answered.
            if let Ok(Some(frame)) = self.receive(byte) {
                answer.extend_from_slice(&frame);
            }
        }
        Ok(answer)
    }

    fn gap(&mut self) -> Result<(), ArenaError> {
        ByteBoard::gap(self);
        Ok(())
    }
}

impl Served for SimBoard {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ArenaError> {
        Ok(SimBoard::exchange(self, bytes)?.bytes)
    }

    fn gap(&mut self) -> Result<(), ArenaError> {
        Ok(self.idle(GAP + GAP / 10)?)
    }
}

impl Served for CabledBoard {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ArenaError> {
        Ok(CabledBoard::exchange(self, bytes)?)
    }

    fn gap(&mut self) -> Result<(), ArenaError> {
        Ok(CabledBoard::gap(self)?)
    }
}

/// Why serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The host has gone.
    HostGone,
    /// It was not to go on.
    Asked,
}

/// Serves a board to the host behind a link until that has gone or `go_on` says no.
///
/// The board's own time stands still while the host is silent, but for the gap after an
/// unfinished code.
///
/// # Errors
/// [`ArenaError::Simulation`], [`ArenaError::Link`].
pub fn serve(
    host: &mut dyn Link,
    board: &mut dyn Served,
    mut go_on: impl FnMut() -> bool,
) -> Result<Stop, ArenaError> {
    let mut parser = BoardParser::new();
    let mut last = Instant::now();
    let mut buf = [0; 256];
    while go_on() {
        match host.recv(&mut buf, Instant::now() + POLL) {
            Ok(received) => {
                last = received.at;
                for &byte in received.bytes {
                    parser.feed(byte);
                }
                let answer = board.exchange(received.bytes)?;
                match host.send(&answer) {
                    // A host that does not read loses the answer, as on a serial line.
                    Ok(_) | Err(LinkError::Timeout) => {}
                    Err(LinkError::Closed) => return Ok(Stop::HostGone),
                    Err(error) => return Err(ArenaError::Link(error)),
                }
            }
            Err(LinkError::Timeout) if !parser.is_idle() && last.elapsed() > GAP => {
                parser.gap();
                board.gap()?;
            }
            Err(LinkError::Timeout) => {}
            Err(LinkError::Closed) => return Ok(Stop::HostGone),
            Err(error) => return Err(ArenaError::Link(error)),
        }
    }
    Ok(Stop::Asked)
}
