//! State of a game, actions, hints and tiles as serialisable values: one shape for `--json`, pages,
//! Python and text bots, for every variant.
//!
//! A [`State`] holds what a client without rules needs: cells, tiles left, legal actions, and per
//! colour the cells that make legality a lookup. [`TileTable`] holds the cells of every
//! orientation. Every object has a [`Version`]; `docs/formats.md` describes the fields. With the
//! feature `schema`, the module `schema` generates the JSON schemas that `schema/` holds.
//!
//! Cells are `[x, y]`, 0-based from the upper left corner. Colours and seats are numbered from 0;
//! in the rows of a board, `1` is colour 0. Moves are the contest's four letters and action
//! numbers. A code has names for 20 columns and rows, so it fits every board.

mod action;
mod colour;
mod hints;
#[cfg(feature = "schema")]
pub mod schema;
mod state;
mod tiles;
mod variant;
mod version;

pub use action::{Action, ActionError, read_move};
pub use colour::ColourState;
pub use hints::{CellHints, Hints, TileHints};
pub use state::{Clock, Legal, Outcome, SeatOutcome, State, ToMove};
pub use tiles::{TileShape, TileTable};
pub use variant::{VariantFileError, read_variant};
pub use version::{VERSION, Version};

use duoforge_rules::{Cell, CellSet};

/// Cell `[x, y]`, 0-based from the upper left corner.
pub type CellPair = [u8; 2];

/// Converts a cell.
fn pair(cell: Cell) -> CellPair {
    [cell.x, cell.y]
}

/// Converts a set of cells, row by row.
fn pairs(cells: CellSet) -> Vec<CellPair> {
    cells.iter().map(pair).collect()
}

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
