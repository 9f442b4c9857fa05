//! The device under test: its link, its clock, and what went over the line.

use std::time::{Duration, Instant};

use duoforge_arena::{ArenaError, Player};
use duoforge_protocol::link::{Link, LinkError, Sent};
use duoforge_protocol::wirelog::{LoggedLink, Side, WireEntry, WireLog};
use duoforge_protocol::{Expect, HostCode, is_line_end};
use duoforge_sim::SimError;

use crate::Fault;

/// Opens the device, also when it has gone and may have come back.
pub type Opener<'a> = Box<dyn FnMut() -> Result<Player, ArenaError> + 'a>;

/// The name of the line in the log.
const LINE: &str = "device";

/// How the bytes of a request are given to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All at once.
    Whole,
    /// One by one, with a pause before each but the first.
    Split(Duration),
    /// All at once, with CR and LF behind them.
    LineEnds,
}

/// A link to the device that keeps a log.
pub struct Device {
    link: LoggedLink<Box<dyn Link>>,
    log: WireLog,
    sent: Option<Sent>,
    /// How far the device's own time has come since the last sending, where it is simulated.
    passed: Duration,
}

/// Bytes that came, and when the first and the last of them did after the request.
pub struct Heard {
    pub bytes: Vec<u8>,
    pub between: [Duration; 2],
}

/// What ends a conversation at once.
#[derive(Debug)]
pub enum Trouble {
    /// The device's doing.
    Fault(Fault),
    /// The situation that a step is about does not come up; why not.
    NotReached(String),
    /// A failure of this program.
    Failed(ArenaError),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ArenaError> for Trouble {
    fn from(error: ArenaError) -> Self {
        Self::Failed(error)
    }
}

impl Device {
    pub fn new(player: Player) -> Self {
        let log = WireLog::new();
        Self {
            link: LoggedLink::new(player.into_link(), log.clone(), LINE, Side::Host),
            log,
            sent: None,
            passed: Duration::ZERO,
        }
    }

    /// Takes what went over the line since it was asked last.
    pub fn take_log(&self) -> Vec<WireEntry> {
        self.log.take()
    }

    /// Sends a code.
    pub fn send(&mut self, code: HostCode, shape: Shape) -> Result<(), Trouble> {
        let frame = code.encode();
        match shape {
            Shape::Whole => self.send_bytes(&frame),
            Shape::LineEnds => self.send_bytes(&[&*frame, b"\r\n"].concat()),
            Shape::Split(pause) => {
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

    /// Sends bytes that may be no code.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        let sent = self.link.send(bytes);
        let sent = sent.map_err(|error| lost(error, bytes, Vec::new()))?;
        self.sent = Some(sent);
        self.passed = Duration::ZERO;
        Ok(())
    }

    /// Waits for an answer: until its length is complete, spaces and line ends not counted, or
    /// until `patience` after the sending is over. Whatever else comes with its last byte is
    /// returned too.
    pub fn hear(
        &mut self,
        asked: &[u8],
        expect: Expect,
        patience: Duration,
    ) -> Result<Heard, Trouble> {
        let mut heard = Heard {
            bytes: Vec::new(),
            between: [Duration::ZERO; 2],
        };
        let Some(sent) = self.sent else {
            return Ok(heard);
        };
        let mut buf = [0; 64];
        loop {
            match self.link.recv(&mut buf, sent.at + patience) {
                Ok(received) => {
                    let after = received.since(&sent);
                    self.passed = after;
                    if heard.bytes.is_empty() {
                        heard.between[0] = after;
                    }
                    heard.between[1] = after;
                    heard.bytes.extend_from_slice(received.bytes);
                }
                Err(LinkError::Timeout) => {
                    self.passed = patience;
                    return Ok(heard);
                }
                Err(error) => return Err(lost(error, asked, heard.bytes)),
            }
            let letters = heard
                .bytes
                .iter()
                .filter(|&&byte| !is_line_end(byte) && byte != b' ');
            if letters.count() >= usize::from(expect.length()) {
                return Ok(heard);
            }
        }
    }

    /// Lets a span of the device's time go by and returns what came in it.
    pub fn listen(&mut self, span: Duration) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        let begin = Instant::now();
        // A deadline counts from the last sending where the device's time is its own.
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
            if bytes.len() > 64 * 1024 {
                break;
            }
        }
        self.passed += span;
        Ok(bytes)
    }

    /// What has come already.
    pub fn drain(&mut self) -> Result<Vec<u8>, Trouble> {
        self.link
            .drain()
            .map_err(|error| lost(error, b"", Vec::new()))
    }
}

/// What an error of the link means: a failure of a simulator is this program's.
fn lost(error: LinkError, asked: &[u8], got: Vec<u8>) -> Trouble {
    let reason = match error {
        LinkError::Io { name, source } => match source.downcast::<SimError>() {
            Ok(error) => return Trouble::Failed(ArenaError::Simulation(error)),
            Err(source) => LinkError::Io { name, source }.to_string(),
        },
        LinkError::Timeout => "the device takes no bytes".to_owned(),
        error => error.to_string(),
    };
    let asked = asked.escape_ascii().to_string();
    Trouble::Fault(Fault::Lost { asked, got, reason })
}

#[cfg(all(test, unix))]
mod tests {
    use duoforge_protocol::link::ExecLink;

    use super::*;

    /// Long enough for any machine, short enough for a test that fails.
    const SOON: Duration = Duration::from_secs(20);

    /// A shell script as a device.
    fn device(script: &str) -> Device {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        Device::new(Player::board(ExecLink::start(&words).unwrap()))
    }

    fn team() -> Expect {
        HostCode::Hello.expects().expect("a reply")
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
            device.send(HostCode::Hello, Shape::Whole).unwrap();
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
        device.send(HostCode::Hello, Shape::Whole).unwrap();
        let begun = Instant::now();
        let patience = Duration::from_millis(200);
        let heard = device.hear(b"0", team(), patience).unwrap();
        assert_eq!(heard.bytes, b"1A");
        assert!((patience..SOON).contains(&begun.elapsed()));
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

    /// The bytes that came before the device went away are told.
    #[test]
    fn a_device_that_ends_is_a_fault() {
        let mut device = device("head -c 1 >/dev/null; printf 1A");
        device.send(HostCode::Hello, Shape::Whole).unwrap();
        let heard = device.hear(b"0", team(), SOON);
        assert!(matches!(heard, Err(Trouble::Fault(_))));
    }
}
