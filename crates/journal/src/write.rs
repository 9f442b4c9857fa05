//! Writing of journals.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::checked_line::{BEFORE, LONGEST, encode};
use crate::{Header, History, JournalError, Record, Reopened, Torn, now_ms, read};

/// Journal that is open for writing; a lock keeps other processes from opening it for writing.
///
/// Threads may share it. A record is on the disk when [`append`](Self::append) returns; threads
/// that write at the same time share one sync.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    end: Mutex<End>,
    /// True if a write has failed.
    broken: AtomicBool,
    /// Number of records that are on the disk.
    synced: Mutex<u64>,
}

/// End of the file, where the next record is written.
#[derive(Debug)]
struct End {
    /// Number of records.
    records: u64,
    /// Number of bytes.
    bytes: u64,
}

impl Journal {
    /// Creates a journal with its first line. A file that is empty, or holds only an incomplete
    /// first line, is overwritten.
    ///
    /// # Errors
    /// [`JournalError::Exists`], [`JournalError::Locked`], [`JournalError::Io`],
    /// [`JournalError::Full`].
    pub fn create(path: &Path, header: Header) -> Result<Self, JournalError> {
        let written = |error| JournalError::io(path, "written", error);
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let file = file.map_err(written)?;
        lock(&file, path)?;
        if !is_beginning(&file).map_err(written)? {
            return Err(JournalError::Exists(path.to_owned()));
        }
        let line = encode(0, &Record::Header(header));
        let write = || {
            file.set_len(0)?;
            (&file).write_all(&line)?;
            file.sync_all()?;
            sync_directory(path)
        };
        if let Err(error) = write() {
            // The original error is returned. A file that cannot be truncated now is the incomplete
            // beginning of a journal, which the next call overwrites.
            let _ = file.set_len(0);
            return Err(written(error));
        }
        Ok(Self::at_end(path, file, 1, line.len() as u64))
    }

    /// Opens a journal to resume it. Returns its history and the torn end, if any. The torn end is
    /// removed and appended to a file next to the journal, with `.torn` added to its name.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<(Self, History, Option<Torn>), JournalError> {
        let written = |error| JournalError::io(path, "written", error);
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .append(true)
            .open(path)
            .map_err(written)?;
        lock(&file, path)?;
        let scan = read(path)?;
        if let Some(torn) = &scan.torn {
            set_aside(path, &file, torn).map_err(written)?;
            file.set_len(scan.good).map_err(written)?;
            file.sync_all().map_err(written)?;
        }
        let journal = Self::at_end(path, file, scan.records, scan.good);
        journal.append(&Record::Opened(Reopened {
            at_ms: now_ms(),
            torn: scan.torn.as_ref().map_or(0, |torn| torn.len),
        }))?;
        Ok((journal, scan.history, scan.torn))
    }

    fn at_end(path: &Path, file: File, records: u64, bytes: u64) -> Self {
        Self {
            path: path.to_owned(),
            file,
            end: Mutex::new(End { records, bytes }),
            broken: AtomicBool::new(false),
            synced: Mutex::new(records),
        }
    }

    /// Path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if a write has failed, so that the journal accepts no more records. Its lock is released:
    /// once the disk is writable again, the file can be opened again.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    /// Accepts no more records, and lets the file be opened again.
    fn give_up(&self) {
        // Without the lock another writer may append, so `broken` comes first.
        self.broken.store(true, Ordering::Release);
        let _ = self.file.unlock();
    }

    /// Appends a record and returns once it is on the disk.
    ///
    /// After a failure the journal accepts no more records. The state of the disk is then unknown,
    /// and another attempt could not determine it.
    ///
    /// # Errors
    /// [`JournalError::Full`], [`JournalError::Io`], [`JournalError::Broken`], and
    /// [`JournalError::TooLong`], after which the journal accepts further records.
    pub fn append(&self, record: &Record) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(record))
    }

    /// Appends records that belong together, in one write and one sync: a reader that polls the file
    /// finds the first ones without the last one only while the system writes. If the process is
    /// killed meanwhile, the journal may end after any of them.
    ///
    /// # Errors
    /// Those of [`append`](Self::append).
    pub fn append_all(&self, records: &[Record]) -> Result<(), JournalError> {
        let number = self.write(records)?;
        self.sync(number)
    }

    /// Writes a line for each record, and returns the number of records in the journal.
    fn write(&self, records: &[Record]) -> Result<u64, JournalError> {
        let mut end = self.end();
        if self.is_broken() {
            return Err(JournalError::Broken(self.path.clone()));
        }
        let mut lines = Vec::new();
        for (number, record) in (end.records..).zip(records) {
            let line = encode(number, record);
            if line.len() > LONGEST {
                return Err(JournalError::TooLong {
                    path: self.path.clone(),
                    length: line.len(),
                });
            }
            lines.extend(line);
        }
        if let Err(error) = (&self.file).write_all(&lines) {
            // A part of the lines may be in the file. If it cannot be removed now, the next opening
            // of the journal removes a torn line.
            let _ = self.file.set_len(end.bytes);
            self.give_up();
            return Err(JournalError::io(&self.path, "written", error));
        }
        end.records += records.len() as u64;
        end.bytes += lines.len() as u64;
        Ok(end.records)
    }

    /// Returns once this number of records is on the disk.
    fn sync(&self, number: u64) -> Result<(), JournalError> {
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if *synced >= number {
            return Ok(());
        }
        // Records that other threads wrote meanwhile are synced too; those threads then return at
        // once.
        let records = self.end().records;
        if self.is_broken() {
            return Err(JournalError::Broken(self.path.clone()));
        }
        if let Err(error) = self.file.sync_data() {
            // No thread writes while the lock is released.
            let _end = self.end();
            self.give_up();
            return Err(JournalError::io(&self.path, "written", error));
        }
        *synced = records;
        Ok(())
    }

    fn end(&self) -> MutexGuard<'_, End> {
        // A panic cannot leave the state partially changed: both numbers change after the write.
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Journal {
    /// Releases the lock, which closing the file alone does not do at once: a program that another
    /// thread starts at this moment has the file until it is executed.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(JournalError::io(path, "locked", error)),
    }
}

/// True if a file is empty, or holds only the beginning of a first line.
fn is_beginning(mut file: &File) -> std::io::Result<bool> {
    let metadata = file.metadata()?;
    // A device file may be endless.
    if !metadata.is_file() || metadata.len() > LONGEST as u64 {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(!bytes.contains(&b'\n') && (bytes.starts_with(BEFORE) || BEFORE.starts_with(&bytes)))
}

/// Appends the torn end to a file next to the journal.
fn set_aside(path: &Path, journal: &File, torn: &Torn) -> std::io::Result<()> {
    let mut from = journal;
    from.seek(SeekFrom::Start(torn.at))?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".torn");
    let mut file = OpenOptions::new().append(true).create(true).open(beside)?;
    std::io::copy(&mut from, &mut file)?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// Syncs the directory of a new file: a file name is on the disk only once its directory is.
fn sync_directory(path: &Path) -> std::io::Result<()> {
    let directory = path
        .parent()
        .filter(|directory| *directory != Path::new(""));
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn a_closed_journal_is_free_although_its_file_is_open_elsewhere() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.journal");
        let journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]")).unwrap();
        let inherited = journal.file.try_clone().unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
        drop(journal);
        assert!(Journal::open(&path).is_ok());
        drop(inherited);
    }
}
