//! Faults of a device.

use std::fmt;
use std::time::Duration;

use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules::{CodeError, IllegalMove};

use crate::bot::BotProtocolFault;

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
    BadPrefix {
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
        reason: IllegalMove,
        /// Moves before it.
        after: String,
    },
    /// Unsolicited bytes arrived.
    Unsolicited {
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
    /// Fault of a text bot in its text protocol.
    Bot(BotProtocolFault),
}

impl From<BotProtocolFault> for Fault {
    fn from(fault: BotProtocolFault) -> Self {
        Self::Bot(fault)
    }
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
            Self::BadPrefix { .. } => "no-one",
            Self::Code { .. } => "code",
            Self::Illegal { reason, .. } => match reason {
                IllegalMove::GameOver => "illegal-game-over",
                IllegalMove::PassOnFirstTurn | IllegalMove::PassWithPlacement => "illegal-pass",
                IllegalMove::TileUsed { .. } => "illegal-tile-used",
                IllegalMove::OffBoard => "illegal-off-board",
                IllegalMove::Occupied { .. } => "illegal-occupied",
                IllegalMove::EdgeContact { .. } => "illegal-edge-contact",
                IllegalMove::StartCellMissed { .. } | IllegalMove::StartCellsMissed { .. } => {
                    "illegal-start-cell"
                }
                IllegalMove::NoCornerContact | IllegalMove::NoConnection { .. } => {
                    "illegal-no-corner"
                }
            },
            Self::Unsolicited { .. } => "stray",
            Self::OtherTeam { .. } => "other-team",
            Self::Differs { .. } => "differs",
            Self::EarlyPass { .. } => "early-pass",
            Self::Bot(fault) => fault.kind(),
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
            Self::Capitals { got } | Self::BadPrefix { got } => (b"", got),
            Self::Code { got, .. } | Self::Illegal { got, .. } | Self::Differs { got, .. } => {
                (b"", got)
            }
            Self::Unsolicited { after, got } => (after.as_bytes(), got),
            Self::OtherTeam { .. } | Self::EarlyPass { .. } | Self::Bot(_) => (b"", b""),
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
                | Self::Unsolicited { .. }
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
            | Self::BadPrefix { .. }
            | Self::Code { .. } => Aspect::Codes,
            Self::Illegal { .. } => Aspect::Rules,
            Self::Unsolicited { .. } => Aspect::Quiet,
            Self::OtherTeam { .. }
            | Self::Differs { .. }
            | Self::EarlyPass { .. }
            | Self::Bot(_) => Aspect::Other,
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
                write!(f, "no reply to {asked} within {:.3} s", seconds(waited))
            }
            Self::Short { asked, got, waited } => write!(
                f,
                "reply to {asked} is incomplete: '{}' within {:.3} s",
                got.escape_ascii(),
                seconds(waited)
            ),
            Self::Late {
                asked,
                after,
                limit,
            } => write!(
                f,
                "reply to {asked} took {:.3} s: the limit is {:.3} s",
                seconds(after),
                seconds(limit)
            ),
            Self::Trickle {
                asked,
                between: [first, last],
                limit,
            } => write!(
                f,
                "reply to {asked} took from {:.3} s to {:.3} s: the limit is {:.3} s",
                seconds(first),
                seconds(last),
                seconds(limit)
            ),
            Self::Lost { asked, got, reason } => write!(
                f,
                "link lost after {asked} and '{}': {reason}",
                got.escape_ascii()
            ),
            Self::Space { asked, got } => write!(
                f,
                "reply '{}' to {asked} has a space, which the contest's host counts as a letter",
                got.escape_ascii()
            ),
            Self::Capitals { got } => write!(
                f,
                "reply '{}' has capital letters: expected small ones for column, row and tile",
                got.escape_ascii()
            ),
            Self::Bytes { asked, got } => write!(
                f,
                "reply '{}' to {asked} has bytes that are not printable characters (a possible \
                 cause is a wrong baud rate)",
                got.escape_ascii()
            ),
            Self::BadPrefix { got } => {
                write!(f, "reply to 0 is '{}': expected 1XX", got.escape_ascii())
            }
            Self::Code { got, reason } => {
                write!(f, "reply '{}' is not a code: {reason}", got.escape_ascii())
            }
            Self::Illegal { got, reason, after } => {
                write!(
                    f,
                    "illegal move {} after [{after}]: {reason}",
                    got.escape_ascii()
                )
            }
            Self::Unsolicited { after, got } => {
                write!(
                    f,
                    "unsolicited bytes '{}' after {after}",
                    got.escape_ascii()
                )
            }
            Self::OtherTeam { first, now } => {
                write!(
                    f,
                    "team code {now} differs from the first team code {first}"
                )
            }
            Self::Differs { asked, plain, got } => write!(
                f,
                "reply to {asked} is {}; reply to the canonical form is {}",
                got.escape_ascii(),
                plain.escape_ascii()
            ),
            Self::EarlyPass { legal, after } => {
                write!(
                    f,
                    "voluntary pass with {legal} legal placements after [{after}]"
                )
            }
            Self::Bot(fault) => fault.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
