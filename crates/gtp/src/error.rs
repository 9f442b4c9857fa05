//! Errors of an engine in another process.

use std::io;
use std::time::Duration;

/// Reason why a command to an engine failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command line is empty.
    #[error("the command line of the engine is empty")]
    NoCommand,
    /// The operating system could not start the program.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// Name of the program.
        program: String,
        /// Cause.
        source: io::Error,
    },
    /// The engine exited, or closed its output.
    #[error("{program} ended at '{command}' with {status}{}", said(.tail))]
    Died {
        /// Name of the program.
        program: String,
        /// Command without a response.
        command: String,
        /// Exit status, as text.
        status: String,
        /// Tail of the standard error output.
        tail: String,
    },
    /// No response within the limit. A late response is ignored.
    #[error("{program} did not answer '{command}' within {} s{}", .limit.as_secs_f64(), said(.tail))]
    Timeout {
        /// Name of the program.
        program: String,
        /// Command without a response.
        command: String,
        /// Time limit.
        limit: Duration,
        /// Tail of the standard error output.
        tail: String,
    },
    /// The response is an error.
    #[error("{program} refused '{command}': {message}")]
    Refused {
        /// Name of the program.
        program: String,
        /// Failed command.
        command: String,
        /// Message of the engine.
        message: String,
    },
    /// The response violates the protocol, or the command does not allow it.
    #[error("{program} answered '{command}' with '{answer}', which {reason}")]
    Malformed {
        /// Name of the program.
        program: String,
        /// Command.
        command: String,
        /// Response, shortened.
        answer: String,
        /// Fault of the response; completes a sentence about it.
        reason: String,
    },
}

/// Formats the tail of the standard error output, if there is any.
fn said(tail: &str) -> String {
    match tail.trim() {
        "" => String::new(),
        tail => format!("; its last output was:\n{tail}"),
    }
}
