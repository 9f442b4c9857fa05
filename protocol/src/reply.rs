//! Parser of a device's replies on the host side, byte by byte.

use core::fmt;

use crate::code::{BuildId, Frame, MoveCode, TeamCode};
use crate::is_line_end;
use crate::reply_kind::ReplyKind;

/// Complete reply of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// `1XX`: team code of the device.
    Team(TeamCode),
    /// Move; the characters are printable, the legality is unchecked.
    Move(MoveCode),
    /// A build id.
    Build(BuildId),
}

impl Reply {
    /// Parses a complete reply; CR and LF are ignored.
    ///
    /// # Errors
    /// [`ReplyError`] describes the fault. Only this function returns [`ReplyError::Long`], since a
    /// [`ReplyParser`] ends with the last byte of a reply.
    pub fn parse(expect: ReplyKind, bytes: &[u8]) -> Result<Self, ReplyError> {
        let got = bytes.iter().filter(|&&byte| !is_line_end(byte)).count();
        if got > usize::from(expect.length()) {
            return Err(ReplyError::Long { expect, got });
        }
        let mut parser = ReplyParser::new(expect);
        let reply = bytes.iter().find_map(|&byte| parser.feed(byte));
        reply.unwrap_or_else(|| Err(parser.unfinished()))
    }

    /// Bytes of the reply on the wire.
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

/// Fault of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ReplyError {
    /// No byte arrived.
    #[error("no answer where a {expect} was due")]
    Silent {
        /// Kind of reply that was due.
        expect: ReplyKind,
    },
    /// The reply is incomplete.
    #[error("the answer broke off after {got} of {} bytes of a {expect}", .expect.length())]
    Short {
        /// Kind of reply that was due.
        expect: ReplyKind,
        /// Number of bytes received, at least 1.
        got: u8,
    },
    /// The reply has more bytes than its kind.
    #[error("{got} bytes came where a {expect} has {}", .expect.length())]
    Long {
        /// Kind of reply that was due.
        expect: ReplyKind,
        /// Number of bytes received, without CR and LF.
        got: usize,
    },
    /// The reply to `0` does not begin with `1`.
    #[error("the answer to 0 begins with '{}' instead of '1'", .found.escape_ascii())]
    MissingOne {
        /// First byte of the reply.
        found: u8,
    },
    /// The reply to `????` is not a build id.
    #[error("a build id has 8 hexadecimal digits")]
    NotHexadecimal,
    /// The reply contains a space. Unlike CR and LF it counts as a character, as in the contest's
    /// host.
    #[error("a space stands at position {position} of the answer")]
    Space {
        /// Position in the reply, counted from 0 without CR and LF.
        position: u8,
    },
    /// A byte is a control character or not ASCII.
    #[error("byte 0x{byte:02x} at position {position} of the answer is not printable ASCII")]
    NotPrintable {
        /// Value of the byte.
        byte: u8,
        /// Position in the reply, counted from 0 without CR and LF.
        position: u8,
    },
}

/// Parser of one reply. CR and LF are ignored; a space makes the reply malformed.
///
/// Framing goes by length alone, as in the contest's host: the parser checks a reply when its last
/// byte has arrived. One wrong byte therefore leaves no rest of the reply on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplyParser {
    expect: ReplyKind,
    bytes: [u8; Frame::MAX],
    len: u8,
}

impl ReplyParser {
    /// Creates a parser for one reply.
    #[must_use]
    pub const fn new(expect: ReplyKind) -> Self {
        Self {
            expect,
            bytes: [0; Frame::MAX],
            len: 0,
        }
    }

    /// Takes the next byte; the last byte of the reply returns the reply or its fault. A further
    /// byte begins a new reply of the same kind.
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
            ReplyKind::Move => {
                let [a, b, c, d, ..] = self.bytes;
                Ok(Reply::Move([a, b, c, d]))
            }
            ReplyKind::Build => core::str::from_utf8(bytes)
                .ok()
                .and_then(|text| text.parse().ok())
                .map(Reply::Build)
                .ok_or(ReplyError::NotHexadecimal),
            ReplyKind::Team if self.bytes[0] != b'1' => Err(ReplyError::MissingOne {
                found: self.bytes[0],
            }),
            ReplyKind::Team => TeamCode::new([self.bytes[1], self.bytes[2]])
                .map(Reply::Team)
                .map_err(|_| ReplyError::NotPrintable {
                    byte: self.bytes[1],
                    position: 1,
                }),
        }
    }

    /// Kind of reply that is due.
    #[must_use]
    pub const fn expect(&self) -> ReplyKind {
        self.expect
    }

    /// Bytes of the partial reply, without CR and LF.
    #[must_use]
    pub fn received(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Fault if no more bytes arrive: [`ReplyError::Silent`] or [`ReplyError::Short`].
    #[must_use]
    pub const fn unfinished(&self) -> ReplyError {
        let expect = self.expect;
        match self.len {
            0 => ReplyError::Silent { expect },
            got => ReplyError::Short { expect, got },
        }
    }
}
