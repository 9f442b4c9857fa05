//! Measurement of the host latency: time that this host adds to every reply.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::WireLog;
use duoforge_links::{Link, PtyLink, SerialLink};
use duoforge_protocol::{HostCode, HostCodeParser, REPLY_LIMIT};

use crate::connection::{Connection, PromptError};
use crate::{Player, RefereeError, Seat};

/// Time after which the far end stops waiting for the host.
const SILENCE: Duration = Duration::from_secs(5);

/// Sorted reply times of an immediate device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLatency(Vec<Duration>);

impl HostLatency {
    /// Creates the distribution from times in any order.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn of(mut times: Vec<Duration>) -> Self {
        assert!(!times.is_empty(), "nothing was measured");
        times.sort_unstable();
        Self(times)
    }

    /// Quantile in thousandths: 500 is the median.
    #[must_use]
    pub fn below(&self, thousandths: usize) -> Duration {
        let rank = (self.0.len() * thousandths).div_ceil(1_000);
        self.0[rank.clamp(1, self.0.len()) - 1]
    }

    /// Maximum time.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.below(1_000)
    }
}

/// Measures the time of immediate replies, as the referee measures it, over a pseudo-terminal. The
/// far end runs on this host too. The times are therefore an upper bound of the host latency that a
/// device sees.
///
/// # Errors
/// [`RefereeError::Link`] if no pseudo-terminal is available, or it broke.
pub fn host_latency(rounds: u32) -> Result<HostLatency, RefereeError> {
    let mut board = PtyLink::open().map_err(RefereeError::Link)?;
    let path = board.path().to_string_lossy().into_owned();
    let host = SerialLink::open(&path).map_err(RefereeError::Link)?;
    let echo = thread::spawn(move || {
        let mut parser = HostCodeParser::new();
        let mut buf = [0; 64];
        // The test ends when the host closes the link.
        while let Ok(received) = board.recv(&mut buf, Instant::now() + SILENCE) {
            let mut bytes = received.bytes.iter();
            if bytes.any(|&byte| parser.feed(byte).code == Some(HostCode::Handshake))
                && board.send(b"1HL").is_err()
            {
                return;
            }
        }
    });
    let mut line = Connection::new(Player::board(host), Seat::One, WireLog::new(), REPLY_LIMIT);
    let mut times = Vec::new();
    for _ in 0..rounds.max(1) {
        let prompt = line.session().handshake()?;
        match line.ask(prompt, Duration::ZERO) {
            Ok(answer) => times.push(answer.time.wall),
            // A reply that exceeds the limit of 1 s counts as 1 s, the worst measurable value.
            Err(PromptError::Player(_)) => times.push(REPLY_LIMIT),
            Err(PromptError::Host(error)) => return Err(error),
        }
    }
    drop(line);
    // The thread can otherwise only panic, which does not affect the times.
    let _ = echo.join();
    Ok(HostLatency::of(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_from_the_shortest() {
        let times = (1..=200).rev().map(Duration::from_micros).collect();
        let latency = HostLatency::of(times);
        assert_eq!(latency.below(500), Duration::from_micros(100));
        assert_eq!(latency.below(990), Duration::from_micros(198));
        assert_eq!(latency.longest(), Duration::from_micros(200));
        let one = HostLatency::of(vec![Duration::from_micros(7)]);
        assert_eq!((one.below(1), one.longest()), (one.longest(), one.below(1)));
    }

    #[test]
    fn every_round_is_measured() {
        let latency = host_latency(20).unwrap();
        assert_eq!(latency.0.len(), 20);
        assert!(latency.below(500) > Duration::ZERO);
        // A prompt without a reply counts as the limit; the far end replies to some.
        assert!(latency.below(1) < REPLY_LIMIT);
    }
}
