//! Decoder of the bytes of both directions.

use std::fmt;
use std::time::Duration;

use duoforge_protocol::{
    HostCode, HostCodeParser, INTER_BYTE_TIMEOUT, PASS, Reply, ReplyError, ReplyParser, is_line_end,
};

use super::Direction;

/// Meaning of some bytes on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// The host sent a code.
    Code(HostCode),
    /// The byte begins no code, or interrupts one.
    Garbage(u8),
    /// A partial code was dropped at the inter-byte timeout, or its start letter is wrong.
    Unfinished,
    /// The device replied; the time counts from the last byte of the prompt to the last byte of the
    /// reply.
    Answer(Reply, Duration),
    /// The device sent a malformed reply.
    Broken(ReplyError),
    /// The device sent an unsolicited byte.
    Unsolicited(u8),
    /// The prompt was superseded by the next code before its reply.
    Unanswered(ReplyError),
}

/// Decoder of both directions of one connection.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    host: HostCodeParser,
    due: Option<ReplyParser>,
    /// Time of the last bytes from the host.
    last: Duration,
}

impl Decoder {
    /// Creates a decoder of a connection without traffic so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes bytes with their time, measured from any fixed origin. Calls must be in the order of
    /// time.
    pub fn feed(&mut self, direction: Direction, bytes: &[u8], at: Duration) -> Vec<Decoded> {
        let mut decoded = Vec::new();
        match direction {
            Direction::ToBoard => {
                if at.saturating_sub(self.last) >= INTER_BYTE_TIMEOUT && self.host.on_silence() {
                    decoded.push(Decoded::Unfinished);
                }
                self.last = at;
                bytes
                    .iter()
                    .for_each(|&byte| self.hear_host(byte, &mut decoded));
            }
            Direction::FromBoard => {
                let after = at.saturating_sub(self.last);
                for &byte in bytes {
                    let answer = match &mut self.due {
                        Some(parser) => parser.feed(byte),
                        None if is_line_end(byte) => None,
                        None => {
                            decoded.push(Decoded::Unsolicited(byte));
                            None
                        }
                    };
                    if let Some(answer) = answer {
                        self.due = None;
                        let answer = answer.map(|reply| Decoded::Answer(reply, after));
                        decoded.push(answer.unwrap_or_else(Decoded::Broken));
                    }
                }
            }
        }
        decoded
    }

    fn hear_host(&mut self, byte: u8, decoded: &mut Vec<Decoded>) {
        let step = self.host.feed(byte);
        if step.bad_start {
            decoded.push(Decoded::Unfinished);
        }
        if step.garbage {
            decoded.push(Decoded::Garbage(byte));
        }
        if let Some(code) = step.code {
            if let Some(parser) = self.due.take() {
                decoded.push(Decoded::Unanswered(parser.unfinished()));
            }
            self.due = code.expects().map(ReplyParser::new);
            decoded.push(Decoded::Code(code));
        }
    }
}

impl fmt::Display for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => {
                let frame = code.encode();
                match code {
                    HostCode::Handshake => write!(f, "{frame}  asks for the team code"),
                    HostCode::First { start } => write!(f, "{frame}  first move, from {start}"),
                    HostCode::Second { start, code } => write!(
                        f,
                        "{frame}  first move, from {start}, after {}",
                        code.escape_ascii()
                    ),
                    HostCode::Turn { code } if *code == PASS => {
                        write!(f, "{frame}  the opponent passed")
                    }
                    HostCode::Turn { code } => {
                        write!(f, "{frame}  the opponent played {}", code.escape_ascii())
                    }
                    HostCode::End => write!(f, "{frame}  the game is over"),
                    HostCode::Identify => write!(f, "{frame}  asks for the build"),
                }
            }
            Self::Garbage(byte) => write!(f, "'{}' begins no code", byte.escape_ascii()),
            Self::Unfinished => f.write_str("a code broke off"),
            Self::Answer(reply, after) => {
                let what = match reply {
                    Reply::Team(team) => format!("team {team}"),
                    Reply::Move(code) if *code == PASS => "passes".to_owned(),
                    Reply::Move(_) => "plays".to_owned(),
                    Reply::Build(_) => "build".to_owned(),
                };
                let millis = after.as_secs_f64() * 1000.0;
                write!(f, "{reply}  {what}, after {millis:.3} ms")
            }
            Self::Broken(error) => write!(f, "no answer: {error}"),
            Self::Unsolicited(byte) => write!(f, "'{}' was unsolicited", byte.escape_ascii()),
            Self::Unanswered(error) => write!(f, "continued without the reply: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_conversation_is_told_code_by_code() {
        use Direction::{FromBoard, ToBoard};
        let mut decoder = Decoder::new();
        let mut told = Vec::new();
        for (direction, bytes, millis) in [
            (ToBoard, &b"0"[..], 0),
            (FromBoard, b"1A", 1),
            (FromBoard, b"A\r\n", 2),
            (ToBoard, b"3A53", 10),
            (ToBoard, b"e0", 11),
            (FromBoard, b"a8e0!", 15),
            (ToBoard, b"40000", 20),
            (FromBoard, b"21", 30),
            (ToBoard, b"9", 1100),
            (ToBoard, b"x4a8", 1200),
            (ToBoard, b"0", 1400),
            (FromBoard, b"2AA", 1401),
        ] {
            let decoded = decoder.feed(direction, bytes, at(millis));
            told.extend(decoded.iter().map(ToString::to_string));
        }
        let expected = [
            "0  asks for the team code",
            "1AA  team AA, after 2.000 ms",
            "3A53e0  first move, from (a,a), after 53e0",
            "a8e0  plays, after 4.000 ms",
            "'!' was unsolicited",
            "40000  the opponent passed",
            "continued without the reply: the answer broke off after 2 of 4 bytes of a four-letter code",
            "9  the game is over",
            "'x' begins no code",
            "a code broke off",
            "0  asks for the team code",
            "no answer: the answer to 0 begins with '2' instead of '1'",
        ];
        assert_eq!(told, expected);
    }

    proptest! {
        /// The division of the bytes into chunks does not change their meaning.
        #[test]
        fn chunks_do_not_matter(
            bytes in prop::collection::vec((any::<bool>(), any::<u8>()), 0..200),
            codes in "[0-9Aae]{0,40}",
        ) {
            let direction = |to: bool| if to { Direction::ToBoard } else { Direction::FromBoard };
            let coded = codes.bytes().map(|byte| (true, byte));
            let bytes: Vec<_> = bytes.into_iter().chain(coded).collect();
            let mut single = Decoder::new();
            let singly: Vec<_> = bytes
                .iter()
                .flat_map(|&(to, byte)| single.feed(direction(to), &[byte], at(0)))
                .collect();
            let mut chunked = Decoder::new();
            let by_chunk: Vec<_> = bytes
                .chunk_by(|a, b| a.0 == b.0)
                .flat_map(|chunk| {
                    let bytes: Vec<u8> = chunk.iter().map(|&(_, byte)| byte).collect();
                    chunked.feed(direction(chunk[0].0), &bytes, at(0))
                })
                .collect();
            prop_assert_eq!(singly, by_chunk);
        }
    }
}
