//! Why a move is illegal.

use crate::{Cell, Tile};

/// The reason why a move breaks the rules.
///
/// Where a move breaks several rules, the first in the order of the variants is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// A pass on a player's first turn, where a tile can be placed.
    #[error("a player may not pass on the first turn")]
    PassOnFirstTurn,
    /// The player has placed this tile before.
    #[error("tile {tile} has been placed before")]
    TileUsed {
        /// The tile.
        tile: Tile,
    },
    /// Part of the tile would lie beyond the board.
    #[error("the tile reaches beyond the board")]
    OffBoard,
    /// A cell is taken, by whichever player.
    #[error("cell {cell} is occupied")]
    Occupied {
        /// The first such cell, by row and then column.
        cell: Cell,
    },
    /// The tile would share an edge with a tile of the same player.
    #[error("at cell {cell} the tile touches the edge of a tile of the same player")]
    EdgeContact {
        /// The first cell of the placement that does, by row and then column.
        cell: Cell,
    },
    /// The player's first tile does not cover the start cell.
    #[error("a player's first tile must cover the start cell {start}")]
    StartCellMissed {
        /// The player's start cell.
        start: Cell,
    },
    /// No corner of the tile touches a tile of the same player.
    #[error("the tile touches no corner of a tile of the same player")]
    NoCornerContact,
}
