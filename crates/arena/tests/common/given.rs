//! A board in simulated time, whose every byte has a time that is given.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use duoforge_arena::Player;
use duoforge_protocol::link::{Link, LinkError, Received, Sent};

/// What comes on the line after a sending.
#[derive(Clone, Debug)]
pub enum Event {
    /// Bytes, so many microseconds after it.
    At(u64, Vec<u8>),
    /// Bytes that are noticed when the line is looked at before the next sending.
    Stale(Vec<u8>),
    /// The other end has gone.
    Gone,
    /// The other end takes no bytes: the next sending fails.
    Stuck,
}

/// Bytes at a time in microseconds.
pub fn at(micros: u64, bytes: impl AsRef<[u8]>) -> Event {
    Event::At(micros, bytes.as_ref().to_vec())
}

/// Bytes that nobody waits for.
pub fn stale(bytes: impl AsRef<[u8]>) -> Event {
    Event::Stale(bytes.as_ref().to_vec())
}

/// What was sent to a board.
pub type Sends = Arc<Mutex<Vec<String>>>;

/// A line of which the events after each sending are given, before the first one too. Every sending is
/// at time zero of its own.
pub struct Given {
    name: &'static str,
    turns: VecDeque<Vec<Event>>,
    now: VecDeque<Event>,
    sent: Instant,
    sends: Sends,
}

impl Given {
    /// Events before the first sending, after the first, after the second and so on.
    pub fn new(name: &'static str, turns: Vec<Vec<Event>>) -> (Self, Sends) {
        let mut turns: VecDeque<_> = turns.into();
        let sends = Sends::default();
        let line = Self {
            name,
            now: turns.pop_front().unwrap_or_default().into(),
            turns,
            sent: Instant::now(),
            sends: Arc::clone(&sends),
        };
        (line, sends)
    }
}

impl Link for Given {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        if matches!(self.now.front(), Some(Event::Stuck)) {
            return Err(LinkError::Timeout);
        }
        self.sends
            .lock()
            .unwrap()
            .push(bytes.escape_ascii().to_string());
        // Events that were not asked for are lost with their turn.
        self.now = self.turns.pop_front().unwrap_or_default().into();
        if bytes == b"9" {
            // Nothing is answered to it.
            self.now.retain(|event| !matches!(event, Event::At(..)));
        }
        self.sent = Instant::now();
        Ok(Sent {
            at: self.sent,
            simulated: Some(Duration::ZERO),
        })
    }

    fn recv<'b>(&mut self, buf: &'b mut [u8], end: Instant) -> Result<Received<'b>, LinkError> {
        let (after, bytes) = match self.now.front() {
            Some(Event::Gone) => return Err(LinkError::Closed),
            // A late answer is noticed as soon as the line is looked at again, and is timed by its bytes.
            Some(Event::At(micros, bytes)) => (Duration::from_micros(*micros), bytes.clone()),
            // Whoever looks at the line without waiting gives a deadline that has come.
            Some(Event::Stale(bytes)) if end <= Instant::now() => (Duration::ZERO, bytes.clone()),
            _ => return Err(LinkError::Timeout),
        };
        self.now.pop_front();
        buf[..bytes.len()].copy_from_slice(&bytes);
        Ok(Received {
            bytes: &buf[..bytes.len()],
            at: self.sent,
            simulated: Some(after),
        })
    }

    fn describe(&self) -> String {
        self.name.to_owned()
    }
}

/// A board with a team code that answers requests for moves with these codes, each at its time; then it
/// passes at once.
pub fn timed(team: &'static str, moves: &[(u64, &str)]) -> Player {
    let mut turns = vec![Vec::new(), vec![at(0, format!("1{team}"))]];
    turns.extend(moves.iter().map(|&(micros, code)| vec![at(micros, code)]));
    turns.extend(std::iter::repeat_n(vec![at(0, "0000")], 64));
    Player::inside(Given::new(team, turns).0)
}
