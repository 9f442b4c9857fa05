//! Faults of a device.

use std::fmt;
use std::time::Duration;

use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules::{CodeError, Illegal};

/// Fault of a device, with the prompt concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No byte arrived.
    Silent {
        /// Prompt.
        asked: String,
        /// Waiting time.
        waited: Duration,
    },
    /// The reply is incomplete.
    Short {
        /// Prompt.
        asked: String,
        /// Received bytes.
        got: Vec<u8>,
        /// Waiting time.
        waited: Duration,
    },
    /// The whole reply came after the limit.
    Late {
        /// Prompt.
        asked: String,
        /// Time of the last byte.
        after: Duration,
        /// Time limit.
        limit: Duration,
    },
    /// The reply began within the limit and was complete after it.
    Trickle {
        /// Prompt.
        asked: String,
        /// Times of the first and the last byte.
        between: [Duration; 2],
        /// Time limit.
        limit: Duration,
    },
    /// The link broke.
    Lost {
        /// Last prompt.
        asked: String,
        /// Received part of the reply.
        got: Vec<u8>,
        /// Error of the link.
        reason: String,
    },
    /// A space is in a reply or after it; the contest's host takes it for a character.
    Space {
        /// Prompt.
        asked: String,
        /// Reply.
        got: Vec<u8>,
    },
    /// A reply has a capital letter instead of a small one.
    Capitals {
        /// Reply.
        got: Vec<u8>,
    },
    /// A byte of the reply is not a printable character.
    Bytes {
        /// Prompt.
        asked: String,
        /// Reply.
        got: Vec<u8>,
    },
    /// The reply to `0` does not begin with `1`.
    NoOne {
        /// Reply.
        got: Vec<u8>,
    },
    /// The reply is not a code.
    Code {
        /// Reply.
        got: MoveCode,
        /// Fault of the code.
        reason: CodeError,
    },
    /// The move is against the rules.
    Illegal {
        /// Move.
        got: MoveCode,
        /// Violated rule.
        reason: Illegal,
        /// Moves before it.
        after: String,
    },
    /// Unsolicited bytes arrived.
    Stray {
        /// Last prompt.
        after: String,
        /// Received bytes.
        got: Vec<u8>,
    },
    /// The team code differs from the earlier ones.
    OtherTeam {
        /// First team code.
        first: TeamCode,
        /// Current team code.
        now: TeamCode,
    },
    /// An otherwise deterministic device replies differently to an alias and to the canonical code.
    Differs {
        /// Alias that the device received.
        asked: String,
        /// Reply to the canonical code.
        plain: MoveCode,
        /// Reply to the alias.
        got: MoveCode,
    },
    /// Voluntary pass: the device passed with a legal placement.
    EarlyPass {
        /// Number of legal placements.
        legal: u32,
        /// Moves before it.
        after: String,
    },
}

impl Fault {
    /// Keyword of the fault, for programs.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Silent { .. } => "silent",
            Self::Short { .. } => "short",
            Self::Late { .. } => "late",
            Self::Trickle { .. } => "trickle",
            Self::Lost { .. } => "lost",
            Self::Space { .. } => "space",
            Self::Capitals { .. } => "capitals",
            Self::Bytes { .. } => "bytes",
            Self::NoOne { .. } => "no-one",
            Self::Code { .. } => "code",
            Self::Illegal { reason, .. } => match reason {
                Illegal::GameOver => "illegal-game-over",
                Illegal::PassOnFirstTurn => "illegal-pass",
                Illegal::TileUsed { .. } => "illegal-tile-used",
                Illegal::OffBoard => "illegal-off-board",
                Illegal::Occupied { .. } => "illegal-occupied",
                Illegal::EdgeContact { .. } => "illegal-edge-contact",
                Illegal::StartCellMissed { .. } => "illegal-start-cell",
                Illegal::NoCornerContact => "illegal-no-corner",
            },
            Self::Stray { .. } => "stray",
            Self::OtherTeam { .. } => "other-team",
            Self::Differs { .. } => "differs",
            Self::EarlyPass { .. } => "early-pass",
        }
    }

    /// Family of faults with a possible common cause. A check stopped by a family that an earlier
    /// check reported has found nothing new.
    pub(crate) fn family(&self) -> &'static str {
        match self {
            Self::Silent { .. } | Self::Short { .. } => "no-answer",
            Self::Late { .. } | Self::Trickle { .. } => "late",
            Self::Illegal { .. } | Self::Code { .. } => "illegal",
            other => other.kind(),
        }
    }

    /// Bytes of the prompt and the reply, where known.
    pub(crate) fn bytes(&self) -> (&[u8], &[u8]) {
        match self {
            Self::Silent { asked, .. } | Self::Late { asked, .. } | Self::Trickle { asked, .. } => {
                (asked.as_bytes(), b"")
            }
            Self::Short { asked, got, .. }
            | Self::Lost { asked, got, .. }
            | Self::Space { asked, got }
            | Self::Bytes { asked, got } => (asked.as_bytes(), got),
            Self::Capitals { got } | Self::NoOne { got } => (b"", got),
            Self::Code { got, .. } | Self::Illegal { got, .. } | Self::Differs { got, .. } => {
                (b"", got)
            }
            Self::Stray { after, got } => (after.as_bytes(), got),
            Self::OtherTeam { .. } | Self::EarlyPass { .. } => (b"", b""),
        }
    }

    /// True if the check continues after the fault.
    pub(crate) const fn is_soft(&self) -> bool {
        matches!(
            self,
            Self::Late { .. }
                | Self::Trickle { .. }
                | Self::Space { .. }
                | Self::Capitals { .. }
                | Self::Stray { .. }
                | Self::OtherTeam { .. }
                | Self::EarlyPass { .. }
        )
    }

    /// Aspect of the first game that the fault concerns.
    pub(crate) const fn aspect(&self) -> Aspect {
        match self {
            Self::Silent { .. } | Self::Short { .. } | Self::Lost { .. } => Aspect::Answers,
            Self::Late { .. } | Self::Trickle { .. } => Aspect::Timing,
            Self::Space { .. }
            | Self::Capitals { .. }
            | Self::Bytes { .. }
            | Self::NoOne { .. }
            | Self::Code { .. } => Aspect::Codes,
            Self::Illegal { .. } => Aspect::Rules,
            Self::Stray { .. } => Aspect::Quiet,
            Self::OtherTeam { .. } | Self::Differs { .. } | Self::EarlyPass { .. } => Aspect::Other,
        }
    }
}

