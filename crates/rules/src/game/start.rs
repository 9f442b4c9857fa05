//! Start cells of a colour.

use core::fmt;

use crate::Cell;

/// Start cells of a colour, in the order of the variant: its first tile must cover one of them.
///
/// ```
/// use duoforge_rules::{Cell, StartCells};
///
/// let corners = StartCells::new(&[Cell::new(0, 0), Cell::new(13, 0)]);
/// assert!(corners.contains(Cell::new(13, 0)));
/// assert_eq!(corners.to_string(), "11, e1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StartCells {
    /// The first `len` entries are the cells; the others are (0, 0).
    cells: [Cell; Self::MAX],
    len: u8,
}

impl StartCells {
    /// Maximum number of start cells of a colour.
    pub const MAX: usize = 8;

    /// Creates the list of start cells.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX`](Self::MAX) cells.
    #[must_use]
    pub const fn new(list: &[Cell]) -> Self {
        assert!(
            list.len() <= Self::MAX,
            "a colour has at most 8 start cells"
        );
        let mut cells = [Cell::new(0, 0); Self::MAX];
        let mut i = 0;
        while i < list.len() {
            cells[i] = list[i];
            i += 1;
        }
        Self {
            cells,
            len: list.len() as u8,
        }
    }

    /// Returns the cells, in the order of the variant.
    #[must_use]
    pub const fn as_slice(&self) -> &[Cell] {
        self.cells.split_at(self.len as usize).0
    }

    /// True if `cell` is a start cell.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.as_slice().contains(&cell)
    }
}

/// Writes the cells in the contest's coordinates, separated by commas.
impl fmt::Display for StartCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cell) in self.as_slice().iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{cell}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for StartCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StartCells({self})")
    }
}
