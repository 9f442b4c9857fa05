//! File of the results of a shard, which grows item by item.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Result, ShardError};
use crate::plan::{FORMAT, Header, Plan};
use crate::shard::Shard;

/// File of the results of a shard. Items are written in order, each as soon as all items before it
/// are there; a killed run loses the items that were not written.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
    shard: Shard,
    /// Items that an earlier run wrote, as lines.
    stored: Vec<String>,
    /// Items that are not written yet, in order.
    due: VecDeque<u64>,
    /// Lines of later items than the next one.
    waiting: BTreeMap<u64, String>,
}

impl Drop for Results {
    /// Releases the lock, which closing the file alone does not do at once: a program that another
    /// thread starts at this moment has the file until it is executed.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Result of an item with its number.
#[derive(Serialize)]
struct Line<'a, T> {
    item: u64,
    #[serde(flatten)]
    result: &'a T,
}

/// Number of an item in a line.
#[derive(Deserialize)]
struct Numbered {
    item: u64,
}

/// Contents of a file.
#[derive(Debug)]
pub(crate) struct Contents {
    pub header: Header,
    /// Number and line of each item; the lines have no line break.
    pub items: Vec<(u64, String)>,
    /// Length of all complete lines in bytes.
    length: u64,
}

impl Results {
    /// Creates the file of a shard, or opens it again to add the items that it lacks. The file is
    /// locked until the value is dropped.
    ///
    /// # Errors
    /// The file cannot be read, written or locked; it belongs to another campaign or shard.
    pub fn open(path: &Path, plan: &Plan, shard: Shard) -> Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let file = file.map_err(ShardError::io(path, "opened"))?;
        file.try_lock().map_err(|error| {
            let source = match error {
                TryLockError::WouldBlock => {
                    io::Error::new(io::ErrorKind::WouldBlock, "another process writes it")
                }
                TryLockError::Error(error) => error,
            };
            ShardError::io(path, "locked")(source)
        })?;
        let header = Header {
            format: FORMAT,
            shard,
            plan: plan.clone(),
        };
        let mut results = Self {
            path: path.to_owned(),
            file,
            shard,
            stored: Vec::new(),
            due: plan.items_of(shard).collect(),
            waiting: BTreeMap::new(),
        };
        let mut text = String::new();
        let read = (&results.file).read_to_string(&mut text);
        read.map_err(ShardError::io(path, "read"))?;
        if text.contains('\n') {
            results.resume(&text, &header)?;
        } else {
            // The file is empty, or an earlier run ended while it wrote the header.
            let line = header.line();
            if !line.starts_with(&text) {
                return Err(ShardError::Header {
                    path: path.to_owned(),
                    reason: "the line has no end, and is not the beginning of this header".into(),
                });
            }
            results.cut(0)?;
            results.write(&line)?;
        }
        Ok(results)
    }

    /// Takes the items of an earlier run.
    fn resume(&mut self, text: &str, header: &Header) -> Result<()> {
        let contents = Contents::read(&self.path, text)?;
        contents.belongs(&self.path, &header.plan)?;
        if contents.header.shard != header.shard {
            return Err(ShardError::Foreign {
                path: self.path.clone(),
                name: "shard".into(),
                found: contents.header.shard.to_string(),
                expected: header.shard.to_string(),
            });
        }
        for (number, (item, line)) in contents.items.into_iter().enumerate() {
            let next = self.due.pop_front();
            if next != Some(item) {
                let expected = next.map_or("no further item".to_owned(), |next| next.to_string());
                return Err(ShardError::Line {
                    path: self.path.clone(),
                    line: number + 2,
                    reason: format!("item {item} is out of order: expected {expected}"),
                });
            }
            self.stored.push(line);
        }
        self.cut(contents.length)
    }

    /// Returns the items that the file lacks, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<u64> {
        let due = self.due.iter().copied();
        due.filter(|item| !self.waiting.contains_key(item))
            .collect()
    }

    /// Returns the results that an earlier run wrote, with their items.
    ///
    /// # Errors
    /// A result that is not a `T`.
    pub fn stored<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>> {
        let lines = self.stored.iter().enumerate();
        lines
            .map(|(number, line)| read_line(&self.path, number + 2, line))
            .collect()
    }

    /// Adds the result of an item, which must serialise to a JSON object. Items may come in any
    /// order.
    ///
    /// # Errors
    /// The item is not due; the file cannot be written.
    ///
    /// # Panics
    /// If the result is not an object.
    pub fn add(&mut self, item: u64, result: &impl Serialize) -> Result<()> {
        if self.due.binary_search(&item).is_err() || self.waiting.contains_key(&item) {
            let shard = self.shard;
            return Err(ShardError::NotDue { item, shard });
        }
        let line = serde_json::to_string(&Line { item, result });
        let line = line.expect("a result is an object with texts as keys");
        self.waiting.insert(item, line + "\n");
        while let Some(line) = self.due.front().and_then(|item| self.waiting.remove(item)) {
            self.write(&line)?;
            self.due.pop_front();
        }
        Ok(())
    }

    /// Returns true if the file holds all items of the shard.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.due.is_empty()
    }

    fn cut(&self, length: u64) -> Result<()> {
        let cut = self.file.set_len(length);
        cut.map_err(ShardError::io(&self.path, "shortened"))
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(ShardError::io(&self.path, "written"))
    }
}

