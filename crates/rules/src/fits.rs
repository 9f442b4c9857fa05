//! Where shapes fit: the legal anchors of every orientation by shifts of the whole board.

use crate::{Bitboard, Cell, Orientation, Rows, Size};

/// The legal placements for given allowed cells and corner points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fits<S: Size> {
    allowed: Shifted<S>,
    /// Allowed cells that are no corner points.
    inner: Shifted<S>,
}

impl<S: Size> Fits<S> {
    /// Prepares the shifted copies; `corners` must be a subset of `allowed`.
    pub(crate) fn new(allowed: Bitboard<S>, corners: Bitboard<S>) -> Self {
        Self {
            allowed: Shifted::new(allowed),
            inner: Shifted::new(allowed - corners),
        }
    }

    /// The anchors at which the orientation lies on allowed cells and covers a corner point:
    /// where it fits, less where it also fits beside all corner points.
    pub(crate) fn anchors(&self, orientation: Orientation) -> Bitboard<S> {
        let cells = orientation.cells();
        Bitboard::from_rows(self.allowed.common(cells))
            - Bitboard::from_rows(self.inner.common(cells))
    }
}

/// Copies of a set, moved left by 0 to 4 columns, with empty rows below.
#[derive(Clone, Copy, Debug)]
struct Shifted<S: Size>([S::Padded; 5]);

impl<S: Size> Shifted<S> {
    fn new(set: Bitboard<S>) -> Self {
        let rows = set.rows().as_ref();
        let moved = |dx: usize| {
            S::Padded::from_fn(|y| rows.get(y).copied().unwrap_or_default() >> dx as u32)
        };
        Self(core::array::from_fn(moved))
    }

    /// The anchors at which all cells lie in the set.
    fn common(&self, cells: &[Cell]) -> S::Rows {
        let mut common = S::FULL;
        for cell in cells {
            let moved = self.0[usize::from(cell.x)].as_ref();
            for (y, row) in common.as_mut().iter_mut().enumerate() {
                *row = *row & moved[y + usize::from(cell.y)];
            }
        }
        common
    }
}
