//! Blokus SGF, the file format of Pentobi, as described in "Pentobi SGF Files".
//!
//! Only the main line of a game is read and written: the first branch of every variation. The
//! format has no pass. A pass between two moves appears as a player without a move. After the last
//! move, forced passes are implied. If the game ended with another number of passes, the last node
//! has the property `PASSES` with that number. `PASSES` is our extension; other programs keep it
//! and ignore it, as they do `VARIANT`, the name of a variant that Pentobi does not have. Names
//! belong to seats, moves to colours. In Blokus Duo `W` may move first, and is then the record's
//! first player. A first player that started at j5 keeps its cells.

mod error;
mod parse;
mod read;
mod write;

pub use error::{SgfError, SgfFault};
pub use read::{FileRecord, read_blksgf};
pub use write::{SgfWriteError, write_blksgf};

use duoforge_rules::GameVariant;

/// Property with the number of passes after the last move.
const PASSES: &str = "PASSES";

/// Property with the name of a built-in variant for which `GM` has no name; `GM` then has the game
/// with the same board and colours.
const VARIANT: &str = "VARIANT";

/// Returns the game in the property `GM`, or `None` if the format cannot express the variant. The
/// flag is true if the file needs the property [`VARIANT`] as well.
fn game_name(variant: &GameVariant) -> Option<(&'static str, bool)> {
    if let Some(name) = variant.engine_name() {
        return Some((name, false));
    }
    GameVariant::named(variant.name())
        .filter(|built_in| *built_in == variant)
        .and_then(|_| same_board(variant))
        .map(|name| (name, true))
}

/// Returns the game of Pentobi with the same board and colours.
fn same_board(variant: &GameVariant) -> Option<&'static str> {
    match (variant.size(), variant.colour_count()) {
        (14, 2) => GameVariant::DUO.engine_name(),
        (20, 4) => GameVariant::CLASSIC.engine_name(),
        _ => None,
    }
}

/// Returns the move properties of the colours, in the order of turns.
fn colours(variant: &GameVariant) -> &'static [&'static str] {
    match variant.colour_count() {
        2 => &["B", "W"],
        _ => &["1", "2", "3", "4"],
    }
}

/// Returns the name properties of the players, in the order of seats.
fn names(variant: &GameVariant) -> &'static [&'static str] {
    const NUMBERED: &[&str] = &["P1", "P2", "P3", "P4"];
    match variant.seat_count() {
        2 => &["PB", "PW"],
        count => &NUMBERED[..count],
    }
}

/// Root properties that the writer sets itself; they are not facts of a record.
const OWN: [&str; 13] = [
    "AP", "C", "CA", "FF", "GM", "PB", "PW", "P1", "P2", "P3", "P4", "ST", VARIANT,
];
