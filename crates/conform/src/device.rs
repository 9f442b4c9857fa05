//! Device under test: its link, its time, and the log of the traffic.

use std::error::Error;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::{Endpoint, LoggedLink, WireEntry, WireLog};
use duoforge_links::{DRAIN_LIMIT, Link, LinkError, Sent};
use duoforge_protocol::{HostCode, ReplyKind, is_line_end};
use duoforge_referee::{Player, StallMonitor};

use crate::check_error::lost;
use crate::closed_link::ClosedLink;

pub use crate::check_error::CheckError;

/// Function that opens the device, at the beginning and after a loss of the link.
pub type Opener<'a> = Box<dyn FnMut() -> Result<Player, Box<dyn Error + Send + Sync>> + 'a>;

/// Name of the connection in the log.
const LINE: &str = "device";

/// Maximum number of bytes of a reply that are kept with their spaces and line ends.
const MAX_REPLY: usize = 256;

/// Pacing of the bytes of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// All bytes at once.
    Whole,
    /// Single bytes, with a pause before each except the first.
    Split(Duration),
    /// All bytes at once, followed by CR and LF.
    LineEnds,
}

/// Logged link to the device.
pub struct DeviceUnderTest {
    link: LoggedLink<Box<dyn Link>>,
    log: WireLog,
    sent: Option<Sent>,
    /// Time of the waits since the last send, in the device's time.
    passed: Duration,
    /// Measures the stall of the host between two instants.
    pub stalls: fn(Instant, Instant) -> Duration,
}

/// Received bytes, and the times of the first and the last byte after the prompt.
pub struct RawReply {
    pub bytes: Vec<u8>,
    pub between: [Duration; 2],
    /// Stall of the host from the prompt to the last byte; zero in simulated time.
    pub stall: Duration,
}

impl DeviceUnderTest {
    pub fn new(player: Player) -> Self {
        // The first call starts the monitor.
        let _ = StallMonitor::of_host();
        let log = WireLog::new();
        Self {
            link: LoggedLink::new(player.into_link(), log.clone(), LINE, Endpoint::Host),
            log,
            sent: None,
            passed: Duration::ZERO,
            stalls: |from, to| StallMonitor::of_host().stall(from, to).stopped,
        }
    }

    /// Closes a lost link, so that the device can be opened again under its name.
    pub fn close(&mut self) {
        let link: Box<dyn Link> = Box::new(ClosedLink);
        self.link = LoggedLink::new(link, self.log.clone(), LINE, Endpoint::Host);
    }

    /// Time of the waits since the last send.
    pub const fn waited(&self) -> Duration {
        self.passed
    }

    /// Takes the log entries since the last call.
    pub fn take_log(&self) -> Vec<WireEntry> {
        self.log.take()
    }

    /// Sends a code.
    pub fn send(&mut self, code: HostCode, shape: Pacing) -> Result<(), CheckError> {
        let frame = code.encode();
        match shape {
            Pacing::Whole => self.send_bytes(&frame),
            Pacing::LineEnds => self.send_bytes(&[&*frame, b"\r\n"].concat()),
            Pacing::Split(pause) => {
                for (i, byte) in frame.iter().enumerate() {
                    if i > 0 {
                        self.listen(pause)?;
                    }
                    self.send_bytes(&[*byte])?;
                }
                Ok(())
            }
        }
    }

