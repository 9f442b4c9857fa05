//! Reading journals.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::line::{LONGEST, decode};
use crate::{FORMAT, Header, History, JournalError, Record, VERSION};

/// A journal as far as it is good.
#[derive(Clone, Debug)]
pub struct Scan {
    /// What it says.
    pub history: History,
    /// Number of good bytes from its beginning.
    pub good: u64,
    /// Number of good records.
    pub records: u64,
    /// What comes after them.
    pub torn: Option<Torn>,
}

/// The end of a journal that is no good: a line that was cut short when the process or the machine
/// stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Where it begins.
    pub at: u64,
    /// Number of bytes.
    pub len: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a journal from its file. It is not changed, and may be in use.
///
/// # Errors
/// [`JournalError`]; a torn end is none.
pub fn read(path: &Path) -> Result<Scan, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::io(path, "read", error))?;
    scan(path, BufReader::new(file))
}

/// Reads a journal from its bytes; `path` is its name in errors.
///
/// # Errors
/// [`JournalError::NoJournal`], [`JournalError::Version`], [`JournalError::Damaged`],
/// [`JournalError::Io`].
pub fn scan(path: &Path, mut input: impl BufRead) -> Result<Scan, JournalError> {
    let mut lines = Lines {
        path,
        input: &mut input,
        buffer: Vec::new(),
    };
    let Some(header) = header(&mut lines)? else {
        return Err(JournalError::NoJournal {
            path: path.to_owned(),
            reason: "its first line is not whole".to_owned(),
        });
    };
    let mut scan = Scan {
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
                    return Err(damaged(format!("it is record {number}, not {expected}")));
                }
                scan.history.add(record).map_err(damaged)?;
                scan.records += 1;
                scan.good += len;
            }
            // Whatever is good again after a bad line was written after it.
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

/// The first line; none if it is no whole line.
fn header(lines: &mut Lines<'_, impl BufRead>) -> Result<Option<Header>, JournalError> {
    if !lines.next()? {
        return Ok(None);
    }
    match lines.record() {
        Ok((0, Record::Header(header))) if header.format == FORMAT => {
            if header.version == VERSION {
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
            reason: "it does not begin with a header".to_owned(),
        }),
        Err(_) => Ok(None),
    }
}

/// The lines of a file, with their ends.
struct Lines<'a, R> {
    path: &'a Path,
    input: &'a mut R,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<'_, R> {
    /// Takes the next line, or a part of one that is longer than any may be; false at the end.
    fn next(&mut self) -> Result<bool, JournalError> {
        self.buffer.clear();
        let mut part = self.input.by_ref().take(LONGEST as u64);
        let read = part.read_until(b'\n', &mut self.buffer);
        let len = read.map_err(|error| JournalError::io(self.path, "read", error))?;
        Ok(len > 0)
    }

    fn record(&self) -> Result<(u64, Record), String> {
        let line = self.buffer.strip_suffix(b"\n");
        decode(line.ok_or("it has no end")?)
    }
}
