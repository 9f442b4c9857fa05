//! Journals of directories.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use duoforge_journal::{History, JournalError, read};

use super::table::progress;

/// Journals that were found, and notices about the other files.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Contents of the journals; several copies of one journal are listed once.
    pub histories: Vec<History>,
    /// Notices in the order of the files.
    pub notices: Vec<JournalNotice>,
}

/// Notice about a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalNotice {
    /// The file is broken, or not a journal. It is left out.
    LeftOut(JournalError),
    /// The file is a copy of another journal with as many or more games. It is left out.
    Copy {
        /// Path of the copy.
        path: PathBuf,
        /// Path of the journal that counts.
        of: PathBuf,
    },
    /// The end of the journal is incomplete. The games before it count.
    Torn {
        /// Path of the journal.
        path: PathBuf,
        /// Number of damaged bytes.
        bytes: u64,
    },
}

impl fmt::Display for JournalNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOut(error) => write!(f, "left out: {error}"),
            Self::Copy { path, of } => {
                let (path, of) = (path.display(), of.display());
                write!(f, "left out: {path} is a copy of {of}")
            }
            Self::Torn { path, bytes } => write!(
                f,
                "{}: the last {bytes} bytes are incomplete; the games before them count",
                path.display()
            ),
        }
    }
}

/// Reads the journals of these directories and files.
///
/// In a directory every file is tried, except for hidden ones, whose names begin with a dot.
/// Directories below it, such as those of evidence, are not searched. The result does not depend on
/// the order in which the operating system lists files.
///
/// # Errors
/// [`JournalError::Io`] for a path that cannot be listed or does not exist. A broken or foreign
/// file is a [`JournalNotice`] instead.
pub fn gather(paths: &[PathBuf]) -> Result<Gathered, JournalError> {
    let mut files = Vec::new();
    for path in paths {
        let failed = |source| JournalError::Io {
            path: path.clone(),
            action: "read",
            source,
        };
        if fs::metadata(path).map_err(failed)?.is_dir() {
            let mut found = Vec::new();
            for entry in fs::read_dir(path).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.is_file() && !is_hidden(&path) {
                    found.push(path);
                }
            }
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    let mut gathered = Gathered::default();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in files {
        match read(&path) {
            Ok(contents) => {
                if let Some(torn) = contents.torn {
                    gathered.notices.push(JournalNotice::Torn {
                        path: path.clone(),
                        bytes: torn.len,
                    });
                }
                gathered.add(path, contents.history, &mut kept);
            }
            Err(error) => gathered.notices.push(JournalNotice::LeftOut(error)),
        }
    }
    Ok(gathered)
}

impl Gathered {
    /// Adds a journal; `kept` holds the paths of the journals so far.
    fn add(&mut self, mut path: PathBuf, mut history: History, kept: &mut Vec<PathBuf>) {
        let id = |history: &History| (history.header.made_ms, history.header.id.clone());
        let before = self.histories.iter().position(|it| id(it) == id(&history));
        let Some(before) = before else {
            self.histories.push(history);
            kept.push(path);
            return;
        };
        if progress(&history) > progress(&self.histories[before]) {
            std::mem::swap(&mut history, &mut self.histories[before]);
            std::mem::swap(&mut path, &mut kept[before]);
        }
        let of = kept[before].clone();
        if path != of {
            self.notices.push(JournalNotice::Copy { path, of });
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with('.')
}
