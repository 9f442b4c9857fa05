//! Scratch files, for parsers that read files only.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

thread_local! {
    /// Directory of this thread; in memory if the system has a file system for that.
    static DIRECTORY: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Writes a file of this thread and returns its path. The name is that of the file in errors.
pub fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = DIRECTORY.with_borrow_mut(|directory| {
        let directory = directory.get_or_insert_with(|| {
            let memory = Path::new("/dev/shm");
            let created = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir());
            created.expect("a directory for scratch files")
        });
        directory.path().join(name)
    });
    fs::write(&path, bytes).expect("a scratch file that can be written");
    path
}
