//! Images of a board of Duo that keep its two start cells.

use duoforge_rules::{Cell, Duo, Orientation, Placement, Size};

use super::BookKey;

/// Last row and column.
const LAST: u8 = Duo::WIDTH - 1;

/// Image of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// Exchanges rows and columns.
    transposed: bool,
    /// Turns the board by 180 degrees, which exchanges the start cells.
    turned: bool,
}

impl Image {
    /// All images, the board itself first.
    pub(super) const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(true, false),
        Self::new(false, true),
        Self::new(true, true),
    ];

    const fn new(transposed: bool, turned: bool) -> Self {
        Self { transposed, turned }
    }

    /// Returns the image of a placement.
    pub(super) fn of(self, placement: Placement) -> Placement {
        let mut cells: Vec<_> = placement.cells().map(|cell| self.of_cell(cell)).collect();
        let x = cells.iter().map(|cell| cell.x).min().unwrap_or_default();
        let y = cells.iter().map(|cell| cell.y).min().unwrap_or_default();
        for cell in &mut cells {
            *cell = Cell::new(cell.x - x, cell.y - y);
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        let orientation = Orientation::of_tile(placement.tile())
            .find(|orientation| orientation.cells() == cells)
            .expect("the image of a tile is one of its orientations");
        Placement::new(orientation, x, y)
    }

    /// Returns the image of a key.
    pub(super) fn of_key(self, key: &BookKey) -> BookKey {
        let placements = key.placements.iter();
        BookKey {
            start_is_a: key.start_is_a != self.turned,
            placements: placements.map(|&placement| self.of(placement)).collect(),
        }
    }

    fn of_cell(self, cell: Cell) -> Cell {
        let cell = match self.transposed {
            true => Cell::new(cell.y, cell.x),
            false => cell,
        };
        match self.turned {
            true => Cell::new(LAST - cell.x, LAST - cell.y),
            false => cell,
        }
    }
}
