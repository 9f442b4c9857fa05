//! What a device can do wrong.

use std::fmt;
use std::time::Duration;

use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules::{CodeError, Illegal};

/// Something that a device did wrong, with the request that it answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing came.
    Silent {
        /// The request.
        asked: String,
        /// How long was waited.
        waited: Duration,
    },
    /// The answer broke off.
    Short {
        /// The request.
        asked: String,
        /// What came.
        got: Vec<u8>,
        /// How long was waited.
        waited: Duration,
    },
    /// The whole answer came after the limit.
    Late {
        /// The request.
        asked: String,
        /// When the last byte came.
        after: Duration,
        /// The limit.
        limit: Duration,
    },
    /// The answer began in time and was complete after the limit.
    Trickle {
        /// The request.
        asked: String,
        /// When the first and the last byte came.
        between: [Duration; 2],
        /// The limit.
        limit: Duration,
    },
    /// The link broke.
    Lost {
        /// The last request.
        asked: String,
        /// What had come of its answer.
        got: Vec<u8>,
        /// How.
        reason: String,
    },
    /// A space stands in an answer or behind it; the contest's host takes it for a letter.
    Space {
        /// The request.
        asked: String,
        /// The answer.
        got: Vec<u8>,
    },
    /// A capital letter stands where the code has a small one.
    Capitals {
        /// The answer.
        got: Vec<u8>,
    },
    /// A byte of the answer is no printable character.
    Bytes {
        /// The request.
        asked: String,
        /// The answer.
        got: Vec<u8>,
    },
    /// The answer to `0` does not begin with `1`.
    NoOne {
        /// The answer.
        got: Vec<u8>,
    },
    /// The answer is no code.
    Code {
        /// The answer.
        got: MoveCode,
        /// Why not.
        reason: CodeError,
    },
    /// The move is against the rules.
    Illegal {
        /// The move.
        got: MoveCode,
        /// The rule.
        reason: Illegal,
        /// The moves before it.
        after: String,
    },
    /// Bytes came that were not asked for.
    Stray {
        /// After what.
        after: String,
        /// The bytes.
        got: Vec<u8>,
    },
    /// The answer to `0` is another one than before.
    OtherTeam {
        /// The first team code.
        first: TeamCode,
        /// The one that came now.
        now: TeamCode,
    },
    /// Two ways to say the same are answered differently by a device that otherwise repeats itself.
    Differs {
        /// What was said differently.
        asked: String,
        /// The answer to the plain way.
        plain: MoveCode,
        /// The answer to the other way.
        got: MoveCode,
    },
    /// The device passed although it could have placed a tile.
    EarlyPass {
        /// How many placements it had.
        legal: u32,
        /// The moves before it.
        after: String,
    },
}

impl Fault {
    /// The kind in one word, for programs.
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

    /// What kinds have in common that may come from one and the same mistake. Steps that are stopped
    /// by a family that an earlier step has failed with have found nothing new.
    pub(crate) fn family(&self) -> &'static str {
        match self {
            Self::Silent { .. } | Self::Short { .. } => "no-answer",
            Self::Late { .. } | Self::Trickle { .. } => "late",
            Self::Illegal { .. } | Self::Code { .. } => "illegal",
            other => other.kind(),
        }
    }

    /// The bytes that were asked and answered, as far as they are known.
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

    /// Whether the conversation goes on as if nothing had happened.
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

    /// What of it the steps about answers look at.
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

/// Which of the steps about the first game a fault belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Every request is answered.
    Answers,
    /// Answers come in time.
    Timing,
    /// Answers are codes.
    Codes,
    /// Moves are legal.
    Rules,
    /// Nothing else is on the line.
    Quiet,
    /// None of them.
    Other,
}

/// Says in a sentence what happened.
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
