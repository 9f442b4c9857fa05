//! Journals on the disk: one that a referee writes, and the records of all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use duoforge_journal::{
    Begun, CasualRecord, Ended, GameResult, Header, Journal, Kind, Moved, Record, Tail, now_ms,
};

use crate::hall::Hall;

/// Writes a tournament as a referee in another process does, until the hall closes.
pub fn referee(hall: &Hall, path: &Path) {
    let journal = Journal::create(path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    let mut game = 0;
    while !hall.closing.load(Ordering::Relaxed) {
        game += 1;
        for record in [
            Record::Begun(Begun::new(game, 1, ["A", "B"])),
            Record::Moved(Moved {
                game,
                attempt: 1,
                ply: 1,
                player: 1,
                code: "53e0".to_owned(),
                legal: 414,
                us: 1_234,
                sim_us: None,
                host_us: None,
                forfeit: false,
            }),
            Record::Ended(Ended {
                game,
                attempt: 1,
                result: GameResult::One,
                ending: "timeout".to_owned(),
                detail: "player 2 did not reply".to_owned(),
                score: [-84, -89],
                cells_placed: [5, 0],
                teams: [None, None],
                plies: 1,
                evidence: None,
                at_ms: now_ms(),
            }),
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
