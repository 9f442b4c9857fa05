//! Records of refereed games, also for the tests of the command.

#[path = "../../../journal/tests/common/moved.rs"]
pub mod moved;

use duoforge_journal::{Ended, GameResult, Record, now_ms};

/// Returns the record of a game that ended after its first ply.
pub fn ended(game: u32) -> Record {
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
    })
}
