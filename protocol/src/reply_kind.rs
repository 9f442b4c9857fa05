//! Kinds of replies, and their lengths.

use core::fmt;

/// Kind of reply that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyKind {
    /// `1XX`, three bytes.
    Team,
    /// A four-letter code.
    Move,
    /// Eight hexadecimal digits.
    Build,
}

impl ReplyKind {
    /// Length of the reply in bytes, without CR and LF.
    #[must_use]
    pub const fn length(self) -> u8 {
        match self {
            Self::Team => 3,
            Self::Move => 4,
            Self::Build => 8,
        }
    }
}

impl fmt::Display for ReplyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Team => "team code 1XX",
            Self::Move => "four-letter code",
            Self::Build => "build id",
        })
    }
}
