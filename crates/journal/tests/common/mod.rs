//! Intact journals.

mod moved;

use std::fs;
use std::path::Path;

use duoforge_journal::{Begun, Ended, GameResult, Header, Journal, Kind, Record, now_ms};
pub use moved::moved;

pub fn ended(game: u32, result: GameResult) -> Record {
    Record::Ended(Ended {
        game,
        attempt: 1,
        result,
        ending: "both-passed".to_owned(),
        detail: "both players passed".to_owned(),
        score: [-20, -30],
        cells_placed: [69, 59],
        teams: [Some("TW".to_owned()), None],
        plies: 2,
        evidence: None,
        at_ms: now_ms(),
    })
}

/// Records of two finished games and one in progress.
pub fn records() -> Vec<Record> {
    let begun = |game, players| Record::Begun(Begun::new(game, 1, players));
    vec![
        begun(1, ["Ada", "Bob"]),
        moved(1, 1, "53e0"),
        begun(2, ["Bob", "Cyd"]),
        moved(1, 2, "a8e0"),
        ended(1, GameResult::One),
        moved(2, 1, "53e0"),
        ended(2, GameResult::Draw),
        begun(3, ["Cyd", "Ada"]),
        moved(3, 1, "53e0"),
    ]
}

pub fn header() -> Header {
    Header::new(Kind::Tournament, "Cup", "format = \"round-robin\"\n")
}

pub fn written(path: &Path) {
    let journal = Journal::create(path, header()).unwrap();
    records()
        .iter()
        .for_each(|record| journal.append(record).unwrap());
}

/// Bytes of an intact journal.
pub fn bytes() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    written(&path);
    fs::read(path).unwrap()
}