/// Aspect of the first game that one check examines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Every prompt gets a reply.
    Answers,
    /// Replies are in time.
    Timing,
    /// Replies are codes.
    Codes,
    /// Moves are legal.
    Rules,
    /// No unsolicited bytes arrive.
    Quiet,
    /// No aspect of the first game.
    Other,
}

/// Describes the fault in a sentence.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = Duration::as_secs_f64;
        match self {
            Self::Silent { asked, waited } => {
                write!(
                    f,
                    "nothing came within {:.3} s after {asked}",
                    seconds(waited)
                )
            }
            Self::Short { asked, got, waited } => write!(
                f,
                "only '{}' came within {:.3} s after {asked}",
                got.escape_ascii(),
                seconds(waited)
            ),
            Self::Late {
                asked,
                after,
                limit,
            } => write!(
                f,
                "the answer to {asked} came after {:.3} s; the limit is {:.3} s",
                seconds(after),
                seconds(limit)
            ),
            Self::Trickle {
                asked,
                between: [first, last],
                limit,
            } => write!(
                f,
                "the answer to {asked} trickled in from {:.3} s to {:.3} s; the limit is {:.3} s",
                seconds(first),
                seconds(last),
                seconds(limit)
            ),
            Self::Lost { asked, got, reason } => write!(
                f,
                "the link was lost after {asked} and '{}': {reason}",
                got.escape_ascii()
            ),
            Self::Space { asked, got } => write!(
                f,
                "a space in the answer '{}' to {asked}: the contest's host counts it as a letter",
                got.escape_ascii()
            ),
            Self::Capitals { got } => write!(
                f,
                "capital letters in '{}': columns, rows and tiles are small letters",
                got.escape_ascii()
            ),
            Self::Bytes { asked, got } => write!(
                f,
                "the answer '{}' to {asked} holds bytes that are no printable characters (a wrong \
                 baud rate looks like this)",
                got.escape_ascii()
            ),
            Self::NoOne { got } => write!(
                f,
                "0 was answered with '{}', which does not begin with 1",
                got.escape_ascii()
            ),
            Self::Code { got, reason } => {
                write!(f, "'{}' is no code: {reason}", got.escape_ascii())
            }
            Self::Illegal { got, reason, after } => {
                write!(
                    f,
                    "illegal move {} after [{after}]: {reason}",
                    got.escape_ascii()
                )
            }
            Self::Stray { after, got } => {
                write!(f, "'{}' came after {after}, unasked", got.escape_ascii())
            }
            Self::OtherTeam { first, now } => {
                write!(f, "the team code was {first} and is {now} now")
            }
            Self::Differs { asked, plain, got } => write!(
                f,
                "{asked} is answered with {}, and with {} where it is said plainly",
                got.escape_ascii(),
                plain.escape_ascii()
            ),
            Self::EarlyPass { legal, after } => {
                write!(f, "a pass with {legal} legal placements after [{after}]")
            }
        }
    }
}

#[cfg(test)]
mod tests;
