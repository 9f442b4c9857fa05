//! Hints: the tiles that can cover a cell, and the cells that a tile can cover.

use super::position::{cell_set, with_position};
use super::{CellSet, Game};
use crate::{Cell, Colour, Placement, Tile, TileSet};

/// Hints consider the placements that would be legal if it were the colour's turn.
///
/// ```
/// use duoforge_rules::{Cell, Colour, Game, GameVariant, Tile};
///
/// let game = Game::new(&GameVariant::DUO);
/// let start = Cell::new(4, 4);
/// assert_eq!(game.tiles_for_cell(Colour(0), start).len(), 21);
/// let cells = game.cells_for_tile(Colour(0), Tile::MONOMINO);
/// assert_eq!(cells.iter().collect::<Vec<_>>(), [start]);
/// assert_eq!(game.placements_for_cell(Colour(0), start).len(), 414);
/// ```
impl Game {
    /// Returns the tiles of `colour` of which a placement covers `cell`.
    #[must_use]
    pub fn tiles_for_cell(&self, colour: Colour, cell: Cell) -> TileSet {
        let placements = self.placements_for_cell(colour, cell);
        placements.into_iter().map(Placement::tile).collect()
    }

    /// Returns the cells that placements of `tile` cover; empty if `colour` has placed the tile.
    #[must_use]
    pub fn cells_for_tile(&self, colour: Colour, tile: Tile) -> CellSet {
        cell_set!(&self.position, position => position.cells_of_tile(colour, tile))
    }

    /// Returns the placements of `colour` that cover `cell`, ordered as by
    /// [`legal`](Self::legal).
    #[must_use]
    pub fn placements_for_cell(&self, colour: Colour, cell: Cell) -> Vec<Placement> {
        let is_allowed = with_position!(&self.position, position => {
            position.allowed(colour).contains(cell)
        });
        if !is_allowed {
            return Vec::new();
        }
        let mut placements = self.placements_of(colour);
        placements.retain(|placement| placement.cells().any(|covered| covered == cell));
        placements
    }
}
