//! Diagnostics of a position: empty and void cells, tiles left, scores and winners.

use super::{CellSet, Game, GameResult};
use crate::{Colour, TileSet};

/// Diagnostics of a game, during it or at its end.
///
/// ```
/// use duoforge_rules::{Game, GameVariant};
///
/// let mut game = Game::new(&GameVariant::DUO_CORNER);
/// game.play("11a0".parse()?)?;
/// let diagnostics = game.diagnostics();
/// let first = &diagnostics.colours[0];
/// assert_eq!((first.score, first.tiles_left.len(), first.void_cells.len()), (1, 20, 2));
/// assert_eq!(diagnostics.empty_cells, 195);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// Diagnostics by colour, in the order of turns.
    pub colours: Vec<ColourDiagnostics>,
    /// Number of cells that no colour covers.
    pub empty_cells: u32,
    /// True if the game has ended, so that `result` is final.
    pub is_over: bool,
    /// Scores, places and winners of the seats.
    pub result: GameResult,
}

/// Diagnostics of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColourDiagnostics {
    /// The colour.
    pub colour: Colour,
    /// Score in points by the variant's scoring rule.
    pub score: i32,
    /// Number of cells that the colour covers.
    pub cells_placed: u32,
    /// Tiles that the colour has not placed.
    pub tiles_left: TileSet,
    /// Empty cells that the colour can never cover, since they share an edge with one of its
    /// tiles.
    pub void_cells: CellSet,
    /// True if the colour has a placement.
    pub can_place: bool,
}

impl Game {
    /// Returns the diagnostics of the position.
    #[must_use]
    pub fn diagnostics(&self) -> Diagnostics {
        let of_colour = |colour| ColourDiagnostics {
            colour,
            score: self.colour_score(colour),
            cells_placed: self.cells_placed(colour),
            tiles_left: self.tiles_left(colour),
            void_cells: self.void_cells(colour),
            can_place: self.can_place(colour),
        };
        Diagnostics {
            colours: self.colours().map(of_colour).collect(),
            empty_cells: self.empty_cells().len(),
            is_over: self.is_over(),
            result: self.result(),
        }
    }
}
