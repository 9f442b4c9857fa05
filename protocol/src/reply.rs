//! The host's side of the line, byte by byte: what a board answers.

use core::fmt;

use crate::code::{BuildId, Frame, MoveCode, TeamCode};
use crate::is_line_end;

/// Which answer is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expect {
    /// `1XX`, three bytes.
    Team,
    /// A four-letter code.
    Move,
    /// Eight hexadecimal digits.
    Build,
}

impl Expect {
    /// Length of the answer in bytes, CR and LF not counted.
    #[must_use]
    pub const fn length(self) -> u8 {
        match self {
            Self::Team => 3,
            Self::Move => 4,
            Self::Build => 8,
        }
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Team => "team code 1XX",
            Self::Move => "four-letter code",
            Self::Build => "build id",
        })
    }
}

/// A complete answer of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// `1XX`: the board's team code.
    Team(TeamCode),
    /// A move; printable, but otherwise not judged.
    Move(MoveCode),
    /// A build id.
    Build(BuildId),
}

impl Reply {
    /// Parses an answer that is there as a whole; CR and LF are ignored.
    ///
    /// # Errors
    /// [`ReplyError`] says what is broken. [`ReplyError::Long`] comes from here only, since a
    /// [`ReplyParser`] ends with the last byte of an answer.
    pub fn parse(expect: Expect, bytes: &[u8]) -> Result<Self, ReplyError> {
        let got = bytes.iter().filter(|&&byte| !is_line_end(byte)).count();
        if got > usize::from(expect.length()) {
            return Err(ReplyError::Long { expect, got });
        }
        let mut parser = ReplyParser::new(expect);
        let reply = bytes.iter().find_map(|&byte| parser.feed(byte));
        reply.unwrap_or_else(|| Err(parser.unfinished()))
    }

    /// The bytes on the line.
    #[must_use]
    pub fn encode(self) -> Frame {
        match self {
            Self::Team(team) => team.reply(),
            Self::Move(code) => Frame::new(&code),
            Self::Build(build) => build.reply(),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encode().fmt(f)
    }
}

/// Why an answer is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ReplyError {
    /// Not one byte came.
    #[error("no answer where a {expect} was due")]
    Silent {
        /// What was due.
        expect: Expect,
    },
    /// The answer broke off.
    #[error("the answer broke off after {got} of {} bytes of a {expect}", .expect.length())]
    Short {
        /// What was due.
        expect: Expect,
        /// How many bytes came, at least 1.
        got: u8,
    },
    /// More bytes came than the answer has.
    #[error("{got} bytes came where a {expect} has {}", .expect.length())]
    Long {
        /// What was due.
        expect: Expect,
        /// How many bytes came, CR and LF not counted.
        got: usize,
    },
    /// The answer to `0` does not begin with `1`.
    #[error("the answer to 0 begins with '{}' instead of '1'", .found.escape_ascii())]
    MissingOne {
        /// The first byte of the answer.
        found: u8,
    },
    /// The answer to `????` is no build id.
    #[error("a build id has 8 hexadecimal digits")]
    NotHexadecimal,
    /// A space stands in the answer: unlike CR and LF it counts as a letter, as with the contest's
    /// host.
    #[error("a space stands at position {position} of the answer")]
    Space {
        /// Its place in the answer, counted from 0 without CR and LF.
        position: u8,
    },
    /// A byte is a control character or not ASCII.
    #[error("byte 0x{byte:02x} at position {position} of the answer is not printable ASCII")]
    NotPrintable {
        /// The byte.
        byte: u8,
        /// Its place in the answer, counted from 0 without CR and LF.
        position: u8,
    },
}

/// Collects the bytes of one answer. CR and LF are ignored; a space is not, and makes the answer broken.
///
/// Framing goes by length alone, as the contest's host does it: the answer is judged when its
/// last byte is there, so that one broken byte does not leave the rest of it on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplyParser {
    expect: Expect,
    bytes: [u8; Frame::MAX],
    len: u8,
}

impl ReplyParser {
    /// A parser of one answer.
    #[must_use]
    pub const fn new(expect: Expect) -> Self {
        Self {
            expect,
            bytes: [0; Frame::MAX],
            len: 0,
        }
    }

    /// Takes the next byte; the last one of the answer returns it, or what is broken in it.
    /// A further byte begins a new answer of the same kind.
    pub fn feed(&mut self, byte: u8) -> Option<Result<Reply, ReplyError>> {
        if is_line_end(byte) {
            return None;
        }
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
        if self.len < self.expect.length() {
            return None;
        }
        self.len = 0;
        Some(self.judge())
    }

    fn judge(&self) -> Result<Reply, ReplyError> {
        let bytes = &self.bytes[..usize::from(self.expect.length())];
        if let Some(position) = bytes.iter().position(|byte| !byte.is_ascii_graphic()) {
            let byte = bytes[position];
            if byte == b' ' {
                return Err(ReplyError::Space {
                    position: position as u8,
                });
            }
            return Err(ReplyError::NotPrintable {
                byte,
                position: position as u8,
            });
        }
        match self.expect {
            Expect::Move => {
                let [a, b, c, d, ..] = self.bytes;
                Ok(Reply::Move([a, b, c, d]))
            }
            Expect::Build => core::str::from_utf8(bytes)
                .ok()
                .and_then(|text| text.parse().ok())
                .map(Reply::Build)
                .ok_or(ReplyError::NotHexadecimal),
            Expect::Team if self.bytes[0] != b'1' => Err(ReplyError::MissingOne {
                found: self.bytes[0],
            }),
            Expect::Team => TeamCode::new([self.bytes[1], self.bytes[2]])
                .map(Reply::Team)
                .map_err(|_| ReplyError::NotPrintable {
                    byte: self.bytes[1],
                    position: 1,
                }),
        }
    }

    /// What is due.
    #[must_use]
    pub const fn expect(&self) -> Expect {
        self.expect
    }

    /// The bytes of the unfinished answer so far, without CR and LF.
    #[must_use]
    pub fn received(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// What is wrong if nothing more comes: [`ReplyError::Silent`] or [`ReplyError::Short`].
    #[must_use]
    pub const fn unfinished(&self) -> ReplyError {
        let expect = self.expect;
        match self.len {
            0 => ReplyError::Silent { expect },
            got => ReplyError::Short { expect, got },
        }
    }
}
