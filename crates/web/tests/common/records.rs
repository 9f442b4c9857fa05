//! Records of refereed games.

use duoforge_journal::{Ended, GameResult, Moved, Record, now_ms};

/// Returns the record of a move of the player that is to move at a ply.
pub fn moved(game: u32, ply: u32, code: &str) -> Record {
    Record::Moved(Moved {
        game,
        attempt: 1,
        ply,
        player: if ply % 2 == 1 { 1 } else { 2 },
        code: code.to_owned(),
        legal: 414,
        us: 1_234,
        sim_us: None,
        host_us: Some(60),
        forfeit: false,
    })
}

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
