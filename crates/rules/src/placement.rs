//! Placements: an orientation at a position on the board.

use crate::{Cell, Orientation, Tile};

/// Orientation and position of its anchor.
///
/// Two placements are equal if and only if their tiles and cells are equal. The type does not
/// depend on a board: a placement may extend beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Orientation: tile and shape.
    pub orientation: Orientation,
    /// Column of the anchor, the left edge of the bounding box, from 0.
    pub x: u8,
    /// Row of the anchor, the top edge of the bounding box, from 0.
    pub y: u8,
}

impl Placement {
    /// Creates a placement of `orientation` with its anchor at column `x`, row `y`.
    #[must_use]
    pub const fn new(orientation: Orientation, x: u8, y: u8) -> Self {
        Self { orientation, x, y }
    }

    /// Returns the tile of the placement.
    #[must_use]
    pub const fn tile(self) -> Tile {
        self.orientation.tile()
    }

    /// Iterates over the covered cells, sorted by row and then column.
    pub fn cells(self) -> impl ExactSizeIterator<Item = Cell> + Clone {
        let shape = self.orientation.cells();
        // Saturation keeps a placement far off the board off the board.
        shape.iter().map(move |cell| {
            Cell::new(self.x.saturating_add(cell.x), self.y.saturating_add(cell.y))
        })
    }

    /// True if every cell lies on a board of `width` columns and rows.
    #[must_use]
    pub const fn fits(self, width: u8) -> bool {
        self.x as u32 + self.orientation.width() as u32 <= width as u32
            && self.y as u32 + self.orientation.height() as u32 <= width as u32
    }
}
