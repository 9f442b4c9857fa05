//! Board sizes and the storage of board rows.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Board size: [`Duo`] or [`Classic`]. This trait is sealed.
///
/// A board has as many rows as columns. A row is an integer whose bit `x` is column `x`. The rows of a board are an
/// array of whole 256-bit registers, so the compiler keeps it in vector registers. Bits beyond the
/// board are always zero.
pub trait Size:
    Copy + Debug + Default + Eq + Hash + Send + Sync + sealed::Sealed + 'static
{
    /// Number of columns, equal to the number of rows.
    const WIDTH: u8;
    /// One row of cells.
    type Row: Row;
    /// Array of all rows of a board, top row first.
    type Rows: Rows<Self::Row>;
    /// Empty board: all rows zero.
    #[doc(hidden)]
    const EMPTY: Self::Rows;
    /// Full board: all cells set.
    #[doc(hidden)]
    const FULL: Self::Rows;
}

/// The 14x14 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Duo;

impl Size for Duo {
    const WIDTH: u8 = 14;
    type Row = u16;
    type Rows = [u16; 16];
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
}

/// The 20x20 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Classic;

impl Size for Classic {
    const WIDTH: u8 = 20;
    type Row = u32;
    type Rows = [u32; 24];
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
}

/// Row of cells: an unsigned integer whose bit `x` is column `x`.
///
/// The functions of this trait and of [`Rows`] are inlined everywhere, so they are compiled with
/// the vector instructions of their callers.
pub trait Row:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Into<u32>
    + sealed::Sealed
    + 'static
{
    /// Row without cells.
    const EMPTY: Self;
    /// Creates a row from the bits of an integer; bits that do not fit are dropped.
    fn from_bits(bits: u32) -> Self;
    /// Returns the number of cells in the row, as an integer of the row's width.
    fn count(self) -> Self;
}

macro_rules! row {
    ($integer:ty) => {
        impl Row for $integer {
            const EMPTY: Self = 0;

            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn count(self) -> Self {
                self.count_ones() as Self
            }
        }

        impl sealed::Sealed for $integer {}
    };
}

row!(u16);
row!(u32);

/// Array of rows.
pub trait Rows<R>:
    Copy + Debug + Eq + Hash + Send + Sync + AsRef<[R]> + AsMut<[R]> + sealed::Sealed + 'static
{
    /// Number of rows.
    const LEN: usize;
    /// Creates the array whose entry `y` is `row(y)`.
    fn from_fn(row: impl FnMut(usize) -> R) -> Self;
    /// Copies the rows of a slice, whose length must be [`LEN`](Self::LEN).
    fn from_slice(rows: &[R]) -> Self;
    /// Applies `op` to every row.
    fn map(self, op: impl Fn(R) -> R) -> Self;
    /// Applies `op` to every row and the corresponding row of `other`.
    fn zip(self, other: Self, op: impl Fn(R, R) -> R) -> Self;
}

// Plain loops over whole arrays: `core::array::from_fn` and `array::map` are not always inlined,
// and then lose the vector instructions of the caller.
impl<R: Row, const N: usize> Rows<R> for [R; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn from_fn(mut row: impl FnMut(usize) -> R) -> Self {
        let mut rows = [R::EMPTY; N];
        for (y, entry) in rows.iter_mut().enumerate() {
            *entry = row(y);
        }
        rows
    }

    #[inline(always)]
    fn from_slice(rows: &[R]) -> Self {
        let mut first = [R::EMPTY; N];
        first.copy_from_slice(rows);
        first
    }

    #[inline(always)]
    fn map(mut self, op: impl Fn(R) -> R) -> Self {
        for row in &mut self {
            *row = op(*row);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, op: impl Fn(R, R) -> R) -> Self {
        for (row, other) in self.iter_mut().zip(other) {
            *row = op(*row, other);
        }
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Duo {}
    impl Sealed for super::Classic {}
    impl<R, const N: usize> Sealed for [R; N] {}
}
