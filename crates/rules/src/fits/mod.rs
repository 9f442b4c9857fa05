//! Legal anchors of every orientation, found by shifts of the whole board.
//!
//! A shape fits at an anchor if each of its rows fits. A row of a shape is one or two horizontal
//! runs of cells. [`Runs`] first finds the runs of every length in the set, once for all shapes,
//! and shifts them to the left edge of the shape. An orientation then costs one load and one AND of
//! whole boards for each of its runs: 2.7 on average, instead of one for each of its cells. Shifts
//! up are free: each is a load from a later row.
//!
//! On the 20x20 board, `count` packs the rows instead, see the module `packed`.
//!
//! `find` and `count` are compiled twice each: on x86-64 they use AVX2, BMI and POPCNT if the
//! processor supports them. [`Fits`] and [`Runs`] are inlined everywhere, so they are compiled with
//! the vector instructions of their callers.

use multiversion::multiversion;

use crate::size::{Row, Rows};
use crate::{Bitboard, Duo, Orientation, Size, TileSet};

mod packed;
mod plan;
mod tree;

use plan::{PLANES, STRIDE, plane, planes_of_length};
pub use plan::{PLANS_BY_RUNS, Plan};

/// Legal anchors by orientation index.
pub(crate) type Anchors<S> = [Bitboard<S>; Orientation::COUNT];

/// Finds the legal anchors of the orientations of `tiles`; `corners` must be a subset of `allowed`.
/// Other entries of `anchors` keep their values.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn find<S: Size>(
    allowed: &Bitboard<S>,
    corners: &Bitboard<S>,
    tiles: TileSet,
    anchors: &mut Anchors<S>,
) {
    find_inline(allowed, corners, tiles, anchors);
}

/// Returns the legal anchors of the orientations of `tiles`, by orientation index; `corners` must
/// be a subset of `allowed`. Entries of other tiles are empty.
#[must_use]
pub fn legal_anchors<S: Size>(
    allowed: &Bitboard<S>,
    corners: &Bitboard<S>,
    tiles: TileSet,
) -> [Bitboard<S>; Orientation::COUNT] {
    let mut anchors = [Bitboard::EMPTY; Orientation::COUNT];
    find(allowed, corners, tiles, &mut anchors);
    anchors
}

/// Returns the number of legal placements of `tiles`; `corners` must be a subset of `allowed`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn count<S: Size>(allowed: &Bitboard<S>, corners: &Bitboard<S>, tiles: TileSet) -> u32 {
    count_inline(allowed, corners, tiles)
}

#[inline(always)]
fn find_inline<S: Size>(
    allowed: &Bitboard<S>,
    corners: &Bitboard<S>,
    tiles: TileSet,
    anchors: &mut Anchors<S>,
) {
    let mut fits = Fits::EMPTY;
    fits.fill(allowed, corners);
    for plan in PLANS_BY_RUNS.iter().filter(|plan| plan.is_of(tiles)) {
        anchors[plan.orientation.index()] = Bitboard::from_rows(fits.anchors(plan));
    }
}

#[inline(always)]
fn count_inline<S: Size>(allowed: &Bitboard<S>, corners: &Bitboard<S>, tiles: TileSet) -> u32 {
    if S::WIDTH > Duo::WIDTH {
        packed::count(&row_array(allowed), &row_array(corners), tiles)
    } else {
        count_runs(allowed, corners, tiles)
    }
}

/// Returns the rows of a set as integers of one width, with empty rows below.
#[inline(always)]
fn row_array<S: Size>(set: &Bitboard<S>) -> [u32; packed::ROWS] {
    let mut rows = [0; packed::ROWS];
    for (row, &from) in rows.iter_mut().zip(set.rows().as_ref()) {
        *row = from.into();
    }
    rows
}

/// Counts by the runs of all orientations.
#[inline(always)]
fn count_runs<S: Size>(allowed: &Bitboard<S>, corners: &Bitboard<S>, tiles: TileSet) -> u32 {
    let mut fits = Fits::EMPTY;
    fits.fill(allowed, corners);
    // Row-wise sums stay in vector registers. No row has more than 20 x 91 anchors, so 16 bits
    // suffice.
    let mut counts = S::EMPTY;
    for plan in &PLANS_BY_RUNS {
        if plan.is_of(tiles) {
            counts = counts.zip(fits.anchors(plan), |sum, row| sum + row.count());
        }
    }
    counts.as_ref().iter().map(|&sum| sum.into()).sum()
}

/// Runs of cells that all orientations share.
#[derive(Clone, Debug)]
pub struct Fits<S: Size> {
    allowed: Runs<S>,
    /// Allowed cells that are not corner points.
    inner: Runs<S>,
}

impl<S: Size> Fits<S> {
    /// Runs of the empty set: no orientation has a legal anchor.
    pub const EMPTY: Self = Self {
        allowed: Runs::EMPTY,
        inner: Runs::EMPTY,
    };

    /// Fills the runs for the maps of a side; `corners` must be a subset of `allowed`.
    // In place: a return value of this size would be copied.
    #[inline(always)]
    pub fn fill(&mut self, allowed: &Bitboard<S>, corners: &Bitboard<S>) {
        let inner = allowed
            .rows()
            .zip(*corners.rows(), |allowed, corner| allowed & !corner);
        self.allowed.fill(allowed);
        self.inner.fill_rows(&inner);
    }

    /// Returns the legal anchors: anchors at which the shape fits, minus those at which it covers
    /// no corner point.
    #[must_use]
    #[inline(always)]
    pub fn anchors(&self, plan: &Plan) -> S::Rows {
        self.allowed
            .fit(plan)
            .zip(self.inner.fit(plan), |all, beside| all & !beside)
    }
}

