//! Errors of journals.

use std::io;
use std::path::{Path, PathBuf};

/// Error of reading or writing a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A new journal would replace an existing file.
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// Another process has the journal open for writing.
    #[error("{} is in use by another process", .0.display())]
    Locked(PathBuf),
    /// The file cannot be read or written.
    #[error("{} cannot be {action}: {source}", .path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Failed action, as in "cannot be written".
        action: &'static str,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The disk, or the quota of the user, is full. Earlier records are intact.
    #[error("{} cannot be written: the disk or the quota is full", .0.display())]
    Full(PathBuf),
    /// A record is longer than a reader accepts. Nothing was written.
    #[error(
        "{}: a record of {length} bytes is out of range: expected at most {}",
        .path.display(),
        crate::checked_line::LONGEST
    )]
    TooLong {
        /// Path of the file.
        path: PathBuf,
        /// Length of the record as a line, in bytes.
        length: usize,
    },
    /// An earlier write failed, so the journal is closed.
    #[error("{}: journal closed after a failed write", .0.display())]
    Broken(PathBuf),
    /// The file is not a journal.
    #[error("{} is not a journal: {reason}", .path.display())]
    NoJournal {
        /// Path of the file.
        path: PathBuf,
        /// Fault at the beginning of the file.
        reason: String,
    },
    /// The journal has a version that this program does not support.
    #[error(
        "{}: journal version {version} is not supported: expected {} to {}",
        .path.display(),
        crate::OLDEST_VERSION,
        crate::VERSION
    )]
    Version {
        /// Path of the file.
        path: PathBuf,
        /// Version of the journal.
        version: u32,
    },
    /// A line is damaged although intact lines follow.
    #[error("{}: line {line} is damaged: {reason}", .path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Fault of the line.
        reason: String,
    },
}

impl JournalError {
    /// Classifies an I/O error of an action; a full disk becomes [`JournalError::Full`].
    pub(crate) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::Full(path.to_owned()),
            _ => Self::Io {
                path: path.to_owned(),
                action,
                source,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use io::ErrorKind as Kind;

    use super::*;

    #[test]
    fn a_disk_without_room_is_told_from_other_failures() {
        let text =
            |kind: Kind| JournalError::io(Path::new("cup"), "written", kind.into()).to_string();
        for kind in [Kind::StorageFull, Kind::QuotaExceeded, Kind::FileTooLarge] {
            assert_eq!(
                text(kind),
                "cup cannot be written: the disk or the quota is full"
            );
        }
        for kind in [Kind::PermissionDenied, Kind::NotFound, Kind::Interrupted] {
            assert_eq!(text(kind), format!("cup cannot be written: {kind}"));
        }
    }
}
