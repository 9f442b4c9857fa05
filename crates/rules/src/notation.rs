//! Move notation of the Go Text Protocol and of blksgf files: the cells of the tile.

use crate::{Board, Cell, Move, Orientation, Placement, Size, Variant};

/// Move notation on the board of a variant.
///
/// A cell is a column, `a` at the left without a skipped letter, and a row, 1 at the bottom. A move
/// is its cells, separated by commas, or `pass`. Cells are written from the lowest row up and from
/// left to right. They are accepted in any order and in either case.
///
/// Engines expect fixed start cells: e10 for the first player of Blokus Duo, j5 for the second. A
/// game with swapped start cells is written as the same game on the board [turned](Self::turned) by
/// 180 degrees.
///
/// ```
/// use duoforge_rules::{DuoBoard, Notation};
///
/// let mut board = DuoBoard::duo();
/// let mv = Notation::DUO.read("e8,d9,e9,f9,e10")?;
/// board.play(mv)?;
/// assert_eq!(Notation::DUO.write(mv), "e8,d9,e9,f9,e10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    width: u8,
    turned: bool,
}

/// Reason why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A word is not a cell of the board.
    #[error("'{word}' names no cell of a board of {width}x{width} cells")]
    Cell {
        /// Invalid word.
        word: String,
        /// Number of columns of the board, equal to the number of rows.
        width: u8,
    },
    /// A cell occurs twice.
    #[error("the cell {0} is named twice")]
    Twice(String),
    /// The cells do not form a tile.
    #[error("the cells {0} are not a tile")]
    NoTile(String),
}

impl Notation {
    /// Notation of [`Variant::DUO`].
    pub const DUO: Self = Self::of(&Variant::DUO);

    /// Notation of [`Variant::CLASSIC`].
    pub const CLASSIC: Self = Self::of(&Variant::CLASSIC);

    /// Returns the notation of a variant.
    #[must_use]
    pub const fn of(variant: &Variant) -> Self {
        Self {
            width: variant.size,
            turned: false,
        }
    }

    /// Returns the notation on a board of `width` columns and rows, at most 26.
    #[must_use]
    pub const fn of_size(width: u8) -> Self {
        Self {
            width,
            turned: false,
        }
    }

    /// Returns the notation for the board turned by 180 degrees.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            turned: !self.turned,
            ..self
        }
    }

    /// Returns the notation in which the first player of a board starts where engines expect it.
    /// The notation is turned if the first player starts at the start cell of the variant's last
    /// player.
    #[must_use]
    pub fn for_board<S: Size>(board: &Board<S>) -> Self {
        let variant = board.variant();
        let first = board.players().next();
        let start = first.map(|player| board.start(player));
        let plain = Self::of(variant);
        if variant.players() == 2 && start == variant.starts.last().copied() {
            plain.turned()
        } else {
            plain
        }
    }

    /// Formats a move.
    #[must_use]
    pub fn write(self, mv: Move) -> String {
        let Move::Place(placement) = mv else {
            return "pass".to_owned();
        };
        let mut cells: Vec<Cell> = placement.cells().map(|cell| self.turn(cell)).collect();
        cells.sort_by_key(|cell| (std::cmp::Reverse(cell.y), cell.x));
        let words: Vec<_> = cells
            .into_iter()
            .map(|cell| self.write_cell(cell))
            .collect();
        words.join(",")
    }

    /// Parses a move; the move may be illegal.
    ///
    /// # Errors
    /// The reason why the text is not a move.
    pub fn read(self, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let mut cells = Vec::new();
        for word in text.split(',') {
            let cell = self.read_cell(word)?;
            if cells.contains(&cell) {
                return Err(NotationError::Twice(word.to_owned()));
            }
            cells.push(cell);
            if cells.len() > MOST_CELLS {
                return Err(NotationError::NoTile(shortened(text)));
            }
        }
        let placement = placement(cells).ok_or_else(|| NotationError::NoTile(text.to_owned()))?;
        Ok(placement.into())
    }

    fn write_cell(self, cell: Cell) -> String {
        let column = char::from(b'a' + cell.x);
        format!("{column}{}", self.width - cell.y)
    }

    fn read_cell(self, word: &str) -> Result<Cell, NotationError> {
        let cell = self.find_cell(word).ok_or_else(|| NotationError::Cell {
            word: shortened(word),
            width: self.width,
        })?;
        Ok(self.turn(cell))
    }

    fn find_cell(self, word: &str) -> Option<Cell> {
        let mut letters = word.chars();
        let column = letters.next().filter(char::is_ascii_alphabetic)?;
        let x = column.to_ascii_lowercase() as u8 - b'a';
        let row = letters.as_str();
        // `parse` accepts a sign; the notation does not.
        let digits = row.bytes().all(|byte| byte.is_ascii_digit());
        let row: u8 = row.parse().ok().filter(|_| digits)?;
        let inside = x < self.width && (1..=self.width).contains(&row);
        inside.then(|| Cell::new(x, self.width - row))
    }

    /// Rotates a cell by 180 degrees if the notation is turned.
    fn turn(self, cell: Cell) -> Cell {
        if self.turned {
            let last = self.width - 1;
            Cell::new(last - cell.x, last - cell.y)
        } else {
            cell
        }
    }
}

