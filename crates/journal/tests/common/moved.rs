//! Record of a move, also for the tests of other packages.

use duoforge_journal::{Moved, Record};

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