/// Horizontal runs of cells in a set, by length and offset.
///
/// Entry `y` of plane `plane(len, dx)` has bit `x` set if a run of `len` cells starts at
/// (`x + dx`, `y`).
#[derive(Clone, Debug)]
pub struct Runs<S: Size>([[S::Row; STRIDE]; PLANES]);

impl<S: Size> Runs<S> {
    /// Runs of the empty set.
    pub const EMPTY: Self = Self([[S::Row::EMPTY; STRIDE]; PLANES]);

    /// Fills the runs for `set`.
    #[inline(always)]
    pub fn fill(&mut self, set: &Bitboard<S>) {
        self.fill_rows(set.rows());
    }

    /// Fills the planes for the rows of a set; rows below the board are not written and stay empty.
    #[inline(always)]
    fn fill_rows(&mut self, set: &S::Rows) {
        let mut runs = *set;
        for len in 1..=5 {
            if len > 1 {
                let next = set.map(|row| row >> (len as u32 - 1));
                runs = runs.zip(next, |run, cell| run & cell);
            }
            for dx in 0..planes_of_length(len) {
                let moved = runs.map(|row| row >> dx as u32);
                self.0[plane(len, dx)][..S::Rows::LEN].copy_from_slice(moved.as_ref());
            }
        }
    }

    /// Returns the anchors at which all runs of a shape lie in the set.
    #[must_use]
    #[inline(always)]
    pub fn fit(&self, plan: &Plan) -> S::Rows {
        let starts = plan.starts();
        let mut fit = self.rows(starts[0]);
        for &start in &starts[1..] {
            fit = fit.zip(self.rows(start), |fit, run| fit & run);
        }
        fit
    }

    /// Returns the rows that start at an entry of the planes.
    #[inline(always)]
    fn rows(&self, start: u16) -> S::Rows {
        let start = usize::from(start);
        S::Rows::from_slice(&self.0.as_flattened()[start..start + S::Rows::LEN])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Classic};

    /// Tests the portable code too, which dispatch would skip on a processor with AVX2.
    #[test]
    fn what_is_dispatched_to_equals_the_portable_code() {
        let cells = |residue: u8, of: u8| -> Bitboard<Duo> {
            let all = Bitboard::<Duo>::FULL.iter();
            all.filter(|cell| (cell.x * 5 + cell.y * 3) % of == residue)
                .collect()
        };
        let allowed = !cells(1, 11);
        let corners = cells(3, 13) & allowed;
        for tiles in [TileSet::FULL, TileSet::from_bits(0x0f_0ff0), TileSet::EMPTY] {
            let mut dispatched = [Bitboard::EMPTY; Orientation::COUNT];
            let mut portable = dispatched;
            find(&allowed, &corners, tiles, &mut dispatched);
            find_inline(&allowed, &corners, tiles, &mut portable);
            assert!(dispatched == portable);
            let sum = portable.iter().map(Bitboard::len).sum::<u32>();
            assert_eq!(sum > 0, !tiles.is_empty());
            assert_eq!(count(&allowed, &corners, tiles), sum);
            assert_eq!(count_inline(&allowed, &corners, tiles), sum);
        }
    }

    /// Corner points in each range of rows, so that the count packs every number of words.
    #[test]
    fn packed_rows_hold_as_many_placements_as_there_are_anchors() {
        let cells = |of: u8, rows: core::ops::RangeInclusive<u8>| -> Bitboard<Classic> {
            let all = Bitboard::<Classic>::FULL.iter();
            let in_rows = all.filter(|cell| rows.contains(&cell.y));
            in_rows
                .filter(|cell| (cell.x * 7 + cell.y * 3).is_multiple_of(of))
                .collect()
        };
        let mut most = 0;
        for blocked in [5, 13, 61, 200] {
            let allowed = !cells(blocked, 0..=19);
            for (first, last) in (0..20).flat_map(|y| (y..20).map(move |last| (y, last))) {
                for (every, bits) in [(1, u32::MAX), (4, u32::MAX), (3, 0x05_5555), (2, 1), (2, 0)]
                {
                    let corners = cells(every, first..=last) & allowed;
                    let tiles = TileSet::from_bits(bits);
                    let mut anchors = [Bitboard::EMPTY; Orientation::COUNT];
                    find_inline(&allowed, &corners, tiles, &mut anchors);
                    let sum = anchors.iter().map(Bitboard::len).sum::<u32>();
                    assert_eq!(count(&allowed, &corners, tiles), sum);
                    assert_eq!(count_inline(&allowed, &corners, tiles), sum);
                    most = sum.max(most);
                }
            }
        }
        // Nearly all placements on a board of this size.
        assert!(most > 25_000, "{most}");
    }

    #[test]
    fn runs_lie_where_their_cells_do() {
        let set: Bitboard<Duo> = [(3, 2), (4, 2), (5, 2)]
            .map(|(x, y)| Cell::new(x, y))
            .into_iter()
            .collect();
        let mut runs = Runs::<Duo>::EMPTY;
        runs.fill(&set);
        let row = |len, dx| runs.0[plane(len, dx)][2];
        assert_eq!(
            [row(1, 0), row(1, 3), row(2, 0), row(2, 1), row(3, 0)],
            [0x38, 0x07, 0x18, 0x0c, 0x08]
        );
        assert_eq!([row(4, 0), row(5, 0)], [0, 0]);
    }
}
