//! Sets of cells of a board of any size.

use core::fmt;

use crate::{Bitboard, Cell, Size};

/// Set of cells of a board of up to 20 columns, with as many rows.
///
/// In contrast to [`Bitboard`], the board's size is a value and not a type.
///
/// ```
/// use duoforge_rules::{Cell, Game, GameVariant};
///
/// let game = Game::new(&GameVariant::CLASSIC);
/// let starts = game.corner_points(game.to_move().expect("the game has begun"));
/// assert_eq!(starts.iter().collect::<Vec<_>>(), [Cell::new(0, 0)]);
/// assert_eq!((starts.size(), starts.rows()[0]), (20, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet {
    size: u8,
    /// Entry `y` has bit `x` set if the cell (`x`, `y`) is in the set; rows below the board are 0.
    rows: [u32; Self::MAX_SIZE],
}

impl CellSet {
    /// Maximum number of columns of a board.
    pub const MAX_SIZE: usize = 20;

    /// Creates the empty set of a board of `size` columns.
    ///
    /// # Panics
    ///
    /// If `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    #[must_use]
    pub const fn new(size: u8) -> Self {
        assert!(
            size as usize <= Self::MAX_SIZE,
            "a board has at most 20 columns"
        );
        Self {
            size,
            rows: [0; Self::MAX_SIZE],
        }
    }

    /// Returns the number of columns of the board, equal to the number of rows.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Adds `cell`.
    ///
    /// # Panics
    ///
    /// If `cell` is not on the board.
    pub fn insert(&mut self, cell: Cell) {
        assert!(
            cell.x < self.size && cell.y < self.size,
            "{cell} is not on the board"
        );
        self.rows[usize::from(cell.y)] |= 1 << cell.x;
    }

    /// True if `cell` is in the set; false for a cell off the board.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        let row = self.rows.get(usize::from(cell.y)).copied().unwrap_or(0);
        u32::from(cell.x) < u32::BITS && row >> cell.x & 1 != 0
    }

    /// Returns the number of cells in the set.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// True if the set has no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == [0; Self::MAX_SIZE]
    }

    /// Iterates over the cells row by row, from left to right.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let set = *self;
        (0..set.size).flat_map(move |y| {
            let row = set.rows[usize::from(y)];
            let columns = (0..set.size).filter(move |&x| row >> x & 1 != 0);
            columns.map(move |x| Cell::new(x, y))
        })
    }

    /// Returns the rows of the board, top row first: bit `x` of a row is column `x`.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows[..usize::from(self.size)]
    }

    /// Returns the cells of the board that are not in the set.
    #[must_use]
    pub fn complement(mut self) -> Self {
        let row_mask = (1 << self.size) - 1;
        for row in &mut self.rows[..usize::from(self.size)] {
            *row ^= row_mask;
        }
        self
    }

    /// Creates the set from a bitboard, of which it keeps the cells of a board of `size` columns.
    pub(super) fn from_bitboard<S: Size>(size: u8, cells: Bitboard<S>) -> Self {
        let mut set = Self::new(size);
        let row_mask = (1 << size) - 1;
        for y in 0..size {
            set.rows[usize::from(y)] = cells.row(y) & row_mask;
        }
        set
    }
}

/// Draws the board one row per line: `X` for a cell in the set, `.` for any other.
impl fmt::Display for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(
            f,
            self.size,
            |cell| if self.contains(cell) { 'X' } else { '.' },
        )
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CellSet {{\n{self}}}")
    }
}

/// Draws one line per row, with blanks between the characters.
pub(super) fn draw(
    f: &mut fmt::Formatter<'_>,
    size: u8,
    character: impl Fn(Cell) -> char,
) -> fmt::Result {
    for y in 0..size {
        for x in 0..size {
            let blank = if x > 0 { " " } else { "" };
            write!(f, "{blank}{}", character(Cell::new(x, y)))?;
        }
        writeln!(f)?;
    }
    Ok(())
}
