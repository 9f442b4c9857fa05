//! What can go wrong with an engine in another process.

use std::io;
use std::time::Duration;

/// Why an engine did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command line has no word.
    #[error("the command line of the engine is empty")]
    NoCommand,
    /// The operating system did not start it.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        source: io::Error,
    },
    /// It ended, or closed its output.
    #[error("{program} ended at '{command}' with {status}{}", said(.tail))]
    Died {
        /// The program.
        program: String,
        /// The command that was not answered.
        command: String,
        /// How it ended.
        status: String,
        /// The end of what it wrote to its standard error.
        tail: String,
    },
    /// No answer came in time. It may still come; it is then passed over.
    #[error("{program} did not answer '{command}' within {} s{}", .limit.as_secs_f64(), said(.tail))]
    Timeout {
        /// The program.
        program: String,
        /// The command.
        command: String,
        /// What was allowed.
        limit: Duration,
        /// The end of what it wrote to its standard error.
        tail: String,
    },
    /// The answer is an error.
    #[error("{program} refused '{command}': {message}")]
    Refused {
        /// The program.
        program: String,
        /// The command.
        command: String,
        /// What it said.
        message: String,
    },
    /// The answer is not what the protocol or the command asks for.
    #[error("{program} answered '{command}' with '{answer}', which {reason}")]
    Malformed {
        /// The program.
        program: String,
        /// The command.
        command: String,
        /// The answer, shortened.
        answer: String,
        /// What is wrong with it, as the end of a sentence.
        reason: String,
    },
}

/// The last words of an engine, where there are any.
fn said(tail: &str) -> String {
    match tail.trim() {
        "" => String::new(),
        tail => format!("; the last it said was:\n{tail}"),
    }
}
