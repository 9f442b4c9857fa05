//! Anchors of many orientations, kept from draw to draw.

use std::ops::Range;

use duoforge_rules::fits::{Fits, Plan, Runs};
use duoforge_rules::{Duo, Orientation, Rows, Size, TileSet};

use super::DuoRows;
use super::covers::Covers;
use super::plans::{PLANS_BY_SIZE, plans_of};

/// Anchors of the orientations that have any. The orientations of a group of tiles lie one after the
/// other, the largest tiles first.
#[derive(Clone, Debug)]
pub struct Anchors {
    pub rows: [DuoRows; Orientation::COUNT],
    /// Indices of the orientations in [`PLANS_BY_SIZE`].
    pub plans: [u8; Orientation::COUNT],
    len: usize,
}

impl Anchors {
    pub const NONE: Self = Self {
        rows: [Duo::EMPTY; Orientation::COUNT],
        plans: [0; Orientation::COUNT],
        len: 0,
    };

    /// Returns the number of orientations that have any.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes all anchors.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the legal anchors of `tiles` and returns their range.
    #[inline(always)]
    pub fn add_legal(&mut self, fits: &Fits<Duo>, tiles: TileSet) -> Range<usize> {
        let first = self.len;
        for index in plans_of(tiles) {
            self.push(index, fits.anchors(&PLANS_BY_SIZE[usize::from(index)]));
        }
        first..self.len
    }

    /// Adds those of a range of anchors at which a placement does not lie in the cells `beside`, and
    /// returns their range.
    #[inline(always)]
    pub fn add_outside(
        &mut self,
        of: &Self,
        range: Range<usize>,
        beside: &Runs<Duo>,
    ) -> Range<usize> {
        let first = self.len;
        for (&index, &rows) in of.plans[range.clone()].iter().zip(&of.rows[range]) {
            let inside = beside.fit(&PLANS_BY_SIZE[usize::from(index)]);
            self.push(index, rows.zip(inside, |all, inside| all & !inside));
        }
        first..self.len
    }

    /// Adds those of a range of anchors at which a placement covers at least this number of cells, and
    /// returns their range.
    #[inline(always)]
    pub fn add_covering(
        &mut self,
        of: &Self,
        range: Range<usize>,
        cells: &Covers,
        least: u32,
    ) -> Range<usize> {
        let first = self.len;
        for (&index, &rows) in of.plans[range.clone()].iter().zip(&of.rows[range]) {
            let orientation = PLANS_BY_SIZE[usize::from(index)].orientation;
            let covering = cells.anchors(orientation, least);
            self.push(index, rows.zip(covering, |all, covering| all & covering));
        }
        first..self.len
    }

    /// Adds the anchors of a plan if there are any.
    // Without branches, which could not be predicted.
    #[inline(always)]
    fn push(&mut self, index: u8, rows: DuoRows) {
        self.rows[self.len] = rows;
        self.plans[self.len] = index;
        self.len += usize::from(rows != Duo::EMPTY);
    }

    /// Iterates over the plans of all orientations and their anchors.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (&'static Plan, &DuoRows)> {
        self.range(0..self.len)
    }

    /// Iterates over the plans of a range of orientations and their anchors.
    #[inline(always)]
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = (&'static Plan, &DuoRows)> {
        let plans = self.plans[range.clone()].iter();
        let plans = plans.map(|&index| &PLANS_BY_SIZE[usize::from(index)]);
        plans.zip(&self.rows[range])
    }
}
