//! Reasons why a move is illegal.

use crate::{Cell, Tile};

/// Reason why a move is illegal.
///
/// If a move breaks several rules, the first variant in the order of declaration is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// Pass on a player's first turn although a tile can be placed.
    #[error("a player may not pass on the first turn")]
    PassOnFirstTurn,
    /// The player has placed this tile before.
    #[error("tile {tile} has been placed before")]
    TileUsed {
        /// The tile.
        tile: Tile,
    },
    /// Part of the tile would lie off the board.
    #[error("the tile reaches beyond the board")]
    OffBoard,
    /// A cell is already covered, by any player.
    #[error("cell {cell} is occupied")]
    Occupied {
        /// First such cell, by row and then column.
        cell: Cell,
    },
    /// The tile would share an edge with a tile of the same player.
    #[error("at cell {cell} the tile touches the edge of a tile of the same player")]
    EdgeContact {
        /// First cell of the placement with such contact, by row and then column.
        cell: Cell,
    },
    /// The player's first tile does not cover the start cell.
    #[error("a player's first tile must cover the start cell {start}")]
    StartCellMissed {
        /// The player's start cell.
        start: Cell,
    },
    /// No cell of the tile is diagonal to a tile of the same player.
    #[error("the tile touches no corner of a tile of the same player")]
    NoCornerContact,
}
