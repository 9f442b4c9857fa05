//! Tree of the orientations: each shape of two or more cells is a smaller shape and one more cell.

use super::packed::{PLANES, ROW_BYTES, plane_of_column};
use crate::Orientation;

/// Number of orientations of tiles with fewer than five cells. Their indices come first.
pub(super) const SMALL: usize = 28;

/// Number of orientations of tiles with fewer than four cells: the parents of small shapes.
pub(super) const PARENTS: usize = 9;

/// Number of orientations of tiles with five cells.
const LARGE: usize = Orientation::COUNT - SMALL;

/// Cell that extends a smaller shape, seen from the shape's first cell by rows.
#[derive(Clone, Copy)]
pub(super) struct Extension {
    /// Index of the smaller shape among the orientations.
    pub(super) parent: usize,
    /// Plane of the cell's column.
    pub(super) plane: usize,
    /// Offset of the cell's row, in bytes.
    pub(super) offset: usize,
    /// Tile of the extended shape as a bit of [`TileSet::bits`](crate::TileSet::bits).
    pub(super) tile: u32,
}

/// Extensions that yield the shapes of one to four cells, by orientation index. Each parent comes
/// before its children; entry 0, the monomino, has none.
pub(super) static SMALL_SHAPES: [Extension; SMALL] = {
    let mut shapes = [extension(1); SMALL];
    let mut index = 1;
    while index < SMALL {
        shapes[index] = extension(index);
        assert!(shapes[index].parent < index && shapes[index].parent < PARENTS);
        index += 1;
    }
    shapes
};

/// Extensions that yield the shapes of five cells, sorted by parent.
pub(super) static LARGE_SHAPES: [Extension; LARGE] = SORTED.0;

/// By orientation index of the parent: first of its extensions in [`LARGE_SHAPES`]; the last entry
/// is their number.
pub(super) static FIRST_CHILD: [u8; SMALL + 1] = SORTED.1;

const SORTED: ([Extension; LARGE], [u8; SMALL + 1]) = {
    let mut all = [extension(1); LARGE];
    let mut index = 0;
    while index < LARGE {
        all[index] = extension(SMALL + index);
        index += 1;
    }
    let mut sorted = all;
    let mut first = [0; SMALL + 1];
    let mut count = 0;
    let mut parent = 0;
    while parent < SMALL {
        first[parent] = count as u8;
        let mut index = 0;
        while index < LARGE {
            if all[index].parent == parent {
                sorted[count] = all[index];
                count += 1;
            }
            index += 1;
        }
        parent += 1;
    }
    first[SMALL] = count as u8;
    assert!(count == LARGE && first[PARENTS] == 0);
    (sorted, first)
};

/// Finds a cell of a shape, not its first one, without which the rest is a shape too.
const fn extension(index: usize) -> Extension {
    let shape = orientation(index);
    let cells = shape.cells();
    let mut removed = cells.len() - 1;
    loop {
        assert!(removed > 0, "a shape without one cell is a shape");
        let mut parent = 0;
        while parent < index {
            if is_rest(orientation(parent), shape, removed) {
                let dx = cells[removed].x as i8 - cells[0].x as i8;
                let extension = Extension {
                    parent,
                    plane: plane_of_column(dx),
                    offset: cells[removed].y as usize * ROW_BYTES,
                    tile: 1 << shape.tile().index(),
                };
                assert!(extension.plane < PLANES);
                return extension;
            }
            parent += 1;
        }
        removed -= 1;
    }
}

/// True if `part` has the cells of `shape` but the one of index `removed`, seen from the first
/// cell of both.
const fn is_rest(part: Orientation, shape: Orientation, removed: usize) -> bool {
    let (part, shape) = (part.cells(), shape.cells());
    if part.len() + 1 != shape.len() {
        return false;
    }
    let mut i = 1;
    while i < part.len() {
        let other = shape[if i < removed { i } else { i + 1 }];
        // Both columns may lie left of the first cell's.
        if part[i].x + shape[0].x != other.x + part[0].x || part[i].y != other.y {
            return false;
        }
        i += 1;
    }
    true
}

const fn orientation(index: usize) -> Orientation {
    Orientation::from_index(index).expect("the index is below the count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_orientation_is_its_parent_and_one_cell() {
        let offsets = |index: usize| -> Vec<(i8, usize)> {
            let cells = orientation(index).cells();
            let offset = |it: &crate::Cell| (it.x as i8 - cells[0].x as i8, it.y.into());
            cells.iter().map(offset).collect()
        };
        let mut found = Vec::new();
        for (shape, extensions) in [(1, &SMALL_SHAPES[1..]), (SMALL, &LARGE_SHAPES[..])] {
            for (i, extension) in extensions.iter().enumerate() {
                let dx = (-3..=4).find(|&dx| plane_of_column(dx) == extension.plane);
                let mut cells = offsets(extension.parent);
                cells.push((dx.unwrap(), extension.offset / ROW_BYTES));
                cells.sort_unstable_by_key(|&(x, y)| (y, x));
                let index = (shape..Orientation::COUNT).find(|&it| offsets(it) == cells);
                let index = index.expect("the shape of an orientation");
                assert!(shape > 1 || index == i + 1);
                assert_eq!(1 << orientation(index).tile().index(), extension.tile);
                found.push(index);
            }
        }
        found.sort_unstable();
        assert_eq!(found, (1..Orientation::COUNT).collect::<Vec<_>>());
    }
}