impl Contents {
    /// Reads the text of a file. The last line does not count without its line break.
    pub(crate) fn read(path: &Path, text: &str) -> Result<Self> {
        let length = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..length].lines();
        let bad = |reason: String| ShardError::Header {
            path: path.to_owned(),
            reason,
        };
        let first = lines
            .next()
            .ok_or_else(|| bad("the file is empty".into()))?;
        let object: serde_json::Value =
            serde_json::from_str(first).map_err(|error| bad(error.to_string()))?;
        match object["format"]
            .as_u64()
            .and_then(|format| u32::try_from(format).ok())
        {
            Some(FORMAT) => {}
            Some(found) => {
                let path = path.to_owned();
                return Err(ShardError::Format { path, found });
            }
            None => return Err(bad("field format is missing".into())),
        }
        let header: Header =
            serde_json::from_value(object).map_err(|error| bad(error.to_string()))?;
        if header.plan.block == 0 {
            return Err(bad("block=0 is out of range: expected at least 1".into()));
        }
        let mut items = Vec::new();
        for (number, line) in lines.enumerate() {
            let fault = |reason: String| ShardError::Line {
                path: path.to_owned(),
                line: number + 2,
                reason,
            };
            let Numbered { item } =
                serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
            let Header { shard, plan, .. } = &header;
            if item >= plan.items || !shard.contains(item / plan.block) {
                let shard = shard.to_string();
                return Err(fault(format!(
                    "item {item} does not belong to shard {shard}"
                )));
            }
            // A result ends before blanks and the line break; other systems write a carriage return there.
            items.push((item, line.trim_end().to_owned()));
        }
        Ok(Self {
            header,
            items,
            length: length as u64,
        })
    }

    /// Checks that the file belongs to a campaign.
    pub(crate) fn belongs(&self, path: &Path, plan: &Plan) -> Result<()> {
        match self.header.plan.difference(plan) {
            None => Ok(()),
            Some([name, found, expected]) => Err(ShardError::Foreign {
                path: path.to_owned(),
                name,
                found,
                expected,
            }),
        }
    }
}

/// Returns true if a line is the header of a file of results, as [`merge`](crate::merge) reads it.
#[must_use]
pub fn is_header(line: &str) -> bool {
    let object = serde_json::from_str::<serde_json::Value>(line);
    object.and_then(serde_json::from_value::<Header>).is_ok()
}

/// Parses the result of an item.
pub(crate) fn read_line<T: DeserializeOwned>(
    path: &Path,
    line: usize,
    text: &str,
) -> Result<(u64, T)> {
    let read = || {
        let Numbered { item } = serde_json::from_str(text)?;
        Ok((item, serde_json::from_str(text)?))
    };
    read().map_err(|error: serde_json::Error| ShardError::Line {
        path: path.to_owned(),
        line,
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_file_is_free_although_a_starting_program_still_has_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("results");
        let plan = Plan::new("squares", "0.1.0", 7, 4);
        let open = || Results::open(&path, &plan, Shard::default());
        let results = open().expect("a new file");
        open().expect_err("a locked file");
        let inherited = results.file.try_clone().expect("a second handle");
        drop(results);
        open().expect("an unlocked file");
        drop(inherited);
    }
}
