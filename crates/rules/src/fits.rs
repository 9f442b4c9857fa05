//! Where shapes fit: the legal anchors of every orientation by shifts of the whole board.
//!
//! A shape fits at an anchor if each of its rows does, and a row of a shape is one horizontal
//! run of cells or two. So [`Runs`] first finds, once for all shapes, where runs of every length
//! lie in the set, moved to the left edge of the shape; after that an orientation costs one
//! load and one AND of whole boards for each of its runs, 2.7 on average, instead of one for
//! each of its cells. Moving up is free: it is a load from a later row.
//!
//! The two functions for use elsewhere are compiled twice each: on x86-64 the wider vectors are
//! used where the processor has them.

use multiversion::multiversion;

use crate::size::{Row, Rows};
use crate::{Bitboard, Orientation, Size, TileSet};

mod draw;
mod plan;

pub use draw::{Class, Ground, draw};
use plan::{PLANES, PLANS_BY_RUNS, Plan, STRIDE, plane, planes_of_length};

/// The anchors of every orientation, in order.
pub(crate) type Anchors<S> = [Bitboard<S>; Orientation::COUNT];

/// Finds the legal anchors of the orientations of these tiles; `corners` must be a subset of
/// `allowed`. Other entries of `anchors` stay as they are.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn find<S: Size>(
    allowed: &Bitboard<S>,
    corners: &Bitboard<S>,
    tiles: TileSet,
    anchors: &mut Anchors<S>,
) {
    find_inline(allowed, corners, tiles, anchors);
}

/// The legal anchors of the orientations of these tiles, in order; `corners` must be a subset of
/// `allowed`. Those of other tiles are empty.
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

/// Number of legal placements of these tiles; `corners` must be a subset of `allowed`.
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
    let mut fits = Fits::EMPTY;
    fits.fill(allowed, corners);
    // Counting row by row keeps the sums in a vector. No row has more than 20 x 91 anchors,
    // which 16 bits hold.
    let mut counts = S::EMPTY;
    for plan in &PLANS_BY_RUNS {
        if plan.is_of(tiles) {
            counts = counts.zip(fits.anchors(plan), |sum, row| sum + row.count());
        }
    }
    counts.as_ref().iter().map(|&sum| sum.into()).sum()
}

/// What all orientations share.
struct Fits<S: Size> {
    allowed: Runs<S>,
    /// Allowed cells that are no corner points.
    inner: Runs<S>,
}

impl<S: Size> Fits<S> {
    const EMPTY: Self = Self {
        allowed: Runs::EMPTY,
        inner: Runs::EMPTY,
    };

    // In place, because a return value of this size would be copied.
    #[inline(always)]
    fn fill(&mut self, allowed: &Bitboard<S>, corners: &Bitboard<S>) {
        let inner = allowed
            .rows()
            .zip(*corners.rows(), |allowed, corner| allowed & !corner);
        self.allowed.fill(allowed.rows());
        self.inner.fill(&inner);
    }

    /// The anchors at which a shape fits, less those where it also fits beside all corner
    /// points.
    #[inline(always)]
    fn anchors(&self, plan: &Plan) -> S::Rows {
        self.allowed
            .fit(plan)
            .zip(self.inner.fit(plan), |all, beside| all & !beside)
    }
}

/// Where horizontal runs of cells lie in a set.
///
/// Entry `y` of plane [`plane(len, dx)`](plane) has bit `x` set where the cells from
/// (`x + dx`, `y`) on to the right are `len` in a row.
struct Runs<S: Size>([[S::Row; STRIDE]; PLANES]);

impl<S: Size> Runs<S> {
    const EMPTY: Self = Self([[S::Row::EMPTY; STRIDE]; PLANES]);

    /// Fills the planes for `set`; rows below the board stay as they are, empty.
    #[inline(always)]
    fn fill(&mut self, set: &S::Rows) {
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

    /// The anchors at which all runs of a shape lie in the set.
    #[inline(always)]
    fn fit(&self, plan: &Plan) -> S::Rows {
        let starts = plan.starts();
        let mut fit = self.rows(starts[0]);
        for &start in &starts[1..] {
            fit = fit.zip(self.rows(start), |fit, run| fit & run);
        }
        fit
    }

    /// The rows from an entry of the planes on.
    #[inline(always)]
    fn rows(&self, start: u16) -> S::Rows {
        let start = usize::from(start);
        S::Rows::from_slice(&self.0.as_flattened()[start..start + S::Rows::LEN])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Duo};

    /// The functions for every processor, which dispatch would pass over on a newer one.
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

    #[test]
    fn runs_lie_where_their_cells_do() {
        let set: Bitboard<Duo> = [(3, 2), (4, 2), (5, 2)]
            .map(|(x, y)| Cell::new(x, y))
            .into_iter()
            .collect();
        let mut runs = Runs::<Duo>::EMPTY;
        runs.fill(set.rows());
        let row = |len, dx| runs.0[plane(len, dx)][2];
        assert_eq!(
            [row(1, 0), row(1, 3), row(2, 0), row(2, 1), row(3, 0)],
            [0x38, 0x07, 0x18, 0x0c, 0x08]
        );
        assert_eq!([row(4, 0), row(5, 0)], [0, 0]);
    }
}
