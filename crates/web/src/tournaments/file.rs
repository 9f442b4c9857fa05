//! File of a journal while a tournament writes it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Interval in which the path of a journal is checked.
const CHECK: Duration = Duration::from_millis(500);

/// File that a process has open, and the path that should lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFile {
    path: PathBuf,
    identity: Identity,
}

/// Device and number of a file, which no other file gets while this one is open.
#[cfg(unix)]
type Identity = (u64, u64);

/// Systems without numbers of files do not let an open file be replaced.
#[cfg(not(unix))]
type Identity = ();

impl OpenFile {
    /// Returns the file to which a path leads.
    ///
    /// # Errors
    /// Those of the query of the file.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: identity(path)?,
        })
    }

    /// Waits until the path leads to no file, or to another one, and returns true; returns false if it
    /// still leads to the file when the sender of `ended` has gone.
    pub fn is_lost_until(&self, ended: &Receiver<()>) -> bool {
        loop {
            let waited = ended.recv_timeout(CHECK);
            if self.is_lost() {
                return true;
            }
            if waited != Err(RecvTimeoutError::Timeout) {
                return false;
            }
        }
    }

    /// True if the path leads to no file, or to another one. A file that cannot be queried for another
    /// reason may still be there.
    fn is_lost(&self) -> bool {
        match identity(&self.path) {
            Ok(found) => found != self.identity,
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    let file = fs::metadata(path)?;
    Ok((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_file_that_another_one_replaces_is_lost() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other) = (directory.path().join("a"), directory.path().join("b"));
        fs::write(&path, "").unwrap();
        let file = OpenFile::at(&path).unwrap();
        let (running, ended) = channel();
        fs::write(&other, "").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(file.is_lost_until(&ended));
        drop(running);
        assert!(file.is_lost_until(&ended));
        let file = OpenFile::at(&path).unwrap();
        assert!(!file.is_lost_until(&ended));
        fs::remove_file(&path).unwrap();
        assert!(file.is_lost_until(&ended));
    }
}
