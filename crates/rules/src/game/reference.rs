//! Reference data in the terms of a public Blokus service for bots: tables of shapes, and sets of
//! cells that make legality a lookup.
//!
//! A placement of an unplaced tile is legal if none of its cells (`pos`) is in
//! `unavailable_cells` and at least one is in `required_positions`.

use super::{CellSet, Game, Seat};
use crate::{Colour, Orientation};

/// Cell relative to the anchor of an orientation: `x` to the right, `y` down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    /// Columns to the right of the anchor, -1 to 5.
    pub x: i8,
    /// Rows below the anchor, -1 to 5.
    pub y: i8,
}

/// Reference data of an orientation. Lists are sorted by row and then column.
///
/// ```
/// use duoforge_rules::{Offset, Orientation, ShapeReference};
///
/// let monomino = Orientation::from_index(0).expect("an orientation");
/// let shape = ShapeReference::new(monomino);
/// assert_eq!(shape.pos, [Offset { x: 0, y: 0 }]);
/// assert_eq!((shape.side.len(), shape.corner.len()), (4, 4));
/// assert_eq!(shape.corner[0], Offset { x: -1, y: -1 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeReference {
    /// The orientation.
    pub orientation: Orientation,
    /// Cells of the tile.
    pub pos: Vec<Offset>,
    /// Cells that share an edge with the tile.
    pub side: Vec<Offset>,
    /// Cells that touch the tile at a corner and share no edge with it.
    pub corner: Vec<Offset>,
}

impl ShapeReference {
    /// Computes the reference data of an orientation.
    #[must_use]
    pub fn new(orientation: Orientation) -> Self {
        let cells = orientation.cells().iter();
        let pos: Vec<Offset> = cells
            .map(|cell| Offset {
                x: cell.x as i8,
                y: cell.y as i8,
            })
            .collect();
        let side = around(&pos, [(0, -1), (-1, 0), (1, 0), (0, 1)]);
        let mut corner = around(&pos, [(-1, -1), (1, -1), (-1, 1), (1, 1)]);
        corner.retain(|cell| !side.contains(cell));
        Self {
            orientation,
            pos,
            side,
            corner,
        }
    }

    /// Returns the reference data of all orientations, in order.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Orientation::all().map(Self::new).collect()
    }
}

/// Returns the cells at `steps` from the cells of a shape, without those of the shape.
fn around(pos: &[Offset], steps: [(i8, i8); 4]) -> Vec<Offset> {
    let reach = |cell: &Offset| {
        let Offset { x, y } = *cell;
        steps.map(|(dx, dy)| Offset {
            x: x + dx,
            y: y + dy,
        })
    };
    let mut cells: Vec<Offset> = pos.iter().flat_map(reach).collect();
    cells.retain(|cell| !pos.contains(cell));
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();
    cells
}

/// Reference data of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionReference {
    /// Colour to move, or `None` after the end of the game.
    pub player_idx_to_play: Option<Colour>,
    /// Seat to move, or `None` after the end of the game.
    pub user_idx_to_play: Option<Seat>,
    /// Seat that places the next tile of the shared colour, or `None` without such a colour.
    pub user_idx_to_play_fourth_color: Option<Seat>,
    /// Cells of which each placement covers at least one: corner points of the colour to move.
    pub required_positions: CellSet,
    /// Cells that no placement may cover: covered cells, and cells that share an edge with a tile
    /// of the colour to move.
    pub unavailable_cells: CellSet,
}

impl Game {
    /// Returns the reference data of the position for the colour to move. After the end of the
    /// game, no cell is required and every cell is unavailable.
    #[must_use]
    pub fn reference(&self) -> PositionReference {
        let shared = self.variant.shared_colour();
        let mut required = CellSet::new(self.size());
        let mut allowed = required;
        if let Some(colour) = self.to_move() {
            required = self.corner_points(colour);
            allowed = self.allowed(colour);
        }
        PositionReference {
            player_idx_to_play: self.to_move(),
            user_idx_to_play: self.seat_to_move(),
            user_idx_to_play_fourth_color: shared.map(|colour| self.seat_of(colour)),
            required_positions: required,
            unavailable_cells: allowed.complement(),
        }
    }
}
