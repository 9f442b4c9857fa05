//! Endings of a game.

use std::fmt;
use std::time::Duration;

use duoforge_links::LinkError;
use duoforge_protocol::{MoveCode, ReplyError};
use duoforge_rules::{CodeError, IllegalMove};

use crate::{HostStall, Seat, Seats};

/// Reason why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Both players passed in succession.
    BothPassed,
    /// A player placed every tile.
    AllPlaced {
        /// The player that placed them.
        seat: Seat,
    },
    /// A player made a move against the rules.
    Illegal {
        /// The player that made it.
        seat: Seat,
        /// Code as received.
        code: MoveCode,
        /// Violated rule.
        reason: IllegalMove,
    },
    /// A player's reply was not a valid code.
    BrokenCode {
        /// The player that sent it.
        seat: Seat,
        /// Fault of the reply.
        reason: BrokenCode,
    },
    /// A player's reply was not complete in time.
    Timeout {
        /// The player that was late.
        seat: Seat,
        /// The late or missing reply.
        late: LateReply,
    },
    /// The link to a player broke.
    LinkLost {
        /// The player at the far end.
        seat: Seat,
        /// Cause of the loss.
        reason: LinkLoss,
    },
    /// A player did not reply `1XX` to `0`, so that no game began.
    NoHandshake {
        /// Faults in the handshake, of at least one player.
        faults: Seats<Option<Fault>>,
    },
    /// A person resigned.
    Resigned {
        /// The player that resigned.
        seat: Seat,
    },
    /// The host stalled during the wait for a reply, so the reply may have been in time.
    /// The game is annulled and does not count.
    Annulled {
        /// The player whose reply was due.
        seat: Seat,
        /// Measured stall and reply time.
        reason: StalledWait,
    },
    /// The list of moves stops before the end of the game.
    Unfinished,
}

/// Fault of one player in the handshake or in a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The reply was not complete in time.
    Timeout(LateReply),
    /// The reply was not a valid code.
    Broken(BrokenCode),
    /// The link broke.
    Lost(LinkLoss),
    /// A person resigned.
    Resigned,
    /// The host stalled, so the reply may have been in time.
    Uncertain(StalledWait),
}

/// Wait for a reply during which the host stalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StalledWait {
    /// Duration of the host stall.
    pub stall: HostStall,
    /// Measured time of the complete reply, if there was one.
    pub after: Option<Duration>,
    /// Time limit of the reply.
    pub limit: Duration,
}

/// Reply that was not complete in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateReply {
    /// Received bytes without blanks; the whole reply if `after` is known.
    pub received: Vec<u8>,
    /// Time of the last byte, if the reply was completed while the referee waited.
    pub after: Option<Duration>,
    /// Time limit of the reply.
    pub limit: Duration,
}

/// Fault of an invalid reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokenCode {
    /// The bytes violate the protocol.
    Reply(ReplyError),
    /// The four characters are not the code of a move.
    Code {
        /// Received characters.
        code: MoveCode,
        /// Fault of the code.
        error: CodeError,
    },
    /// The answer of a text bot is neither a code nor an action number.
    Text {
        /// First word of the answer.
        reply: String,
        /// Fault of the word.
        reason: String,
    },
}

/// Cause of a lost link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkLoss {
    /// The peer has disconnected.
    Closed,
    /// The program at the far end has ended: its exit status or signal, and the last lines that it
    /// wrote to its standard error.
    Ended(String),
    /// The peer does not accept the bytes that are sent.
    Blocked,
    /// Other error of the operating system.
    Failed(String),
}

impl From<LinkError> for LinkLoss {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Closed => Self::Closed,
            LinkError::Ended { .. } => Self::Ended(error.to_string()),
            LinkError::Timeout => Self::Blocked,
            other => Self::Failed(other.to_string()),
        }
    }
}

impl Fault {
    /// Ending of a game in which the player in `seat` had this fault.
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

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player in this seat won.
    Win(Seat),
    /// Equal scores.
    Draw,
    /// No result: no game began, or it was not played to its end.
    Open,
}

impl Outcome {
    /// Seat of the winner.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Win(seat) => Some(seat),
            Self::Draw | Self::Open => None,
        }
    }
}

impl Ending {
    /// Keyword for programs, stable between versions.
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

    /// The player that lost by this ending, regardless of the scores.
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

    /// True if the game was played to its end by the rules.
    #[must_use]
    pub const fn is_normal(&self) -> bool {
        matches!(self, Self::BothPassed | Self::AllPlaced { .. })
    }

    /// True for a violation: a player broke a rule of the game or of the protocol.
    #[must_use]
    pub const fn is_violation(&self) -> bool {
        !self.is_normal()
            && !matches!(
                self,
                Self::Resigned { .. } | Self::Annulled { .. } | Self::Unfinished
            )
    }

    /// Result of the game by this ending and the scores.
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

/// Describes the ending in a sentence.
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
                write!(f, "annulled while waiting for {seat}: {reason}")
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

impl fmt::Display for LateReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit.as_secs_f64();
        let received = self.received.escape_ascii();
        match self.after {
            Some(after) => {
                let after = after.as_secs_f64();
                if self.received.is_empty() {
                    return write!(f, "the reply was complete after {after:.6} s of {limit} s");
                }
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

impl fmt::Display for StalledWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HostStall { stopped, suspended } = self.stall;
        if suspended.is_zero() {
            write!(f, "the host stalled for {:.3} s", stopped.as_secs_f64())?;
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
            Self::Text { reply, reason } => write!(f, "'{reply}': {reason}"),
        }
    }
}

impl fmt::Display for LinkLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("the other end has gone"),
            Self::Blocked => f.write_str("the other end takes no bytes"),
            Self::Ended(text) | Self::Failed(text) => f.write_str(text),
        }
    }
}
