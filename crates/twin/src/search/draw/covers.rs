//! Numbers of the cells of a set that placements cover.

use duoforge_rules::{Bitboard, Duo, Orientation, Row, Rows, Size};

use super::{DuoRows, MAX_COUNT};

/// Rows of a plane: those of the board with its padding, and of a shape below the last one.
const PLANE_ROWS: usize = DuoRows::LEN + REACH - 1;

/// Maximum width and height of a tile.
const REACH: usize = 5;

/// Set of cells that counts how many of them a placement covers. Plane `dx` is the set shifted left
/// by `dx` columns, with empty rows below.
#[derive(Clone, Debug)]
pub struct Covers {
    planes: [[<Duo as Size>::Row; PLANE_ROWS]; REACH],
}

impl Covers {
    pub const EMPTY: Self = Self {
        planes: [[0; PLANE_ROWS]; REACH],
    };

    #[inline(always)]
    pub fn fill(&mut self, cells: &Bitboard<Duo>) {
        for (plane, dx) in self.planes.iter_mut().zip(0..) {
            for (shifted, y) in plane.iter_mut().zip(0..DuoRows::LEN as u8) {
                *shifted = Row::from_bits(cells.row(y) >> dx);
            }
        }
    }

    /// Returns the anchors at which an orientation covers at least this number of the cells, from 1
    /// to [`MAX_COUNT`].
    #[inline(always)]
    pub fn anchors(&self, orientation: Orientation, least: u32) -> DuoRows {
        // Entry `i` has the anchors with more than `i` cells.
        let mut counts = [Duo::EMPTY; MAX_COUNT as usize];
        for (dy, &row) in orientation.rows().iter().enumerate() {
            let mut row = row;
            while row != 0 {
                let plane = &self.planes[row.trailing_zeros() as usize];
                row &= row - 1;
                let covered = DuoRows::from_slice(&plane[dy..dy + DuoRows::LEN]);
                for i in (1..least as usize).rev() {
                    let more = counts[i - 1].zip(covered, |count, covered| count & covered);
                    counts[i] = counts[i].zip(more, |count, more| count | more);
                }
                counts[0] = counts[0].zip(covered, |count, covered| count | covered);
            }
        }
        counts[least as usize - 1]
    }
}
