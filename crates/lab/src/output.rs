//! Standard output, standard error and the text of errors.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Error of standard output.
#[derive(Debug, thiserror::Error)]
#[error("standard output cannot be written")]
pub struct OutputError(#[from] io::Error);

/// Writes a line to standard output.
///
/// # Errors
/// A closed or full standard output.
pub fn line(text: impl Display) -> Result<(), OutputError> {
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// Writes text to standard output.
///
/// # Errors
/// A closed or full standard output.
pub fn text(text: &str) -> Result<(), OutputError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes a line to standard error. A closed or full standard error is ignored: the work matters
/// more than its notes.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Returns true if the reader of standard output closed it, as `head` does.
#[must_use]
pub fn is_closed(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<OutputError>();
    error.is_some_and(|OutputError(cause)| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns the message of an error with its causes. A cause that a message already ends with is not
/// repeated.
#[must_use]
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, anyhow};

    use super::*;

    /// Error whose message ends with its cause.
    #[derive(Debug, thiserror::Error)]
    #[error("list.txt cannot be read: {source}")]
    struct Unreadable {
        source: io::Error,
    }

    #[test]
    fn causes_are_not_repeated() {
        let source = io::Error::other("no such file");
        let error: anyhow::Error = Err::<(), _>(Unreadable { source })
            .context("in shard 2")
            .expect_err("an error");
        assert_eq!(
            message(&error),
            "in shard 2: list.txt cannot be read: no such file"
        );
        let error = anyhow!("line 3").context("list.txt");
        assert_eq!(message(&error), "list.txt: line 3");
    }

    #[test]
    fn only_a_closed_standard_output_is_a_quiet_end() {
        let error = |kind| anyhow::Error::from(OutputError(io::Error::from(kind)));
        assert!(is_closed(
            &error(io::ErrorKind::BrokenPipe).context("report")
        ));
        assert!(!is_closed(&error(io::ErrorKind::StorageFull)));
        let of_a_player = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(!is_closed(&of_a_player.into()));
    }
}
