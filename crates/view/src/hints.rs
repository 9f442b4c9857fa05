//! Hints: the tiles that reach a cell, and the cells that a tile reaches.

use duoforge_rules::{Cell, Colour, Game, Move, Placement, Tile};
use serde::{Deserialize, Serialize};

use crate::{CellPair, Legal, Version, pair, pairs};

/// Hints of either kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Hints {
    /// Hints for a cell.
    Cell(CellHints),
    /// Hints for a tile.
    Tile(TileHints),
}

/// Tiles and placements of a colour that cover a cell, as if it were the colour's turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CellHints {
    /// Version of the object.
    pub version: Version,
    /// Name of the variant.
    pub variant: String,
    /// Number of the colour, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub colour: u8,
    /// The cell.
    #[cfg_attr(feature = "schema", schemars(inner(range(max = 19))))]
    pub cell: CellPair,
    /// Letters of the tiles of which a placement covers the cell.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-u]{0,21}$")))]
    pub tiles: String,
    /// Placements that cover the cell.
    pub placements: Legal,
}

/// Cells and placements of a tile of a colour, as if it were the colour's turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TileHints {
    /// Version of the object.
    pub version: Version,
    /// Name of the variant.
    pub variant: String,
    /// Number of the colour, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub colour: u8,
    /// Letter of the tile.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-u]$")))]
    pub tile: String,
    /// Cells that placements of the tile cover, row by row.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(max = 19)))))]
    pub cells: Vec<CellPair>,
    /// Placements of the tile; none if the colour has placed it.
    pub placements: Legal,
}

impl CellHints {
    /// Returns the hints for `cell`.
    ///
    /// # Panics
    ///
    /// If the variant has no such colour.
    ///
    /// ```
    /// use duoforge_rules::{Cell, Colour, Game, GameVariant};
    /// use duoforge_view::CellHints;
    ///
    /// let game = Game::new(&GameVariant::DUO);
    /// let hints = CellHints::new(&game, Colour(0), Cell::new(4, 4));
    /// assert_eq!((hints.tiles.as_str(), hints.placements.count), ("abcdefghijklmnopqrstu", 414));
    /// ```
    #[must_use]
    pub fn new(game: &Game, colour: Colour, cell: Cell) -> Self {
        Self {
            version: Version,
            variant: game.variant().name().to_owned(),
            colour: colour.0,
            cell: pair(cell),
            tiles: game.tiles_for_cell(colour, cell).to_string(),
            placements: list(game, game.placements_for_cell(colour, cell)),
        }
    }
}

impl TileHints {
    /// Returns the hints for `tile`.
    ///
    /// # Panics
    ///
    /// If the variant has no such colour.
    ///
    /// ```
    /// use duoforge_rules::{Colour, Game, GameVariant, Tile};
    /// use duoforge_view::TileHints;
    ///
    /// let game = Game::new(&GameVariant::CLASSIC);
    /// let hints = TileHints::new(&game, Colour(0), Tile::MONOMINO);
    /// assert_eq!((hints.cells, hints.placements.codes), (vec![[0, 0]], vec!["11a0".to_owned()]));
    /// ```
    #[must_use]
    pub fn new(game: &Game, colour: Colour, tile: Tile) -> Self {
        let mut placements = game.placements_of(colour);
        placements.retain(|placement| placement.tile() == tile);
        Self {
            version: Version,
            variant: game.variant().name().to_owned(),
            colour: colour.0,
            tile: tile.to_string(),
            cells: pairs(game.cells_for_tile(colour, tile)),
            placements: list(game, placements),
        }
    }
}

/// Lists placements.
fn list(game: &Game, placements: Vec<Placement>) -> Legal {
    Legal::of(game, placements.into_iter().map(Move::Place).collect())
}