/// Number of cells of the largest tiles.
const MOST_CELLS: usize = 5;

/// Returns the placement that covers exactly these cells, or `None` if they do not form a tile.
fn placement(mut cells: Vec<Cell>) -> Option<Placement> {
    let x = cells.iter().map(|cell| cell.x).min()?;
    let y = cells.iter().map(|cell| cell.y).min()?;
    for cell in &mut cells {
        *cell = Cell::new(cell.x - x, cell.y - y);
    }
    cells.sort();
    let orientation = Orientation::all().find(|shape| shape.cells() == cells)?;
    Some(Placement::new(orientation, x, y))
}

/// Shortens a foreign text for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classic, DuoBoard};

    fn all(width: u8) -> impl Iterator<Item = Placement> {
        Orientation::all().flat_map(move |shape| {
            let columns = 0..=width - shape.width();
            columns.flat_map(move |x| {
                (0..=width - shape.height()).map(move |y| Placement::new(shape, x, y))
            })
        })
    }

    fn round_trips(notation: Notation) -> usize {
        let moves = all(notation.width).map(Move::Place);
        let same = moves.inspect(|&mv| {
            assert_eq!(notation.read(&notation.write(mv)), Ok(mv));
        });
        same.count()
    }

    #[test]
    fn every_placement_is_read_as_it_was_written() {
        assert_eq!(round_trips(Notation::DUO), 13_729);
        assert_eq!(round_trips(Notation::DUO.turned()), 13_729);
        assert_eq!(round_trips(Notation::CLASSIC), 30_433);
    }

    #[test]
    fn the_start_cells_have_the_names_that_engines_give_them() {
        let mut board = DuoBoard::duo();
        for text in ["e10", "j5"] {
            board.play(Notation::DUO.read(text).unwrap()).unwrap();
        }
        let swapped = [Cell::new(9, 9), Cell::new(4, 4)];
        let mut board = DuoBoard::with_starts(&Variant::DUO, &swapped);
        let notation = Notation::for_board(&board);
        for text in ["e8,d9,e9,f9,e10", "j5,k5"] {
            board.play(notation.read(text).unwrap()).unwrap();
        }
        let classic = Board::<Classic>::new(&Variant::CLASSIC);
        assert_eq!(Notation::for_board(&classic), Notation::CLASSIC);
    }

    #[test]
    fn cells_come_in_any_order_and_case() {
        let mv = Notation::DUO.read(" E10,f9,D9,e9,e8\n").unwrap();
        assert_eq!(Notation::DUO.write(mv), "e8,d9,e9,f9,e10");
        assert_eq!(Notation::DUO.read("PASS"), Ok(Move::Pass));
        assert_eq!(Notation::DUO.write(Move::Pass), "pass");
    }

    #[test]
    fn whatever_is_no_move_is_named() {
        let error = |text: &str| Notation::DUO.read(text).unwrap_err();
        for cell in [
            "",
            "e",
            "e0",
            "e15",
            "o1",
            "10e",
            "e+5",
            "é1",
            "e99999999999",
        ] {
            assert!(matches!(error(cell), NotationError::Cell { .. }), "{cell}");
            assert!(matches!(
                error(&format!("e1,{cell}")),
                NotationError::Cell { .. }
            ));
        }
        assert_eq!(error("e1,f1,E1"), NotationError::Twice("E1".into()));
        for cells in ["a1,c1", "a1,b2", "a1,b1,c1,d1,e1,f1", "a1,b1,c1,d1,f1"] {
            assert_eq!(error(cells), NotationError::NoTile(cells.into()));
        }
        assert_eq!(Notation::CLASSIC.read("t20").map(|_| ()), Ok(()));
    }
}
