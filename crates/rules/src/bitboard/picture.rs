//! Boards as text: parses and draws pictures with one character per cell.

use core::fmt;
use core::str::FromStr;

use super::Bitboard;
use crate::{Cell, Size};

impl<S: Size> Bitboard<S> {
    /// Parses a picture of the board, one character per cell, and collects the cells that show
    /// `mark`. White space is ignored.
    ///
    /// # Errors
    ///
    /// If the number of characters differs from the number of cells of the board.
    pub fn from_picture(picture: &str, mark: char) -> Result<Self, PictureError> {
        let width = usize::from(S::WIDTH);
        let expected = width * width;
        let marks = || picture.chars().filter(|c| !c.is_whitespace());
        let found = marks().count();
        if found != expected {
            return Err(PictureError { expected, found });
        }
        let cells = marks().enumerate().filter(|&(_, c)| c == mark);
        Ok(cells
            .map(|(i, _)| Cell::new((i % width) as u8, (i / width) as u8))
            .collect())
    }
}

/// Draws the board one row per line: `X` for a cell in the set, `.` for any other.
impl<S: Size> fmt::Display for Bitboard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw::<S>(f, |cell| if self.contains(cell) { 'X' } else { '.' })
    }
}

impl<S: Size> fmt::Debug for Bitboard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard {{\n{self}}}")
    }
}

/// Parses a picture in which `X` marks the cells of the set: the format of [`Bitboard`]'s
/// `Display`.
impl<S: Size> FromStr for Bitboard<S> {
    type Err = PictureError;

    fn from_str(picture: &str) -> Result<Self, PictureError> {
        Self::from_picture(picture, 'X')
    }
}

/// Error for a text that does not show exactly one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the picture shows {found} cells, the board has {expected}")]
pub struct PictureError {
    /// Number of cells of the board.
    pub expected: usize,
    /// Number of characters that are not white space.
    pub found: usize,
}

/// Draws one line per row, with blanks between the characters.
pub(crate) fn draw<S: Size>(
    f: &mut fmt::Formatter<'_>,
    character: impl Fn(Cell) -> char,
) -> fmt::Result {
    for y in 0..S::WIDTH {
        for x in 0..S::WIDTH {
            let blank = if x > 0 { " " } else { "" };
            write!(f, "{blank}{}", character(Cell::new(x, y)))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// Creates a [`Bitboard`] from a picture in code: `X` for a cell in the set, `.` for any other.
///
/// The board's size follows from the expected type.
///
/// # Panics
///
/// If the picture does not have as many cells as the board.
///
/// # Examples
///
/// ```
/// use duoforge_rules::{Bitboard, Cell, Duo, bitboard};
///
/// let start: Bitboard<Duo> = bitboard! {
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . X . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . X . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . .
/// };
/// assert_eq!(start.iter().collect::<Vec<_>>(), [Cell::new(4, 4), Cell::new(9, 9)]);
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($picture:tt)*) => {
        ::core::stringify!($($picture)*)
            .parse()
            .expect("the picture should have as many cells as the board")
    };
}
