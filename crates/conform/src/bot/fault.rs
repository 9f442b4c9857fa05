//! Faults of text bots.

use std::fmt;
use std::time::Duration;

use duoforge_rules::IllegalMove;

/// Fault of a text bot, with the line concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotProtocolFault {
    /// The program does not start.
    Start {
        /// Error of the operating system.
        reason: String,
    },
    /// No `ready` in answer to the input test.
    NotReady {
        /// Time limit.
        limit: Duration,
    },
    /// A `ready` that does not answer the input test.
    EarlyReady,
    /// `settings state json` after `ready`.
    LateState,
    /// No answer to a request for a move.
    Silent {
        /// Request.
        asked: String,
        /// Waiting time.
        waited: Duration,
    },
    /// The answer arrived only after the input had been closed.
    Unflushed {
        /// Request.
        asked: String,
        /// Answer.
        got: String,
    },
    /// The answer exceeded the time left.
    Late {
        /// Request.
        asked: String,
        /// Time of the answer.
        after: Duration,
        /// Time left.
        limit: Duration,
    },
    /// The answer has capital letters instead of small ones.
    Capitals {
        /// Answer.
        got: String,
    },
    /// The answer is neither a code nor an action number.
    NoMove {
        /// Answer.
        got: String,
        /// Fault of its first word.
        reason: String,
    },
    /// The move is against the rules.
    Illegal {
        /// Answer.
        got: String,
        /// Violated rule.
        reason: IllegalMove,
        /// Name of the variant.
        variant: String,
        /// Moves before it.
        after: String,
    },
    /// A line arrived while no answer was due.
    Unsolicited {
        /// Line.
        got: String,
    },
    /// The program ended, or closed its output.
    Ended {
        /// Last line sent.
        asked: String,
        /// End of the process.
        end: String,
        /// Last lines of its log; may be empty.
        tail: String,
    },
    /// The program did not exit in time.
    Stays {
        /// Event after which it must exit.
        after: &'static str,
        /// Time limit.
        limit: Duration,
    },
    /// The log of a game exceeds the limit.
    LongLog {
        /// Size in bytes.
        bytes: u64,
        /// Limit in bytes.
        limit: u64,
    },
}

impl BotProtocolFault {
    /// Keyword of the fault, for programs.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::NotReady { .. } => "not-ready",
            Self::EarlyReady => "early-ready",
            Self::LateState => "late-state",
            Self::Silent { .. } => "silent",
            Self::Unflushed { .. } => "unflushed",
            Self::Late { .. } => "late",
            Self::Capitals { .. } => "capitals",
            Self::NoMove { .. } => "no-move",
            Self::Illegal { .. } => "illegal",
            Self::Unsolicited { .. } => "stray",
            Self::Ended { .. } => "ended",
            Self::Stays { .. } => "stays",
            Self::LongLog { .. } => "long-log",
        }
    }
}

