//! What can be wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A journal shall be made where a file is already.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// Another process has it open for writing.
    #[error("{} is in use by another process", .0.display())]
    Locked(PathBuf),
    /// The file cannot be read or written.
    #[error("{} cannot be {action}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, as in "cannot be written".
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The disk, or the room that this user has on it, is full. What was written before is whole.
    #[error("{} cannot be written: no room is left on the disk", .0.display())]
    Full(PathBuf),
    /// An earlier write failed, so that nothing is written any more.
    #[error("{} is not written any more, since a write to it failed", .0.display())]
    Broken(PathBuf),
    /// The file is no journal.
    #[error("{} is no journal: {reason}", .path.display())]
    NoJournal {
        /// The file.
        path: PathBuf,
        /// What is wrong with its beginning.
        reason: String,
    },
    /// The journal is of a version that this program does not know.
    #[error("{} is a journal of version {version}; this program knows version {}", .path.display(), crate::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A line is damaged although good ones follow.
    #[error("{}, line {line}, is damaged: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The index cannot be read or written.
    #[error("the index {}: {source}", .path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

impl JournalError {
    /// An I/O error with what was tried; a full disk is an error of its own.
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
                "cup cannot be written: no room is left on the disk"
            );
        }
        for kind in [Kind::PermissionDenied, Kind::NotFound, Kind::Interrupted] {
            assert_eq!(text(kind), format!("cup cannot be written: {kind}"));
        }
    }
}
