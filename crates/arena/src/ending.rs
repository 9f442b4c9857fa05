//! Every way in which a game can end.

use std::fmt;
use std::time::Duration;

use duoforge_protocol::link::LinkError;
use duoforge_protocol::{MoveCode, ReplyError};
use duoforge_rules::{CodeError, Illegal};

use crate::{Seat, Seats, Stall};

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Both players passed in a row.
    BothPassed,
    /// A player placed every tile.
    AllPlaced {
        /// Who did.
        seat: Seat,
    },
    /// A player made a move against the rules.
    Illegal {
        /// Who did.
        seat: Seat,
        /// The move as it came.
        code: MoveCode,
        /// The rule.
        reason: Illegal,
    },
    /// A player's answer was no code.
    BrokenCode {
        /// Whose.
        seat: Seat,
        /// What is wrong with it.
        reason: BrokenCode,
    },
    /// A player's answer was not complete in time.
    Timeout {
        /// Whose.
        seat: Seat,
        /// What came of it.
        late: Late,
    },
    /// The link to a player broke.
    LinkLost {
        /// Whose.
        seat: Seat,
        /// How.
        reason: Loss,
    },
    /// A player did not answer `0` with `1XX`, so that no game began.
    NoHandshake {
        /// What went wrong, with one player at least.
        faults: Seats<Option<Fault>>,
    },
    /// A person gave up.
    Resigned {
        /// Who did.
        seat: Seat,
    },
    /// The host stood still while a player was waited for, so that nobody knows whether its answer
    /// was in time. The game does not count.
    Annulled {
        /// Who was waited for.
        seat: Seat,
        /// What is known.
        reason: Uncertain,
    },
    /// The moves stop before the end of the game: a list of moves is incomplete.
    Unfinished,
}

/// What went wrong between the host and one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The answer was not complete in time.
    Timeout(Late),
    /// The answer was no code.
    Broken(BrokenCode),
    /// The link broke.
    Lost(Loss),
    /// A person gave up.
    Resigned,
    /// The host stood still, so that it cannot be told whether the answer was in time.
    Uncertain(Uncertain),
}

/// A wait for an answer during which the host stood still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncertain {
    /// How long the host stood still.
    pub stall: Stall,
    /// When the answer was complete by the clock, if one came.
    pub after: Option<Duration>,
    /// What was allowed.
    pub limit: Duration,
}

/// What came of an answer that was not complete in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The bytes that came, blanks left out; all of the answer's if `after` is known.
    pub received: Vec<u8>,
    /// When the last byte came, where the answer became complete while it was waited for.
    pub after: Option<Duration>,
    /// What was allowed.
    pub limit: Duration,
}

/// Why an answer is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenCode {
    /// The bytes themselves are not what the protocol allows.
    Reply(ReplyError),
    /// Four characters that name no move.
    Code {
        /// The characters.
        code: MoveCode,
        /// Why they name none.
        error: CodeError,
    },
}

/// How a link broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The other end has gone.
    Closed,
    /// The other end does not take the bytes that are sent.
    Stuck,
    /// The system reports another error.
    Failed(String),
}

impl From<LinkError> for Loss {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Closed => Self::Closed,
            LinkError::Timeout => Self::Stuck,
            other => Self::Failed(other.to_string()),
        }
    }
}

impl Fault {
    /// The ending of a game in which this happened to the player of `seat`.
    #[must_use]
    pub fn ends(self, seat: Seat) -> Ending {
        match self {
            Self::Timeout(late) => Ending::Timeout { seat, late },
            Self::Broken(reason) => Ending::BrokenCode { seat, reason },
            Self::Lost(reason) => Ending::LinkLost { seat, reason },
            Self::Resigned => Ending::Resigned { seat },
            Self::Uncertain(reason) => Ending::Annulled { seat, reason },
        }
    }
}

/// How a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A player won.
    Win(Seat),
    /// Equal scores.
    Draw,
    /// There is nothing to score: no game began, or it was not played to its end.
    Open,
}

impl Outcome {
    /// Who won.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Win(seat) => Some(seat),
            Self::Draw | Self::Open => None,
        }
    }
}

