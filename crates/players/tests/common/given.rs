//! Device in simulated time with a given time for every byte.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_referee::Player;

/// Event on the link after a send.
#[derive(Clone, Debug)]
pub enum Event {
    /// Bytes received this number of microseconds after the send.
    At(u64, Vec<u8>),
    /// Bytes found when the link is drained before the next send.
    Stale(Vec<u8>),
    /// The peer has disconnected.
    Gone,
    /// The peer accepts no bytes: the next send fails.
    Blocked,
}

/// Creates bytes with a time in microseconds.
pub fn at(micros: u64, bytes: impl AsRef<[u8]>) -> Event {
    Event::At(micros, bytes.as_ref().to_vec())
}

/// Creates unsolicited bytes.
pub fn stale(bytes: impl AsRef<[u8]>) -> Event {
    Event::Stale(bytes.as_ref().to_vec())
}

/// Bytes of all sends to a device.
pub type Sends = Arc<Mutex<Vec<String>>>;

/// Link with given events before the first send and after each send. Every send restarts the time
/// at zero.
pub struct Given {
    name: &'static str,
    turns: VecDeque<Vec<Event>>,
    now: VecDeque<Event>,
    sent: Instant,
    sends: Sends,
}

impl Given {
    /// Creates a link with events before the first send, after the first, after the second and so
    /// on.
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
        if matches!(self.now.front(), Some(Event::Blocked)) {
            return Err(LinkError::Timeout);
        }
        self.sends
            .lock()
            .unwrap()
            .push(bytes.escape_ascii().to_string());
        // Events that were not received are lost with the next send.
        self.now = self.turns.pop_front().unwrap_or_default().into();
        if bytes == b"9" {
            // `9` gets no reply.
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
            // A late reply is noticed at the next receive, and its bytes determine its time.
            Some(Event::At(micros, bytes)) => (Duration::from_micros(*micros), bytes.clone()),
            // A receive without waiting has a deadline that has passed.
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

/// Creates a device with a team code that replies to prompts for moves with these codes, each at
/// its time; afterwards it passes at once.
pub fn timed(team: &'static str, moves: &[(u64, &str)]) -> Player {
    let mut turns = vec![Vec::new(), vec![at(0, format!("1{team}"))]];
    turns.extend(moves.iter().map(|&(micros, code)| vec![at(micros, code)]));
    turns.extend(std::iter::repeat_n(vec![at(0, "0000")], 64));
    Player::inside(Given::new(team, turns).0)
}
