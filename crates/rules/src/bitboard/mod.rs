//! Bitboard: a set of cells, stored as the rows of a board.

use crate::size::Row;
use crate::{Cell, Placement, Size};

mod ops;
mod picture;

pub use picture::PictureError;
pub(crate) use picture::draw;

/// Set of cells of a board of size `S`.
///
/// The operators are set operators: `|` is union, `&` intersection, `-` difference, `^` symmetric
/// difference and `!` the complement on the board. Shifts do not wrap around an edge: cells that
/// leave the board are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitboard<S: Size>(S::Rows);

impl<S: Size> Bitboard<S> {
    /// The empty set.
    pub const EMPTY: Self = Self(S::EMPTY);

    /// All cells of the board.
    pub const FULL: Self = Self(S::FULL);

    /// Returns the cells that `placement` covers, or `None` if the placement extends beyond the
    /// board.
    #[must_use]
    #[inline(always)]
    pub fn from_placement(placement: Placement) -> Option<Self> {
        if !placement.fits(S::WIDTH) {
            return None;
        }
        let mut rows = S::EMPTY;
        let (x, y) = (u32::from(placement.x), usize::from(placement.y));
        let shape = placement.orientation.rows();
        let height = usize::from(placement.orientation.height());
        for (row, &bits) in rows.as_mut()[y..y + height].iter_mut().zip(shape) {
            *row = S::Row::from_bits(u32::from(bits) << x);
        }
        Some(Self(rows))
    }

    /// True if `cell` is in the set; false for a cell off the board.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        on_board::<S>(cell) && self.row(cell.y) >> cell.x & 1 != 0
    }

    /// Adds `cell`.
    ///
    /// # Panics
    ///
    /// If `cell` is not on the board.
    pub fn insert(&mut self, cell: Cell) {
        assert!(on_board::<S>(cell), "{cell} is not on the board");
        let row = &mut self.0.as_mut()[usize::from(cell.y)];
        *row = *row | S::Row::from_bits(1 << cell.x);
    }

    /// Removes `cell`; a cell off the board is never in the set.
    pub fn remove(&mut self, cell: Cell) {
        if on_board::<S>(cell) {
            let row = &mut self.0.as_mut()[usize::from(cell.y)];
            *row = *row & !S::Row::from_bits(1 << cell.x);
        }
    }

    /// Returns the number of cells in the set.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.as_ref().iter().map(|row| row.count().into()).sum()
    }

    /// True if the set has no cells.
    #[must_use]
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// True if the two sets have no cell in common.
    #[must_use]
    #[inline(always)]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        (*self & *other).is_empty()
    }

    /// True if every cell of this set is in `other`.
    #[must_use]
    #[inline(always)]
    pub fn is_subset(&self, other: &Self) -> bool {
        (*self - *other).is_empty()
    }

    /// Iterates over the cells of the set row by row, from left to right.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<S> {
        let rows = self.0;
        (0..S::WIDTH).flat_map(move |y| {
            let mut rest: u32 = rows.as_ref()[usize::from(y)].into();
            core::iter::from_fn(move || {
                let x = rest.trailing_zeros() as u8;
                rest &= rest.checked_sub(1)?;
                Some(Cell::new(x, y))
            })
        })
    }

    /// Returns the first cell in the order of [`iter`](Self::iter), or `None` if the set is empty.
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// Returns row `y` as an integer whose bit `x` is the cell (`x`, `y`); 0 below the board.
    #[must_use]
    #[inline(always)]
    pub fn row(&self, y: u8) -> u32 {
        self.0
            .as_ref()
            .get(usize::from(y))
            .map_or(0, |&row| row.into())
    }

    /// Returns all rows, including the empty rows that fill the last vector register.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &S::Rows {
        &self.0
    }

    /// Creates a set from its rows, which must be empty beyond the board.
    #[inline(always)]
    pub(crate) fn from_rows(rows: S::Rows) -> Self {
        let set = Self(rows);
        debug_assert!(set.is_subset(&Self::FULL));
        set
    }
}

fn on_board<S: Size>(cell: Cell) -> bool {
    cell.x < S::WIDTH && cell.y < S::WIDTH
}

impl<S: Size> Default for Bitboard<S> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<S: Size> FromIterator<Cell> for Bitboard<S> {
    /// Collects cells into a set; panics if a cell is off the board.
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}
