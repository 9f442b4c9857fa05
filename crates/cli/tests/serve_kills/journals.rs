//! Journals on the disk: one that a referee writes, and the records of all.

#[path = "../../../web/tests/common/records.rs"]
mod records;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use duoforge_journal::{Begun, CasualRecord, Header, Journal, Kind, Record, Tail};

use self::records::{ended, moved::moved};
use crate::hall::Hall;

/// Writes a tournament as a referee in another process does, until the hall closes.
pub fn referee(hall: &Hall, path: &Path) {
    let journal = Journal::create(path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    let mut game = 0;
    while !hall.closing.load(Ordering::Relaxed) {
        game += 1;
        for record in [
            Record::Begun(Begun::new(game, 1, ["A", "B"])),
            moved(game, 1, "53e0"),
            ended(game),
        ] {
            journal.append(&record).unwrap();
            thread::sleep(Duration::from_millis(30));
        }
    }
}

/// Records of all journals by id.
pub fn disk(directories: &[PathBuf]) -> BTreeMap<String, Vec<Record>> {
    let mut all = BTreeMap::new();
    for directory in directories {
        for entry in fs::read_dir(directory).unwrap().flatten() {
            let mut tail = Tail::new(&entry.path());
            let records = tail.poll().unwrap();
            // A service that was killed while it created a journal leaves one without a header.
            if let Some(history) = tail.history() {
                all.insert(history.header.id.clone(), records);
            }
        }
    }
    all
}

/// Type and code of a record, as a stream states them.
pub fn described(record: &Record) -> (&'static str, Option<String>) {
    match record {
        Record::Header(_) => ("header", None),
        Record::Opened(_) => ("opened", None),
        Record::Begun(_) | Record::Casual(CasualRecord::Begun(_)) => ("begun", None),
        Record::Moved(moved) => ("moved", Some(moved.code.clone())),
        Record::Casual(CasualRecord::Moved(moved)) => ("moved", Some(moved.code.clone())),
        Record::Ended(_) | Record::Casual(CasualRecord::Ended(_)) => ("ended", None),
        other => panic!("{other:?}"),
    }
}