    /// Sends bytes that may not form a code.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), CheckError> {
        let sent = self.link.send(bytes);
        let sent = sent.map_err(|error| lost(error, bytes, Vec::new()))?;
        self.sent = Some(sent);
        self.passed = Duration::ZERO;
        Ok(())
    }

    /// Waits for a reply until its length is complete, without spaces and line ends, or until
    /// `patience` after the send. Further bytes that arrive with the last one are returned too.
    /// After [`MAX_REPLY`] bytes, spaces and line ends are dropped.
    pub fn hear(
        &mut self,
        asked: &[u8],
        expect: ReplyKind,
        patience: Duration,
    ) -> Result<RawReply, CheckError> {
        let mut heard = RawReply {
            bytes: Vec::new(),
            between: [Duration::ZERO; 2],
            stall: Duration::ZERO,
        };
        let Some(sent) = self.sent else {
            return Ok(heard);
        };
        let stalls = self.stalls;
        let stall = |to| match sent.simulated {
            Some(_) => Duration::ZERO,
            None => stalls(sent.at, to),
        };
        let mut deadline = sent.at + patience;
        let mut extended = false;
        let mut at = sent.at;
        let mut letters = 0;
        let mut buf = [0; 64];
        while letters < usize::from(expect.length()) {
            match self.link.recv(&mut buf, deadline) {
                Ok(received) => {
                    let after = received.since(&sent);
                    self.passed = after;
                    at = received.at;
                    if heard.bytes.is_empty() {
                        heard.between[0] = after;
                    }
                    heard.between[1] = after;
                    let is_letter = |byte: &&u8| !is_line_end(**byte) && **byte != b' ';
                    letters += received.bytes.iter().filter(is_letter).count();
                    if heard.bytes.len() < MAX_REPLY {
                        heard.bytes.extend_from_slice(received.bytes);
                    } else {
                        let bytes = received.bytes.iter();
                        heard.bytes.extend(bytes.filter(is_letter));
                    }
                    // Bytes without a letter do not extend the wait.
                    if after <= deadline.saturating_duration_since(sent.at) {
                        continue;
                    }
                }
                Err(LinkError::Timeout) => {
                    self.passed = deadline.saturating_duration_since(sent.at);
                }
                Err(error) => return Err(lost(error, asked, heard.bytes)),
            }
            let lack = stall(Instant::now());
            if extended || lack.is_zero() {
                break;
            }
            // The stall has shortened the device's time.
            extended = true;
            deadline = Instant::now() + lack.min(patience);
        }
        heard.stall = stall(at);
        Ok(heard)
    }

    /// Waits for a span of the device's time and returns the bytes received meanwhile.
    pub fn listen(&mut self, span: Duration) -> Result<Vec<u8>, CheckError> {
        let mut bytes = Vec::new();
        let begin = Instant::now();
        // With a simulated device, a deadline counts from the last send.
        let deadline = match self.sent {
            Some(sent) if sent.simulated.is_some() => sent.at + self.passed + span,
            _ => begin + span,
        };
        let mut buf = [0; 64];
        loop {
            match self.link.recv(&mut buf, deadline) {
                Ok(received) => bytes.extend_from_slice(received.bytes),
                Err(LinkError::Timeout) => break,
                Err(error) => return Err(lost(error, b"", bytes)),
            }
            if bytes.len() > DRAIN_LIMIT {
                break;
            }
        }
        self.passed += span;
        Ok(bytes)
    }

    /// Returns the bytes that have arrived already.
    pub fn drain(&mut self) -> Result<Vec<u8>, CheckError> {
        self.link
            .drain()
            .map_err(|error| lost(error, b"", Vec::new()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use duoforge_links::ExecLink;

    use super::*;
    use crate::scripted;

    /// Long enough for any machine, short enough for a test that fails.
    const SOON: Duration = Duration::from_secs(20);

    /// A shell script as a device.
    fn device(script: &str) -> DeviceUnderTest {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        DeviceUnderTest::new(Player::board(ExecLink::start(&words).unwrap()))
    }

    fn team() -> ReplyKind {
        HostCode::Handshake.expects().expect("a reply")
    }

    /// Line ends and spaces do not count, so that a reply is awaited to its last letter.
    #[test]
    fn a_reply_is_complete_with_its_letters() {
        for (pieces, all) in [
            (["1", "AA"], "1AA"),
            (["\\r\\n1", "AA"], "\r\n1AA"),
            (["1 A ", "A"], "1 A A"),
            (["1A\\n\\n", "A"], "1A\n\nA"),
        ] {
            let script = format!(
                "head -c 1 >/dev/null; printf '{}'; sleep 0.1; printf '{}'; cat >/dev/null",
                pieces[0], pieces[1]
            );
            let mut device = device(&script);
            device.send(HostCode::Handshake, Pacing::Whole).unwrap();
            let heard = device.hear(b"0", team(), SOON).unwrap();
            assert_eq!(heard.bytes, all.as_bytes());
            let [first, last] = heard.between;
            assert!(first < last && last < SOON, "{first:?} {last:?}");
            assert!(last - first > Duration::from_millis(50));
        }
    }

    #[test]
    fn a_reply_that_stays_incomplete_ends_with_the_patience() {
        let mut device = device("head -c 1 >/dev/null; printf 1A; cat >/dev/null");
        device.send(HostCode::Handshake, Pacing::Whole).unwrap();
        let begun = Instant::now();
        let patience = Duration::from_millis(200);
        let heard = device.hear(b"0", team(), patience).unwrap();
        assert_eq!(heard.bytes, b"1A");
        assert!((patience..SOON).contains(&begun.elapsed()));
    }

    /// A flood without a letter ends the wait with the patience; the letters in one are a reply.
    #[test]
    fn blank_lines_are_not_a_reply() {
        let mut blank = device("yes ''");
        blank.send(HostCode::Handshake, Pacing::Whole).unwrap();
        let begun = Instant::now();
        let heard = blank.hear(b"0", team(), Duration::from_millis(300));
        let heard = heard.unwrap();
        assert!(begun.elapsed() < SOON);
        assert!(heard.bytes.iter().all(|&byte| byte == b'\n'));
        assert!(heard.bytes.len() < MAX_REPLY + 64);

        let mut late = device("yes '' | head -n 100000; printf 1AA; cat >/dev/null");
        late.send(HostCode::Handshake, Pacing::Whole).unwrap();
        let heard = late.hear(b"0", team(), SOON).unwrap();
        assert!(heard.bytes.ends_with(b"\n1AA"));
        assert!(heard.bytes.len() < MAX_REPLY + 128);
    }

    /// A device that never stops sending does not keep its listener.
    #[test]
    fn listening_ends_with_its_span_or_after_64_kibibytes() {
        let mut silent = device("cat >/dev/null");
        let begun = Instant::now();
        let span = Duration::from_millis(100);
        assert_eq!(silent.listen(span).unwrap(), b"");
        assert!((span..SOON).contains(&begun.elapsed()));

        let mut babbling = device("yes");
        let begun = Instant::now();
        let bytes = babbling.listen(SOON).unwrap();
        assert!(
            (64 * 1024..65 * 1024).contains(&bytes.len()),
            "{}",
            bytes.len()
        );
        assert!(begun.elapsed() < SOON);
    }

    /// The fault holds the bytes that arrived before the device ended, and the end of the program.
    #[test]
    fn a_device_that_ends_is_a_fault() {
        let mut device = device("head -c 1 >/dev/null; printf 1A; echo 'no model' >&2; exit 3");
        device.send(HostCode::Handshake, Pacing::Whole).unwrap();
        let heard = device.hear(b"0", team(), SOON);
        let Err(CheckError::Fault(fault)) = heard else {
            panic!("the device has ended");
        };
        assert_eq!(
            fault.to_string(),
            "link lost after 0 and '1A': the program ended with exit status 3; its last \
             lines on standard error:\nno model"
        );
    }

    /// There is no pause before the first byte and after the last one.
    #[test]
    fn a_split_code_pauses_between_its_bytes() {
        let mut device = device("cat >/dev/null");
        let begun = Instant::now();
        device
            .send(HostCode::Handshake, Pacing::Split(SOON))
            .unwrap();
        assert!(begun.elapsed() < SOON);

        let pause = Duration::from_millis(50);
        let start = duoforge_protocol::StartCell::A;
        let begun = Instant::now();
        device
            .send(HostCode::First { start }, Pacing::Split(pause))
            .unwrap();
        assert!(begun.elapsed() >= pause);
        let log = device.take_log();
        let sent: Vec<_> = log.iter().filter_map(WireEntry::bytes).collect();
        assert_eq!(sent, [b"0", b"2", b"A"]);
    }

    /// The time between a reply and the wait does not shorten the wait.
    #[test]
    fn a_wait_for_a_real_device_begins_when_it_is_called() {
        let mut device = device("cat >/dev/null");
        device.send(HostCode::End, Pacing::Whole).unwrap();
        std::thread::sleep(Duration::from_millis(150));
        let span = Duration::from_millis(100);
        let begun = Instant::now();
        assert_eq!(device.listen(span).unwrap(), b"");
        assert!(begun.elapsed() >= span);
    }

    #[test]
    fn bytes_that_have_arrived_can_be_drained() {
        let mut device = device("printf '!?'; cat >/dev/null");
        let deadline = Instant::now() + SOON;
        let mut bytes = Vec::new();
        while bytes.len() < 2 {
            assert!(Instant::now() < deadline);
            bytes.extend(device.drain().unwrap());
        }
        assert_eq!(bytes, b"!?");
    }

    /// Only replies and the host's waits advance the time of a simulated device.
    #[test]
    fn a_wait_for_a_simulated_device_is_in_its_time() {
        const MS: fn(u64) -> Duration = Duration::from_millis;
        let reply = vec![(MS(100_000), b"1AA".to_vec()), (MS(250_000), b"!".to_vec())];
        let mut device = DeviceUnderTest::new(scripted::device([reply]));
        device.send(HostCode::Handshake, Pacing::Whole).unwrap();
        let heard = device.hear(b"0", team(), MS(200_000)).unwrap();
        assert_eq!(heard.bytes, b"1AA");
        assert_eq!(device.listen(MS(99_000)).unwrap(), b"");
        assert_eq!(device.listen(MS(50_000)).unwrap(), b"");
        assert_eq!(device.listen(MS(1_000)).unwrap(), b"!");
    }

    #[test]
    fn listening_ends_with_the_first_bytes_beyond_64_kibibytes() {
        let chunks = (0..2000).map(|_| (Duration::ZERO, vec![b'y'; 64]));
        let mut device = DeviceUnderTest::new(scripted::device([chunks.collect()]));
        device.send(HostCode::Handshake, Pacing::Whole).unwrap();
        assert_eq!(device.listen(SOON).unwrap().len(), 64 * 1024 + 64);
    }
}
