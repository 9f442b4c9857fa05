//! Orientations: the 91 distinct shapes of the 21 tiles under the eight rotations.

use core::fmt;

use crate::{Cell, Rotation, Tile};

/// One of the 91 distinct shapes of the tiles, independent of its position on the board.
///
/// Orientations are ordered by tile, `a` to `u`, and within a tile by the first rotation that
/// yields the shape. The *anchor* of a shape is the upper left cell of its bounding box; the shape
/// need not cover it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(u8);

impl Orientation {
    /// Number of orientations.
    pub const COUNT: usize = 91;

    /// Iterates over all orientations in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the orientation of this index, or `None` from 91 up.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Returns the shape of `tile` under `rotation`; several rotations may yield the same shape.
    #[must_use]
    pub const fn from_tile_rotation(tile: Tile, rotation: Rotation) -> Self {
        TABLES.named[tile.index()][rotation.index()].0
    }

    /// Returns the offset from the anchor to the centre for a code with `tile` and `rotation`.
    #[must_use]
    pub const fn back(tile: Tile, rotation: Rotation) -> Cell {
        TABLES.named[tile.index()][rotation.index()].1
    }

    /// Iterates over the orientations of `tile`, in order.
    pub fn of_tile(tile: Tile) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        let first = TABLES.first[tile.index()];
        (first..TABLES.first[tile.index() + 1]).map(Self)
    }

    /// Returns the index in the order of all orientations, 0 to 90.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the tile that has this shape.
    #[must_use]
    pub const fn tile(self) -> Tile {
        self.shape().tile
    }

    /// Canonical rotation: the lowest one that yields this shape.
    #[must_use]
    pub const fn rotation(self) -> Rotation {
        self.shape().rotation
    }

    /// Returns the cells of the shape as offsets from the anchor, sorted by row and then column.
    #[must_use]
    pub const fn cells(self) -> &'static [Cell] {
        let shape = self.shape();
        shape.cells.split_at(shape.tile.size() as usize).0
    }

    /// Returns the width of the bounding box in columns, 1 to 5.
    #[must_use]
    pub const fn width(self) -> u8 {
        self.shape().width
    }

    /// Returns the height of the bounding box in rows, 1 to 5.
    #[must_use]
    pub const fn height(self) -> u8 {
        self.shape().height
    }

    /// Returns the offset from the anchor to the centre under the canonical rotation.
    #[must_use]
    pub const fn centre(self) -> Cell {
        Self::back(self.tile(), self.rotation())
    }

    /// Returns the rows of the shape from the anchor down: bit `x` of an entry is the offset `x`.
    #[must_use]
    pub const fn rows(self) -> &'static [u8] {
        let shape = self.shape();
        shape.rows.split_at(shape.height as usize).0
    }

    const fn shape(self) -> &'static Shape {
        &TABLES.shapes[self.0 as usize]
    }
}

/// Writes tile and canonical rotation as in a code, for example `t3`.
impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.tile(), self.rotation())
    }
}

impl fmt::Debug for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Orientation({self})")
    }
}

#[derive(Clone, Copy)]
struct Shape {
    tile: Tile,
    rotation: Rotation,
    /// The first `tile.size()` entries are the cells.
    cells: [Cell; 5],
    /// The first `height` entries are the rows of the shape.
    rows: [u8; 5],
    width: u8,
    height: u8,
}

struct Tables {
    shapes: [Shape; Orientation::COUNT],
    /// By tile and rotation: the orientation, and the offset of the centre from its anchor.
    named: [[(Orientation, Cell); Rotation::COUNT]; Tile::COUNT],
    /// By tile: index of its first orientation; the last entry is the number of orientations.
    first: [u8; Tile::COUNT + 1],
}

static TABLES: Tables = tables();

