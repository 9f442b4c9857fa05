//! Blokus SGF, the files of Pentobi, after its public description "Pentobi SGF Files".
//!
//! Read and written is a game's main line: of each fork, the first way. The description knows no pass.
//! One between two moves shows as a player who is left out. Behind the last move those who are stuck
//! have passed; where that is not how the game ended, the last node says how many passes there were with a
//! property of ours, `PASSES`, which other programs keep and do not look at. In Blokus Duo `W` may move
//! first, and is the record's first player then. A first player who started at j5 keeps its cells.

mod error;
mod parse;
mod read;
mod write;

pub use error::{SgfError, SgfFault};
pub use read::{FileRecord, read_blksgf};
pub use write::write_blksgf;

use crate::Kind;

/// Property with the number of passes behind the last move.
const PASSES: &str = "PASSES";

/// What [`Kind`]s are called.
const GAMES: [(&str, Kind); 2] = [("Blokus Duo", Kind::Duo), ("Blokus", Kind::Classic)];

/// Properties of the players' moves, in the order of turns.
fn colours(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Duo => &["B", "W"],
        Kind::Classic => &["1", "2", "3", "4"],
    }
}

/// Properties of the players' names.
fn names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Duo => &["PB", "PW"],
        Kind::Classic => &["P1", "P2", "P3", "P4"],
    }
}

/// Properties of the root that are written by themselves, and so are no facts.
const OWN: [&str; 12] = [
    "AP", "C", "CA", "FF", "GM", "PB", "PW", "P1", "P2", "P3", "P4", "ST",
];
