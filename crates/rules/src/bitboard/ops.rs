//! Set operators and shifts.

use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::Bitboard;
use crate::Size;
use crate::size::{Row, Rows};

impl<S: Size> Bitboard<S> {
    /// Returns the set shifted up by one row.
    #[must_use]
    #[inline(always)]
    pub fn north(self) -> Self {
        let rows = self.0.as_ref();
        Self(S::Rows::from_fn(|y| {
            if y + 1 < rows.len() {
                rows[y + 1]
            } else {
                S::Row::EMPTY
            }
        }))
    }

    /// Returns the set shifted down by one row.
    #[must_use]
    #[inline(always)]
    pub fn south(self) -> Self {
        let rows = self.0.as_ref();
        Self(S::Rows::from_fn(|y| {
            if y > 0 { rows[y - 1] } else { S::Row::EMPTY }
        })) & Self::FULL
    }

    /// Returns the set shifted right by one column.
    #[must_use]
    #[inline(always)]
    pub fn east(self) -> Self {
        Self(self.0.map(|row| row << 1)) & Self::FULL
    }

    /// Returns the set shifted left by one column.
    #[must_use]
    #[inline(always)]
    pub fn west(self) -> Self {
        Self(self.0.map(|row| row >> 1))
    }

    /// Returns the set shifted `dx` columns to the right and `dy` rows down; both may be negative.
    #[must_use]
    pub fn shift(self, dx: i8, dy: i8) -> Self {
        let columns = u32::from(dx.unsigned_abs());
        if columns >= u32::from(S::WIDTH) {
            return Self::EMPTY;
        }
        let rows = self.0.as_ref();
        let from = |y: usize| {
            let source = y as isize - isize::from(dy);
            usize::try_from(source)
                .ok()
                .and_then(|y| rows.get(y))
                .copied()
                .unwrap_or_default()
        };
        let moved = S::Rows::from_fn(from);
        let moved = moved.map(|row| {
            if dx < 0 {
                row >> columns
            } else {
                row << columns
            }
        });
        Self(moved) & Self::FULL
    }

    /// Returns the cells outside the set that share an edge with a cell of the set.
    #[must_use]
    #[inline(always)]
    pub fn edge_neighbours(self) -> Self {
        (self.north() | self.south() | self.east() | self.west()) - self
    }

    /// Returns the cells outside the set that are diagonal to a cell of the set.
    ///
    /// A returned cell may also share an edge with another cell of the set.
    #[must_use]
    #[inline(always)]
    pub fn diagonal_neighbours(self) -> Self {
        let sides = self.east() | self.west();
        (sides.north() | sides.south()) - self
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:expr) => {
        impl<S: Size> $trait for Bitboard<S> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.zip(other.0, $op))
            }
        }

        impl<S: Size> $assign for Bitboard<S> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0.zip(other.0, $op);
            }
        }
    };
}

operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl<S: Size> Not for Bitboard<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::FULL - self
    }
}