/// Describes the fault in a sentence.
impl fmt::Display for BotProtocolFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = Duration::as_secs_f64;
        match self {
            Self::Start { reason } => write!(f, "the program cannot be started: {reason}"),
            Self::NotReady { limit } => write!(
                f,
                "no line 'ready' in answer to 'action warmup {}'",
                limit.as_millis()
            ),
            Self::EarlyReady => f.write_str("'ready' that no 'action warmup' asked for"),
            Self::LateState => {
                f.write_str("'settings state json' after 'ready': it must come before it")
            }
            Self::Silent { asked, waited } => {
                write!(f, "no answer to '{asked}' within {:.3} s", seconds(waited))
            }
            Self::Unflushed { asked, got } => write!(
                f,
                "the answer '{got}' to '{asked}' arrived only once the input was closed: flush \
                 standard output after each line"
            ),
            Self::Late {
                asked,
                after,
                limit,
            } => write!(
                f,
                "the answer to '{asked}' took {:.3} s: the limit is {:.3} s",
                seconds(after),
                seconds(limit)
            ),
            Self::Capitals { got } => write!(
                f,
                "answer '{got}' has capital letters: expected small ones for column, row and tile"
            ),
            Self::NoMove { got, reason } => write!(f, "answer '{got}' is not a move: {reason}"),
            Self::Illegal {
                got,
                reason,
                variant,
                after,
            } => write!(
                f,
                "illegal move '{got}' in {variant} after [{after}]: {reason}"
            ),
            Self::Unsolicited { got } => write!(f, "line '{got}' that no request asked for"),
            Self::Ended { asked, end, tail } => {
                write!(f, "the program {end} after '{asked}'")?;
                match tail.as_str() {
                    "" => Ok(()),
                    tail => write!(f, "; its last lines on standard error:\n{tail}"),
                }
            }
            Self::Stays { after, limit } => {
                write!(f, "no exit within {:.3} s after {after}", seconds(limit))
            }
            Self::LongLog { bytes, limit } => write!(
                f,
                "the log of a game has {bytes} bytes: those beyond {limit} are dropped"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults with their keywords and sentences.
    fn table() -> Vec<(BotProtocolFault, &'static str, &'static str)> {
        use BotProtocolFault as Fault;
        const MS: fn(u64) -> Duration = Duration::from_millis;
        let asked = || "action move 1000".to_owned();
        let got = || "53e0".to_owned();
        let ended = |tail: &str| Fault::Ended {
            asked: asked(),
            end: "ended with exit status 3".to_owned(),
            tail: tail.to_owned(),
        };
        vec![
            (
                Fault::Start {
                    reason: "not found".to_owned(),
                },
                "start",
                "the program cannot be started: not found",
            ),
            (
                Fault::NotReady { limit: MS(2_500) },
                "not-ready",
                "no line 'ready' in answer to 'action warmup 2500'",
            ),
            (
                Fault::EarlyReady,
                "early-ready",
                "'ready' that no 'action warmup' asked for",
            ),
            (
                Fault::LateState,
                "late-state",
                "'settings state json' after 'ready': it must come before it",
            ),
            (
                Fault::Silent {
                    asked: asked(),
                    waited: MS(3_000),
                },
                "silent",
                "no answer to 'action move 1000' within 3.000 s",
            ),
            (
                Fault::Unflushed {
                    asked: asked(),
                    got: got(),
                },
                "unflushed",
                "the answer '53e0' to 'action move 1000' arrived only once the input was closed: \
                 flush standard output after each line",
            ),
            (
                Fault::Late {
                    asked: asked(),
                    after: MS(1_001),
                    limit: MS(1_000),
                },
                "late",
                "the answer to 'action move 1000' took 1.001 s: the limit is 1.000 s",
            ),
            (
                Fault::Capitals { got: got() },
                "capitals",
                "answer '53e0' has capital letters: expected small ones for column, row and tile",
            ),
            (
                Fault::NoMove {
                    got: "resign".to_owned(),
                    reason: "too long".to_owned(),
                },
                "no-move",
                "answer 'resign' is not a move: too long",
            ),
            (
                Fault::Illegal {
                    got: got(),
                    reason: IllegalMove::OffBoard,
                    variant: "duo".to_owned(),
                    after: "a8e0".to_owned(),
                },
                "illegal",
                "illegal move '53e0' in duo after [a8e0]: the tile reaches beyond the board",
            ),
            (
                Fault::Unsolicited { got: got() },
                "stray",
                "line '53e0' that no request asked for",
            ),
            (
                ended(""),
                "ended",
                "the program ended with exit status 3 after 'action move 1000'",
            ),
            (
                ended("no model"),
                "ended",
                "the program ended with exit status 3 after 'action move 1000'; its last lines on \
                 standard error:\nno model",
            ),
            (
                Fault::Stays {
                    after: "'quit'",
                    limit: MS(500),
                },
                "stays",
                "no exit within 0.500 s after 'quit'",
            ),
            (
                Fault::LongLog {
                    bytes: 2_000,
                    limit: 1_000,
                },
                "long-log",
                "the log of a game has 2000 bytes: those beyond 1000 are dropped",
            ),
        ]
    }

    #[test]
    fn every_fault_of_a_bot_has_its_keyword_and_sentence() {
        for (fault, kind, text) in table() {
            assert_eq!(fault.kind(), kind);
            assert_eq!(fault.to_string(), text);
        }
    }
}
