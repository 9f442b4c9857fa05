//! Following of a journal while another process writes it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::checked_line::{LONGEST, decode};
use crate::{FORMAT, History, JournalError, OLDEST_VERSION, Record, VERSION};

/// Number of bytes by which a file is recognised.
const HEAD: usize = 256;

/// Reader that follows a journal record by record.
///
/// The file is only read, and never locked: a writer does not notice. Each record comes exactly
/// once, in the order of the numbers, and the first one is the header. An incomplete last line
/// comes once it is complete. A line that a reopened journal removed does not come.
///
/// A record may come before it is on the disk. If the machine (not only the writer) stops at that
/// moment, the journal may lose it.
///
/// ```
/// use duoforge_journal::{Begun, Header, Journal, Kind, Record, Tail};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("cup.journal");
/// let journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]"))?;
/// let mut tail = Tail::new(&path);
/// assert!(matches!(tail.poll()?[..], [Record::Header(_)]));
/// assert!(tail.poll()?.is_empty());
/// journal.append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))?;
/// assert!(matches!(tail.poll()?[..], [Record::Begun(_)]));
/// assert_eq!(tail.records(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// Number of bytes of the records that came.
    good: u64,
    /// Number of records that came.
    records: u64,
    history: Option<History>,
    /// Beginning of the file, which the checksum of the header makes unique.
    head: Vec<u8>,
    /// Length and modification time of the file when it was last read to its end.
    seen: Option<(u64, Option<SystemTime>)>,
}

impl Tail {
    /// Creates a reader at the beginning of a journal. The file may be created later.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            good: 0,
            records: 0,
            history: None,
            head: Vec::new(),
            seen: None,
        }
    }

    /// Path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of records that came; the next record has this number.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Content of the records that came; `None` before the header.
    #[must_use]
    pub const fn history(&self) -> Option<&History> {
        self.history.as_ref()
    }

    /// Returns the records that were completed since the last call, often none. A call costs one
    /// query of the file's length if the file has not changed.
    ///
    /// # Errors
    /// [`JournalError::Io`]; [`JournalError::NoJournal`] and [`JournalError::Version`] for the
    /// first line; [`JournalError::Damaged`] for a damaged line before intact ones, and for a file
    /// that lost records or was replaced. Records before the fault come first, and the error with the
    /// next call.
    pub fn poll(&mut self) -> Result<Vec<Record>, JournalError> {
        let failed = |error| JournalError::io(&self.path, "read", error);
        let metadata = fs::metadata(&self.path).map_err(failed)?;
        let seen = (metadata.len(), metadata.modified().ok());
        if self.seen == Some(seen) {
            return Ok(Vec::new());
        }
        if metadata.len() < self.good {
            return Err(self.damaged(self.records, "the file has lost records".to_owned()));
        }
        let mut file = File::open(&self.path).map_err(failed)?;
        if !self.is_beginning_of(&file).map_err(failed)? {
            return Err(self.damaged(1, "another journal has replaced the file".to_owned()));
        }
        file.seek(SeekFrom::Start(self.good)).map_err(failed)?;
        let mut records = Vec::new();
        match self.read(BufReader::new(file), &mut records) {
            Ok(()) => self.seen = Some(seen),
            Err(error) if records.is_empty() => return Err(error),
            // The fault is found again by the next call.
            Err(_) => self.seen = None,
        }
        Ok(records)
    }

    /// True if the file at the path is not the one whose records came: its beginning differs, or it
    /// is shorter than these records. A new reader can follow it.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        let is_other = || -> std::io::Result<bool> {
            let file = File::open(&self.path)?;
            Ok(file.metadata()?.len() < self.good || !self.is_beginning_of(&file)?)
        };
        is_other().unwrap_or(false)
    }

    /// True if a file begins as the file did whose records came.
    fn is_beginning_of(&self, mut file: &File) -> std::io::Result<bool> {
        let mut head = vec![0; self.head.len()];
        file.read_exact(&mut head)?;
        Ok(head == self.head)
    }

    /// Reads lines to the end of the file or to an incomplete line.
    fn read(
        &mut self,
        mut input: impl BufRead,
        records: &mut Vec<Record>,
    ) -> Result<(), JournalError> {
        let mut line = Vec::new();
        // Fault of the last line, which a writer may remove when it reopens the journal.
        let mut torn: Option<String> = None;
        loop {
            line.clear();
            let mut part = input.by_ref().take(LONGEST as u64);
            let read = part.read_until(b'\n', &mut line);
            read.map_err(|error| JournalError::io(&self.path, "read", error))?;
            let Some(content) = line.strip_suffix(b"\n") else {
                return Ok(());
            };
            match (decode(content), &torn) {
                (Ok((number, record)), None) => {
                    self.add(number, &record)?;
                    if self.records == 0 {
                        self.head.extend(line.iter().take(HEAD));
                    }
                    self.good += line.len() as u64;
                    self.records += 1;
                    records.push(record);
                }
                // An intact line after a damaged one was written later.
                (Ok(_), Some(reason)) => {
                    return Err(self.damaged(self.records + 1, reason.clone()));
                }
                (Err(reason), None) if self.records == 0 => return Err(self.none(reason)),
                (Err(reason), _) => torn = torn.or(Some(reason)),
            }
        }
    }

    /// Adds the next record to the history.
    fn add(&mut self, number: u64, record: &Record) -> Result<(), JournalError> {
        let Some(history) = &mut self.history else {
            let (0, Record::Header(header)) = (number, record) else {
                return Err(self.none("the first record is not a header".to_owned()));
            };
            if header.format != FORMAT {
                return Err(self.none("the first record is not a header".to_owned()));
            }
            if !(OLDEST_VERSION..=VERSION).contains(&header.version) {
                return Err(JournalError::Version {
                    path: self.path.clone(),
                    version: header.version,
                });
            }
            self.history = Some(History::new(header.clone()));
            return Ok(());
        };
        let added = if number == self.records {
            history.add(record.clone())
        } else {
            let expected = self.records;
            Err(format!("record {number}, expected record {expected}"))
        };
        added.map_err(|reason| self.damaged(self.records + 1, reason))
    }

    fn damaged(&self, line: u64, reason: String) -> JournalError {
        JournalError::Damaged {
            path: self.path.clone(),
            line,
            reason,
        }
    }

    fn none(&self, reason: String) -> JournalError {
        JournalError::NoJournal {
            path: self.path.clone(),
            reason,
        }
    }
}
