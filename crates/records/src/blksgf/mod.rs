//! Blokus SGF, the file format of Pentobi, as described in "Pentobi SGF Files".
//!
//! Only the main line of a game is read and written: the first branch of every variation. The
//! format has no pass. A pass between two moves appears as a player without a move. After the last
//! move, forced passes are implied. If the game ended with another number of passes, the last node
//! has the property `PASSES` with that number. `PASSES` is our extension; other programs keep it
//! and ignore it. In Blokus Duo `W` may move first, and is then the record's first player. A first
//! player that started at j5 keeps its cells.

mod error;
mod parse;
mod read;
mod write;

pub use error::{SgfError, SgfFault};
pub use read::{FileRecord, read_blksgf};
pub use write::write_blksgf;

use crate::GameKind;

/// Property with the number of passes after the last move.
const PASSES: &str = "PASSES";

/// Names of the [`Kind`]s in the property `GM`.
const GAMES: [(&str, GameKind); 2] = [("Blokus Duo", GameKind::Duo), ("Blokus", GameKind::Classic)];

/// Returns the move properties of the players, in the order of turns.
fn colours(kind: GameKind) -> &'static [&'static str] {
    match kind {
        GameKind::Duo => &["B", "W"],
        GameKind::Classic => &["1", "2", "3", "4"],
    }
}

/// Returns the name properties of the players, in the order of turns.
fn names(kind: GameKind) -> &'static [&'static str] {
    match kind {
        GameKind::Duo => &["PB", "PW"],
        GameKind::Classic => &["P1", "P2", "P3", "P4"],
    }
}

/// Root properties that the writer sets itself; they are not facts of a record.
const OWN: [&str; 12] = [
    "AP", "C", "CA", "FF", "GM", "PB", "PW", "P1", "P2", "P3", "P4", "ST",
];
