//! Runs a program to completion.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use thiserror::Error;

/// Error of an external program.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The program is not installed.
    #[error("{tool} is not installed: {hint}, or name the program in {variable}")]
    Missing {
        /// Name of the program.
        tool: &'static str,
        /// Environment variable that overrides the search.
        variable: &'static str,
        /// Name of the first task that needs the program.
        task: &'static str,
        /// Next action, without a full stop.
        hint: String,
    },
    /// The environment variable names no program. Its value is not a command line.
    #[error(
        "{variable} names '{}', which is not a file: give the path of one program, or unset it",
        .value.display()
    )]
    Named {
        /// Environment variable.
        variable: &'static str,
        /// Value of the variable.
        value: OsString,
        /// Name of the first task that needs the program.
        task: &'static str,
    },
    /// The version of the program is less than the minimum.
    #[error("{version} ({}) is too old: expected at least {minimum}; {hint}", .program.display())]
    TooOld {
        /// Version, as the program prints it.
        version: String,
        /// Path of the program.
        program: PathBuf,
        /// Oldest version that suits.
        minimum: &'static str,
        /// Name of the first task that needs the program.
        task: &'static str,
        /// Next action, without a full stop.
        hint: String,
    },
    /// The program failed.
    #[error("{command} ended with {status}:\n{output}")]
    Failed {
        /// Command line.
        command: String,
        /// Exit status.
        status: ExitStatus,
        /// Output of the program; the end of it if it is long.
        output: String,
    },
    /// The operating system could not start the program.
    #[error("starting {}: {source}", .program.display())]
    Start {
        /// Path of the program.
        program: PathBuf,
        /// Cause.
        source: io::Error,
    },
}

impl ToolError {
    /// Returns the name of the task whose program is missing or does not suit; `None` for a program
    /// that failed or did not start.
    pub const fn task(&self) -> Option<&'static str> {
        match self {
            Self::Missing { task, .. } | Self::Named { task, .. } | Self::TooOld { task, .. } => {
                Some(task)
            }
            Self::Failed { .. } | Self::Start { .. } => None,
        }
    }
}

/// Runs a program without input to completion and returns its standard output.
///
/// # Errors
/// [`ToolError::Failed`] with both outputs, or [`ToolError::Start`] if it could not be started.
pub fn run(command: &mut Command) -> Result<String, ToolError> {
    run_for_both(command).map(|[printed, _]| printed)
}

/// Runs a program as [`run`] does, but returns standard output and standard error.
///
/// # Errors
/// As [`run`].
pub fn run_for_both(command: &mut Command) -> Result<[String; 2], ToolError> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source| ToolError::Start {
            program: command.get_program().into(),
            source,
        })?;
    let [printed, complained] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        return Ok([printed, complained]);
    }
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    let text = printed + &complained;
    Err(ToolError::Failed {
        command: words.join(" "),
        status: output.status,
        output: tail(text.trim(), 4000).to_owned(),
    })
}

/// Returns at most the last `limit` bytes, from the start of a line if there is one.
pub fn tail(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let start = (text.len() - limit..text.len()).find(|&at| text.is_char_boundary(at));
    let end = &text[start.unwrap_or(text.len())..];
    end.split_once('\n').map_or(end, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_what_was_printed() {
        let error = run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]));
        let text = error.expect_err("it fails").to_string();
        assert!(
            text.contains("exit status: 3") && text.contains("out\nerr"),
            "{text}"
        );
    }

    #[test]
    fn tails_start_at_a_line() {
        assert_eq!(tail("one\ntwo\nthree", 100), "one\ntwo\nthree");
        assert_eq!(tail("one\ntwo\nthree", 8), "three");
        assert_eq!(tail("ééé", 3), "é");
    }
}
