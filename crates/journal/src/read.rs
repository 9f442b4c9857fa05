//! Reading of journals.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::checked_line::{LONGEST, decode};
use crate::{FORMAT, Header, History, JournalError, OLDEST_VERSION, Record, VERSION};

/// Intact part of a journal.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// Contents of the records.
    pub history: History,
    /// Number of intact bytes from the beginning.
    pub good: u64,
    /// Number of intact records.
    pub records: u64,
    /// Damaged end after these records.
    pub torn: Option<Torn>,
}

/// Damaged end of a journal: typically a line that was incomplete when the process or the machine
/// stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Offset of its first byte.
    pub at: u64,
    /// Number of bytes.
    pub len: u64,
    /// Fault of the first damaged line.
    pub reason: String,
}

/// Reads a journal from its file. The file is not changed, and may be in use.
///
/// # Errors
/// [`JournalError`]; a torn end is not an error.
pub fn read(path: &Path) -> Result<JournalContents, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::io(path, "read", error))?;
    scan(path, BufReader::new(file))
}

/// Reads a journal from its bytes; `path` is its name in errors.
///
/// # Errors
/// [`JournalError::NoJournal`], [`JournalError::Version`], [`JournalError::Damaged`],
/// [`JournalError::Io`].
pub fn scan(path: &Path, mut input: impl BufRead) -> Result<JournalContents, JournalError> {
    let mut lines = Lines {
        path,
        input: &mut input,
        buffer: Vec::new(),
    };
    let Some(header) = header(&mut lines)? else {
        return Err(JournalError::NoJournal {
            path: path.to_owned(),
            reason: "the first line is incomplete".to_owned(),
        });
    };
    let mut scan = JournalContents {
        history: History::new(header),
        good: lines.buffer.len() as u64,
        records: 1,
        torn: None,
    };
    while lines.next()? {
        let len = lines.buffer.len() as u64;
        let damaged = |reason: String| JournalError::Damaged {
            path: path.to_owned(),
            line: scan.records + 1,
            reason,
        };
        match (lines.record(), &mut scan.torn) {
            (Ok((number, record)), None) => {
                if number != scan.records {
                    let expected = scan.records;
                    return Err(damaged(format!(
                        "record {number}, expected record {expected}"
                    )));
                }
                scan.history.add(record).map_err(damaged)?;
                scan.records += 1;
                scan.good += len;
            }
            // An intact line after a damaged one was written later, so the damage is not a torn
            // end.
            (Ok(_), Some(torn)) => return Err(damaged(torn.reason.clone())),
            (Err(reason), torn @ None) => {
                let at = scan.good;
                *torn = Some(Torn { at, len, reason });
            }
            (Err(_), Some(torn)) => torn.len += len,
        }
    }
    Ok(scan)
}

/// Reads the first line; `None` if it is incomplete.
fn header(lines: &mut Lines<'_, impl BufRead>) -> Result<Option<Header>, JournalError> {
    if !lines.next()? {
        return Ok(None);
    }
    match lines.record() {
        Ok((0, Record::Header(header))) if header.format == FORMAT => {
            if (OLDEST_VERSION..=VERSION).contains(&header.version) {
                Ok(Some(header))
            } else {
                Err(JournalError::Version {
                    path: lines.path.to_owned(),
                    version: header.version,
                })
            }
        }
        Ok(_) => Err(JournalError::NoJournal {
            path: lines.path.to_owned(),
            reason: "the first record is not a header".to_owned(),
        }),
        Err(_) if !lines.buffer.ends_with(b"\n") => Ok(None),
        Err(reason) => Err(JournalError::NoJournal {
            path: lines.path.to_owned(),
            reason: format!("the first line is not a header: {reason}"),
        }),
    }
}

/// Lines of a file, including their newlines.
struct Lines<'a, R> {
    path: &'a Path,
    input: &'a mut R,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads the next line, or a part of one that exceeds the maximum length; false at the end.
    fn next(&mut self) -> Result<bool, JournalError> {
        self.buffer.clear();
        let mut part = self.input.by_ref().take(LONGEST as u64);
        let read = part.read_until(b'\n', &mut self.buffer);
        let len = read.map_err(|error| JournalError::io(self.path, "read", error))?;
        Ok(len > 0)
    }

    fn record(&self) -> Result<(u64, Record), String> {
        let line = self.buffer.strip_suffix(b"\n");
        decode(line.ok_or("the line has no newline")?)
    }
}
