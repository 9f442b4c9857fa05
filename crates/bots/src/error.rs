//! Errors of bots.

use std::io;
use std::time::Duration;

use crate::{BotEnd, Phase};

/// Fault of a bot that ends its game.
#[derive(Debug, thiserror::Error)]
#[error("{program}: {fault}{}", last_lines(.tail))]
pub struct BotError {
    /// Program of the bot's command line.
    pub program: String,
    /// Part of the game in which the fault occurred.
    pub phase: Phase,
    /// The fault.
    pub fault: BotFault,
    /// Last lines of the bot's log.
    pub tail: String,
}

/// Kinds of faults.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BotFault {
    /// The operating system could not start the program.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// The bot did not answer the input test with `ready` in time.
    #[error(
        "failed the input test: no line 'ready' in answer to 'action warmup {}'", .limit.as_millis()
    )]
    InputTest {
        /// Time limit.
        limit: Duration,
    },
    /// The bot ended, or closed its output, before the end of the game.
    #[error("{0}")]
    Ended(BotEnd),
    /// The answer is neither a code nor an action number.
    #[error("invalid answer: {reason}")]
    Malformed {
        /// First word of the answer, up to 200 characters of it.
        word: String,
        /// Fault of that word.
        reason: String,
    },
    /// The bot exceeded its time for the second time.
    #[error("exceeded its time for the second time: no answer within {} ms", .limit.as_millis())]
    TimedOut {
        /// Time that was left for the answer.
        limit: Duration,
    },
    /// The bot did not answer a request in time, nor afterwards.
    #[error("no answer within {} ms", .limit.as_millis())]
    Silent {
        /// Time for which the host waited.
        limit: Duration,
    },
    /// Error of the operating system on a pipe to the bot.
    #[error("{0}")]
    Io(io::Error),
}

/// Formats the last lines of the log, if there are any.
fn last_lines(tail: &str) -> String {
    match tail {
        "" => String::new(),
        tail => format!("; its last lines on standard error:\n{tail}"),
    }
}
