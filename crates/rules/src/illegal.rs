//! Reasons why a move is illegal.

use crate::{Cell, StartCells, Tile};

/// Reason why a move is illegal.
///
/// If a move breaks several rules, the first variant in the order of declaration is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// Pass on a colour's first turn although a tile can be placed.
    #[error("a colour may not pass on its first turn")]
    PassOnFirstTurn,
    /// Pass although a tile can be placed, in a variant without voluntary passes.
    #[error("a pass is legal only if no tile can be placed")]
    PassWithPlacement,
    /// The colour has placed this tile before.
    #[error("tile {tile} has been placed before")]
    TileUsed {
        /// The tile.
        tile: Tile,
    },
    /// Part of the tile would lie off the board.
    #[error("the tile reaches beyond the board")]
    OffBoard,
    /// A cell is already covered, by any colour.
    #[error("cell {cell} is occupied")]
    Occupied {
        /// First such cell, by row and then column.
        cell: Cell,
    },
    /// The tile would share an edge with a tile of the same colour.
    #[error("at cell {cell} the tile touches the edge of a tile of the same colour")]
    EdgeContact {
        /// First cell of the placement with such contact, by row and then column.
        cell: Cell,
    },
    /// The colour's first tile does not cover its only start cell.
    #[error("a colour's first tile must cover the start cell {start}")]
    StartCellMissed {
        /// The colour's start cell.
        start: Cell,
    },
    /// The colour's first tile covers none of its start cells, of which there are several.
    #[error("a colour's first tile must cover one of the start cells {starts}")]
    StartCellsMissed {
        /// The colour's free start cells; all of them if none is free.
        starts: StartCells,
    },
    /// The tile touches no corner and no start cell, in a variant that keeps start cells.
    #[error(
        "the tile touches no corner of a tile of the same colour and covers no free start cell ({starts})"
    )]
    NoConnection {
        /// The colour's free start cells.
        starts: StartCells,
    },
    /// No cell of the tile is diagonal to a tile of the same colour.
    #[error("the tile touches no corner of a tile of the same colour")]
    NoCornerContact,
}