impl Ending {
    /// One word for programs, which stays the same between versions.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::BothPassed => "both-passed",
            Self::AllPlaced { .. } => "all-placed",
            Self::Illegal { .. } => "illegal",
            Self::BrokenCode { .. } => "broken-code",
            Self::Timeout { .. } => "timeout",
            Self::LinkLost { .. } => "link-lost",
            Self::NoHandshake { .. } => "no-handshake",
            Self::Resigned { .. } => "resigned",
            Self::Annulled { .. } => "annulled",
            Self::Unfinished => "unfinished",
        }
    }

    /// Who lost by it, whatever the scores are.
    #[must_use]
    pub const fn loser(&self) -> Option<Seat> {
        match self {
            Self::Illegal { seat, .. }
            | Self::BrokenCode { seat, .. }
            | Self::Timeout { seat, .. }
            | Self::LinkLost { seat, .. }
            | Self::Resigned { seat } => Some(*seat),
            Self::BothPassed
            | Self::AllPlaced { .. }
            | Self::NoHandshake { .. }
            | Self::Annulled { .. }
            | Self::Unfinished => None,
        }
    }

    /// Whether the game was played to its end by the rules.
    #[must_use]
    pub const fn is_normal(&self) -> bool {
        matches!(self, Self::BothPassed | Self::AllPlaced { .. })
    }

    /// Whether somebody broke a rule of the game or of the line.
    #[must_use]
    pub const fn is_violation(&self) -> bool {
        !self.is_normal()
            && !matches!(
                self,
                Self::Resigned { .. } | Self::Annulled { .. } | Self::Unfinished
            )
    }

    /// How the game is decided by it and by the scores.
    #[must_use]
    pub fn outcome(&self, score: Seats<i32>) -> Outcome {
        match (self.loser(), self.is_normal()) {
            (Some(seat), _) => Outcome::Win(seat.other()),
            (None, false) => Outcome::Open,
            (None, true) => match score[Seat::One].cmp(&score[Seat::Two]) {
                std::cmp::Ordering::Greater => Outcome::Win(Seat::One),
                std::cmp::Ordering::Less => Outcome::Win(Seat::Two),
                std::cmp::Ordering::Equal => Outcome::Draw,
            },
        }
    }
}

/// Says in a sentence what happened.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BothPassed => f.write_str("both players passed"),
            Self::AllPlaced { seat } => write!(f, "{seat} placed every tile"),
            Self::Illegal { seat, code, reason } => {
                let code = code.escape_ascii();
                write!(f, "illegal move {code} of {seat}: {reason}")
            }
            Self::BrokenCode { seat, reason } => write!(f, "broken code of {seat}: {reason}"),
            Self::Timeout { seat, late } => write!(f, "{seat} exceeded the time limit: {late}"),
            Self::LinkLost { seat, reason } => write!(f, "link to {seat} lost: {reason}"),
            Self::NoHandshake { faults } => {
                f.write_str("no handshake")?;
                let mut mark = ": ";
                for seat in Seat::BOTH {
                    if let Some(fault) = &faults[seat] {
                        write!(f, "{mark}{seat}: {fault}")?;
                        mark = "; ";
                    }
                }
                Ok(())
            }
            Self::Resigned { seat } => write!(f, "{seat} resigned"),
            Self::Annulled { seat, reason } => {
                write!(f, "annulled while {seat} was waited for: {reason}")
            }
            Self::Unfinished => f.write_str("unfinished"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout(late) => late.fmt(f),
            Self::Broken(reason) => reason.fmt(f),
            Self::Lost(reason) => reason.fmt(f),
            Self::Resigned => f.write_str("resigned"),
            Self::Uncertain(reason) => reason.fmt(f),
        }
    }
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit.as_secs_f64();
        let received = self.received.escape_ascii();
        match self.after {
            Some(after) => {
                let after = after.as_secs_f64();
                write!(
                    f,
                    "'{received}' was complete after {after:.6} s of {limit} s"
                )
            }
            None if self.received.is_empty() => write!(f, "nothing came within {limit} s"),
            None => write!(f, "only '{received}' came within {limit} s"),
        }
    }
}

impl fmt::Display for Uncertain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stall { stopped, suspended } = self.stall;
        if suspended.is_zero() {
            write!(f, "the host stood still for {:.3} s", stopped.as_secs_f64())?;
        } else {
            let seconds = suspended.as_secs_f64();
            write!(f, "the machine was suspended for {seconds:.1} s")?;
        }
        let limit = self.limit.as_secs_f64();
        match self.after {
            Some(after) => {
                let after = after.as_secs_f64();
                write!(f, "; the answer was there after {after:.3} s of {limit} s")
            }
            None => write!(f, "; no answer came within {limit} s"),
        }
    }
}

impl fmt::Display for BrokenCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reply(error) => error.fmt(f),
            Self::Code { code, error } => write!(f, "'{}': {error}", code.escape_ascii()),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("the other end has gone"),
            Self::Stuck => f.write_str("the other end takes no bytes"),
            Self::Failed(text) => f.write_str(text),
        }
    }
}
