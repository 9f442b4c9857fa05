//! State of a colour.

use duoforge_rules::{Colour, ForcedPass, Game, Owner};
use serde::{Deserialize, Serialize};

use crate::{CellPair, pairs};

/// State of a colour. Its number is its index in the list of colours.
///
/// A placement of a tile in `left` would be legal on the colour's turn if it covers at least one of
/// `corner_points` and none of `forbidden`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColourState {
    /// Seat that places the colour's next tile: its owner, or for a shared colour the seat whose
    /// turn it is to place a tile of it.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub seat: u8,
    /// True if the seats place the colour's tiles in turn. A shared colour counts for no seat.
    pub shared: bool,
    /// Letters of the tiles that are not placed, in alphabetical order.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-u]{0,21}$")))]
    pub left: String,
    /// Number of cells that the colour covers.
    #[cfg_attr(feature = "schema", schemars(range(max = 89)))]
    pub cells_placed: u32,
    /// Score in points by the variant's scoring rule, as if the game ended now.
    #[cfg_attr(feature = "schema", schemars(range(min = -89, max = 109)))]
    pub score: i32,
    /// Number of void cells: empty cells that the colour can never cover, since they share an edge
    /// with one of its tiles.
    #[cfg_attr(feature = "schema", schemars(range(max = 400)))]
    pub void: u32,
    /// Mobility: number of placements that would be legal if it were the colour's turn.
    pub mobility: u32,
    /// Corner points, row by row: each placement covers at least one of them.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(max = 19)))))]
    pub corner_points: Vec<CellPair>,
    /// Cells that no placement may cover, row by row: covered cells and void cells.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(max = 19)))))]
    pub forbidden: Vec<CellPair>,
    /// True if the colour takes no further turn: after a final pass, or without a placement in a
    /// variant that skips such colours.
    pub out: bool,
}

impl ColourState {
    /// Returns the state of `colour`.
    ///
    /// # Panics
    ///
    /// If the variant has no such colour.
    #[must_use]
    pub fn new(game: &Game, colour: Colour) -> Self {
        let variant = game.variant();
        let mobility = game.count_placements(colour);
        let is_skipped = variant.passing().forced == ForcedPass::Skipped && mobility == 0;
        Self {
            seat: game.seat_of(colour).0,
            shared: variant.owner(colour) == Owner::Shared,
            left: game.tiles_left(colour).to_string(),
            cells_placed: game.cells_placed(colour),
            score: game.colour_score(colour),
            void: game.void_cells(colour).len(),
            mobility,
            corner_points: pairs(game.corner_points(colour)),
            forbidden: pairs(game.allowed(colour).complement()),
            out: game.is_out(colour) || is_skipped,
        }
    }
}
