//! Board sizes, and how the rows of a board are kept.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A board size: [`Duo`] or [`Classic`].
///
/// Boards are square. A row is an integer whose bit `x` is column `x`; the rows of a board are
/// an array whose length is rounded up to whole vector registers. What lies beyond the board is
/// always zero. No other crate can implement this trait.
pub trait Size:
    Copy + Debug + Default + Eq + Hash + Send + Sync + sealed::Sealed + 'static
{
    /// Number of columns, and of rows.
    const WIDTH: u8;
    /// One row of cells.
    type Row: Row;
    /// The rows of a board, top row first.
    type Rows: Rows<Self::Row>;
    /// Rows with at least four empty ones after them, so that a shape may reach below.
    #[doc(hidden)]
    type Padded: Rows<Self::Row>;
    /// Every row empty.
    #[doc(hidden)]
    const EMPTY: Self::Rows;
    /// Every cell of the board.
    #[doc(hidden)]
    const FULL: Self::Rows;
    #[doc(hidden)]
    const EMPTY_PADDED: Self::Padded;
}

/// The 14x14 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Duo;

impl Size for Duo {
    const WIDTH: u8 = 14;
    type Row = u16;
    type Rows = [u16; 16];
    type Padded = [u16; 20];
    const EMPTY: Self::Rows = [0; 16];
    const FULL: Self::Rows = {
        let mut rows = [0; 16];
        let mut y = 0;
        while y < Self::WIDTH as usize {
            rows[y] = (1 << Self::WIDTH) - 1;
            y += 1;
        }
        rows
    };
    const EMPTY_PADDED: Self::Padded = [0; 20];
}

/// The 20x20 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Classic;

impl Size for Classic {
    const WIDTH: u8 = 20;
    type Row = u32;
    type Rows = [u32; 24];
    type Padded = [u32; 28];
    const EMPTY: Self::Rows = [0; 24];
    const FULL: Self::Rows = {
        let mut rows = [0; 24];
        let mut y = 0;
        while y < Self::WIDTH as usize {
            rows[y] = (1 << Self::WIDTH) - 1;
            y += 1;
        }
        rows
    };
    const EMPTY_PADDED: Self::Padded = [0; 28];
}

/// One row of cells: an unsigned integer whose bit `x` is column `x`.
pub trait Row:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
    + 'static
{
    /// The row without cells.
    const EMPTY: Self;
    /// The row's bits.
    fn bits(self) -> u32;
    /// The row of these bits; those that do not fit are dropped.
    fn from_bits(bits: u32) -> Self;
    /// Number of cells in the row.
    fn count(self) -> u32;
}

impl Row for u16 {
    const EMPTY: Self = 0;
    #[inline(always)]
    fn bits(self) -> u32 {
        self.into()
    }
    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits as u16
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
}

impl Row for u32 {
    const EMPTY: Self = 0;
    #[inline(always)]
    fn bits(self) -> u32 {
        self
    }
    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
}

/// An array of rows.
pub trait Rows<R>:
    Copy + Debug + Eq + Hash + Send + Sync + AsRef<[R]> + AsMut<[R]> + sealed::Sealed + 'static
{
    /// The array whose entry `y` is `row(y)`.
    fn from_fn(row: impl FnMut(usize) -> R) -> Self;
}

impl<R: Row, const N: usize> Rows<R> for [R; N] {
    #[inline(always)]
    fn from_fn(row: impl FnMut(usize) -> R) -> Self {
        core::array::from_fn(row)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Duo {}
    impl Sealed for super::Classic {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
    impl<R, const N: usize> Sealed for [R; N] {}
}
