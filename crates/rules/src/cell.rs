//! Cells of a board.

use core::cmp::Ordering;
use core::fmt;

/// Cell of a board, 0-based from the upper left corner: `x` to the right, `y` down.
///
/// Cells are ordered row by row, and within a row from left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Column, from 0 at the left.
    pub x: u8,
    /// Row, from 0 at the top.
    pub y: u8,
}

impl Cell {
    /// Creates the cell in column `x` and row `y`, both from 0.
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes the cell in the contest's coordinates, column first: `5a` is column 5, row 10.
///
/// Codes have no name for a cell beyond the twentieth column or row. Such a cell is written as `(x,
/// y)`, 0-based.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (coordinate_byte(self.x), coordinate_byte(self.y)) {
            (Some(x), Some(y)) => write!(f, "{}{}", char::from(x), char::from(y)),
            _ => write!(f, "({}, {})", self.x, self.y),
        }
    }
}

/// Returns the contest's name of a coordinate: `1` to `9`, then `a` to `k` for 10 to 20.
pub(crate) const fn coordinate_byte(value: u8) -> Option<u8> {
    match value {
        0..=8 => Some(b'1' + value),
        9..=19 => Some(b'a' + (value - 9)),
        _ => None,
    }
}

/// Returns the 0-based coordinate that a byte names; the inverse of [`coordinate_byte`].
pub(crate) const fn coordinate_value(byte: u8) -> Option<u8> {
    match byte {
        b'1'..=b'9' => Some(byte - b'1'),
        b'a'..=b'k' => Some(byte - b'a' + 9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_trip_and_nothing_else_is_one() {
        for value in 0..20 {
            let byte = coordinate_byte(value).unwrap();
            assert_eq!(coordinate_value(byte), Some(value));
        }
        assert_eq!(coordinate_byte(20), None);
        let named = (0..=255).filter(|&b| coordinate_value(b).is_some()).count();
        assert_eq!(named, 20);
    }

    #[test]
    fn cells_are_named_and_ordered_as_on_paper() {
        assert_eq!(Cell::new(4, 9).to_string(), "5a");
        assert_eq!(Cell::new(19, 0).to_string(), "k1");
        assert_eq!(Cell::new(20, 0).to_string(), "(20, 0)");
        assert!(Cell::new(9, 0) < Cell::new(0, 1));
        assert!(Cell::new(0, 1) < Cell::new(1, 1));
    }
}
