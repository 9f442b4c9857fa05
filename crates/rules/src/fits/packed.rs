//! Count of the legal placements on boards of up to 20 columns, in rows of three bytes.
//!
//! A row has 20 columns and four empty ones, so 20 rows are 60 bytes: two 256-bit registers, where
//! [`Runs`](super::Runs) takes three. A shape is stored at its first cell by rows. A cell of the
//! shape `dx` columns and `dy` rows away is a load from plane `dx` at `dy` rows: the four empty
//! columns keep a shift from reaching the next row. Shapes extend each other, see
//! [`tree`](super::tree), so that each of the 91 orientations costs one load and one AND for each
//! of the two sets.
//!
//! Every legal placement covers a corner point. So its first cell is at most four rows above the
//! first of them, and not below the last. Where that leaves at most ten rows, one register is
//! enough, and half of one for five.

use super::tree::{Extension, FIRST_CHILD, LARGE_SHAPES, PARENTS, SMALL_SHAPES};
use crate::{Tile, TileSet};

/// Bytes per row.
pub(super) const ROW_BYTES: usize = 3;

/// Rows that are packed: those of the board, and empty ones.
pub(super) const ROWS: usize = 24;

/// Number of planes: one for each column, from the first cell's, in which a shape has cells.
pub(super) const PLANES: usize = 8;

/// Rows below its first cell that a shape can reach.
const REACH: usize = 4;

/// Plane of the cells in the first cell's column.
const CENTRE: usize = plane_of_column(0);

/// Packed words of 24 rows, and two empty ones.
const WORDS: usize = ROWS * ROW_BYTES / 8 + 2;

/// Returns the plane of the cells `dx` columns right of the first cell, -3 to 4.
pub(super) const fn plane_of_column(dx: i8) -> usize {
    (dx + 3) as usize
}

/// Returns the number of legal placements of `tiles`. Both sets are rows, whose bit `x` is column
/// `x`, of at most 20 columns and rows; `corners` must be a subset of `allowed`.
#[inline(always)]
pub(super) fn count(allowed: &[u32; ROWS], corners: &[u32; ROWS], tiles: TileSet) -> u32 {
    let Some(first) = corners.iter().position(|&row| row != 0) else {
        return 0;
    };
    let last = corners.iter().rposition(|&row| row != 0).unwrap_or(first);
    let top = first.saturating_sub(REACH);
    match last - top {
        0..5 => count_words::<2, 4>(allowed, corners, top, tiles),
        5..10 => count_words::<4, 6>(allowed, corners, top, tiles),
        _ => count_words::<8, 10>(allowed, corners, 0, tiles),
    }
}

/// Counts the placements whose first cell lies in the `N` words from row `top`. Their other cells
/// lie in `W` words, of which the last four rows of a shape take less than two.
#[inline(always)]
fn count_words<const N: usize, const W: usize>(
    allowed: &[u32; ROWS],
    corners: &[u32; ROWS],
    top: usize,
    tiles: TileSet,
) -> u32 {
    let mut inner = *allowed;
    for (row, corner) in inner.iter_mut().zip(corners) {
        *row &= !corner;
    }
    let mut planes = [Planes::<W>::EMPTY; 2];
    planes[0].fill(allowed, top);
    planes[1].fill(&inner, top);

    let mut sums = [0; N];
    let first: Fits<N> = [planes[0].load(CENTRE, 0), planes[1].load(CENTRE, 0)];
    if tiles.contains(Tile::MONOMINO) {
        add(&mut sums, &first);
    }
    let mut parents = [first; PARENTS];
    for (index, extension) in SMALL_SHAPES.iter().enumerate().skip(1) {
        let fits = extend(&parents[extension.parent], &planes, extension);
        if tiles.bits() & extension.tile != 0 {
            add(&mut sums, &fits);
        }
        if index < PARENTS {
            parents[index] = fits;
            continue;
        }
        let children = usize::from(FIRST_CHILD[index])..usize::from(FIRST_CHILD[index + 1]);
        for extension in &LARGE_SHAPES[children] {
            if tiles.bits() & extension.tile != 0 {
                add(&mut sums, &extend(&fits, &planes, extension));
            }
        }
    }
    // Without the bound, the compiler narrows each sum as soon as it is made.
    sums.iter().sum::<u64>().min(u32::MAX.into()) as u32
}

/// Positions at which a shape fits into the allowed cells, and into those cells without the corner
/// points.
type Fits<const N: usize> = [[u64; N]; 2];

/// Returns the positions at which a shape fits that extends another one.
#[inline(always)]
fn extend<const N: usize, const W: usize>(
    parent: &Fits<N>,
    planes: &[Planes<W>; 2],
    by: &Extension,
) -> Fits<N> {
    let mut fits = *parent;
    for (fits, planes) in fits.iter_mut().zip(planes) {
        let cells = planes.load::<N>(by.plane, by.offset);
        for (fit, cell) in fits.iter_mut().zip(cells) {
            *fit &= cell;
        }
    }
    fits
}

/// Adds the number of legal positions, by word.
#[inline(always)]
fn add<const N: usize>(sums: &mut [u64; N], [all, inner]: &Fits<N>) {
    for ((sum, all), inner) in sums.iter_mut().zip(all).zip(inner) {
        *sum += u64::from((all & !inner).count_ones());
    }
}

/// Set of cells in `W` words, moved by each number of columns.
///
/// Bit `24 y + x` of plane `plane_of_column(dx)` is the cell (`x + dx`, `y`). Row 0 is the first
/// packed row.
struct Planes<const W: usize>([[[u8; 8]; W]; PLANES]);

impl<const W: usize> Planes<W> {
    /// Planes of the empty set.
    const EMPTY: Self = Self([[[0; 8]; W]; PLANES]);

    /// Fills the planes for the rows of a set from row `top` down.
    #[inline(always)]
    fn fill(&mut self, rows: &[u32; ROWS], top: usize) {
        let words = pack(rows, top);
        for (columns, plane) in self.0.iter_mut().enumerate() {
            for (i, bytes) in plane.iter_mut().enumerate() {
                let moved = words[i] >> columns | words[i + 1] << 1 << (63 - columns);
                *bytes = moved.to_le_bytes();
            }
        }
    }

    /// Returns `N` words of a plane from a byte below 16.
    #[inline(always)]
    fn load<const N: usize>(&self, plane: usize, offset: usize) -> [u64; N] {
        // The masks change nothing: they spare the checks of both indices.
        let bytes = &self.0[plane % PLANES].as_flattened()[offset % 16..];
        let mut words = [0; N];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        }
        words
    }
}

/// Packs rows of 24 bits from row `top` down into words, and an empty word below. Column `x` is bit
/// `x + 3` of a row, so that every plane is a shift to the right.
#[inline(always)]
fn pack(rows: &[u32; ROWS], top: usize) -> [u64; WORDS] {
    let mut moved = [0; ROWS];
    for (row, &from) in moved.iter_mut().zip(&rows[top..]) {
        *row = u64::from(from) << CENTRE;
    }
    let mut words = [0; WORDS];
    for (words, rows) in words.chunks_exact_mut(3).zip(moved.chunks_exact(8)) {
        words[0] = rows[0] | rows[1] << 24 | rows[2] << 48;
        words[1] = rows[2] >> 16 | rows[3] << 8 | rows[4] << 32 | rows[5] << 56;
        words[2] = rows[5] >> 8 | rows[6] << 16 | rows[7] << 40;
    }
    words
}