const fn tables() -> Tables {
    let blank = rotate(Tile::ALL[0], Rotation::ALL[0]).0;
    let mut tables = Tables {
        shapes: [blank; Orientation::COUNT],
        named: [[(Orientation(0), Cell::new(0, 0)); Rotation::COUNT]; Tile::COUNT],
        first: [0; Tile::COUNT + 1],
    };
    let mut count = 0;
    let mut t = 0;
    while t < Tile::COUNT {
        tables.first[t] = count as u8;
        let mut r = 0;
        while r < Rotation::COUNT {
            let (shape, centre) = rotate(Tile::ALL[t], Rotation::ALL[r]);
            let mut index = tables.first[t] as usize;
            while index < count && !same_cells(&tables.shapes[index], &shape) {
                index += 1;
            }
            if index == count {
                tables.shapes[count] = shape;
                count += 1;
            }
            tables.named[t][r] = (Orientation(index as u8), centre);
            r += 1;
        }
        t += 1;
    }
    assert!(count == Orientation::COUNT);
    tables.first[Tile::COUNT] = count as u8;
    tables
}

/// Returns the shape of `tile` under `rotation` and the offset of its centre from the anchor.
const fn rotate(tile: Tile, rotation: Rotation) -> (Shape, Cell) {
    let base = tile.base_cells();
    let (mut left, mut right, mut top, mut bottom) = (0, 0, 0, 0);
    let mut i = 0;
    while i < base.len() {
        let (x, y) = rotation.apply(base[i].0, base[i].1);
        left = if x < left { x } else { left };
        right = if x > right { x } else { right };
        top = if y < top { y } else { top };
        bottom = if y > bottom { y } else { bottom };
        i += 1;
    }
    let mut cells = [Cell::new(0, 0); 5];
    let mut rows = [0; 5];
    let mut i = 0;
    while i < base.len() {
        let (x, y) = rotation.apply(base[i].0, base[i].1);
        let cell = Cell::new((x - left) as u8, (y - top) as u8);
        // Insertion sort by row, then column.
        let mut j = i;
        while j > 0 && cells[j - 1].y * 8 + cells[j - 1].x > cell.y * 8 + cell.x {
            cells[j] = cells[j - 1];
            j -= 1;
        }
        cells[j] = cell;
        rows[cell.y as usize] |= 1 << cell.x;
        i += 1;
    }
    let width = (right - left + 1) as u8;
    let height = (bottom - top + 1) as u8;
    let centre = Cell::new(-left as u8, -top as u8);
    (
        Shape {
            tile,
            rotation,
            cells,
            rows,
            width,
            height,
        },
        centre,
    )
}

/// True if two shapes of one tile cover the same offsets.
const fn same_cells(a: &Shape, b: &Shape) -> bool {
    let mut i = 0;
    while i < a.cells.len() {
        if a.cells[i].x != b.cells[i].x || a.cells[i].y != b.cells[i].y {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_are_grouped_by_tile_and_named_by_their_lowest_rotation() {
        let mut next = 0;
        for tile in Tile::ALL {
            for orientation in Orientation::of_tile(tile) {
                assert_eq!(orientation.index(), next);
                assert_eq!(orientation.tile(), tile);
                assert_eq!(Orientation::from_index(next), Some(orientation));
                let lowest = Rotation::ALL
                    .into_iter()
                    .find(|&r| Orientation::from_tile_rotation(tile, r) == orientation);
                assert_eq!(lowest, Some(orientation.rotation()));
                next += 1;
            }
        }
        assert_eq!(next, Orientation::COUNT);
        assert_eq!(Orientation::all().len(), 91);
        assert_eq!(Orientation::from_index(91), None);
    }

    #[test]
    fn cells_are_sorted_distinct_and_fill_their_box() {
        for orientation in Orientation::all() {
            let cells = orientation.cells();
            assert_eq!(cells.len(), usize::from(orientation.tile().size()));
            assert!(cells.windows(2).all(|pair| pair[0] < pair[1]));
            assert_eq!(cells.iter().map(|c| c.x).min(), Some(0));
            assert_eq!(cells.iter().map(|c| c.y).min(), Some(0));
            assert_eq!(
                cells.iter().map(|c| c.x + 1).max(),
                Some(orientation.width())
            );
            assert_eq!(
                cells.iter().map(|c| c.y + 1).max(),
                Some(orientation.height())
            );
            assert!(cells.contains(&orientation.centre()));
            let mut rows = vec![0; usize::from(orientation.height())];
            cells
                .iter()
                .for_each(|c| rows[usize::from(c.y)] |= 1 << c.x);
            assert_eq!(orientation.rows(), rows);
        }
    }
}
