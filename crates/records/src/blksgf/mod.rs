//! Blokus SGF, the file format of Pentobi, as described in "Pentobi SGF Files".
//!
//! A record is the main line of a game: the first branch of every variation. A tree holds all
//! variations. The format has no pass. A pass between two moves appears as a player without a move.
//! After the last move of a line, forced passes are implied. If the line ends with another number of
//! passes, its last node has the property `PASSES` with that number. A pass that has annotations is
//! a node without a move whose `PASSES` has the number of passes since the last placement. `PASSES`
//! is our extension; other programs keep it and ignore it, as they do `VARIANT`, the name of a
//! variant that Pentobi does not have. Names
//! belong to seats, moves to colours. In Blokus Duo `W` may move first, and is then the record's
//! first player. A first player that started at j5 keeps its cells.

mod entry;
mod error;
mod parse;
mod read;
mod read_tree;
mod sinks;
mod values;
mod write;
mod write_tree;

pub use error::{SgfError, SgfFault};
pub use read::{FileRecord, read_blksgf};
pub use read_tree::{FileTree, read_blksgf_trees, read_each_blksgf_tree};
pub use write::{SgfWriteError, write_blksgf};
pub use write_tree::write_blksgf_trees;

use duoforge_rules::{Game, GameVariant, Move};

/// Property with the number of passes after the last move.
const PASSES: &str = "PASSES";

/// Property with the name of a built-in variant for which `GM` has no name; `GM` then has the game
/// with the same board and colours.
const VARIANT: &str = "VARIANT";

/// Properties that set a position up.
const SETUP: [&str; 7] = ["AB", "AW", "AE", "A1", "A2", "A3", "A4"];

/// Colours as very old files spell them out.
const OLD_COLOURS: [&str; 4] = ["BLUE", "YELLOW", "RED", "GREEN"];

/// Properties of moves and positions: a root with them states nothing of the game.
const NO_FACTS: [&str; 6] = ["V", "BM", "DO", "IT", "TE", "PL"];

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

/// True if the capitals and digits of a name equal `known`; older files have lower-case letters in
/// between.
fn capitals(name: &str, known: &str) -> bool {
    name.bytes()
        .filter(|byte| !byte.is_ascii_lowercase())
        .eq(known.bytes())
}

/// Returns the colour whose moves have this property.
fn colour_of(variant: &GameVariant, name: &str) -> Option<usize> {
    let is = |known: &[&str]| known.iter().position(|known| capitals(name, known));
    let known = is(colours(variant));
    known.or_else(|| is(&OLD_COLOURS).filter(|_| variant.colour_count() == OLD_COLOURS.len()))
}

/// True if a property may be a fact of a game: its name consists of ASCII letters and digits, and
/// it has no other meaning in a blksgf, such as a move, a name of a player or a comment.
///
/// ```
/// use duoforge_records::is_fact_name;
/// use duoforge_rules::GameVariant;
///
/// assert!(is_fact_name(&GameVariant::DUO, "DT"));
/// assert!(!is_fact_name(&GameVariant::DUO, "B"));
/// ```
#[must_use]
pub fn is_fact_name(variant: &GameVariant, name: &str) -> bool {
    is_kept_name(variant, name, true) && !NO_FACTS.contains(&name)
}

/// True if a node may have this property without a meaning for the reader.
pub fn is_kept_name(variant: &GameVariant, name: &str, is_root: bool) -> bool {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut known = SETUP.iter().chain(&["C", "V"]);
    is_name
        && name != PASSES
        && colour_of(variant, name).is_none()
        && !known.any(|known| capitals(name, known))
        && !(is_root && OWN.iter().any(|own| capitals(name, own)))
}

/// Returns the number of passes since the last placement.
fn passes_before(game: &Game) -> usize {
    let plies = game.plies().iter().rev();
    plies.take_while(|ply| ply.mv == Move::Pass).count()
}
