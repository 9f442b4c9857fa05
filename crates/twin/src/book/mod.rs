//! Opening book: replies to the first placements of a game, computed by long searches.
//!
//! A line of the text form has the codes of a game of Duo from its first move on; the last code is
//! the reply to those before it. Each line also holds for its three images: the board mirrored along
//! the diagonal through both start cells, and both of these with the start cells exchanged.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use duoforge_rules::{Cell, DuoBoard, IllegalMove, Move, Placement};
use thiserror::Error;

mod image;

use image::Image;

/// Maximum number of placements before a reply of the book.
pub const PLIES: usize = 3;

/// Start cell (5,5), and its counterpart (10,10).
const STARTS: [Cell; 2] = [Cell::new(4, 4), Cell::new(9, 9)];

/// Key of a book entry: the placements on the board, made by both sides in turn, the last one by the
/// opponent of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookKey {
    /// True if the start cell of the side to move is (10,10), false if it is (5,5).
    pub start_is_a: bool,
    /// Placements in the order of the game.
    pub placements: Vec<Placement>,
}

impl BookKey {
    /// Returns the key of a position. `None` if there are more than [`PLIES`] placements, if a side
    /// passed between two of them or after the last one, or if the board has other start cells.
    #[must_use]
    pub fn of(board: &DuoBoard) -> Option<Self> {
        let me = board.to_move();
        let starts = [me, me.opponent()].map(|player| board.start(player));
        let start_is_a = match starts {
            STARTS => false,
            [mine, theirs] if [theirs, mine] == STARTS => true,
            _ => return None,
        };
        let placed = board.moves().iter().enumerate();
        let placed = placed.filter_map(|(ply, mv)| match *mv {
            Move::Place(placement) => Some((ply % 2 == me.index(), placement)),
            Move::Pass => None,
        });
        let (mine, placements): (Vec<_>, Vec<_>) = placed.take(PLIES + 1).unzip();
        let in_turn = mine.iter().rev().enumerate();
        let in_turn = in_turn
            .into_iter()
            .all(|(back, &mine)| mine == (back % 2 == 1));
        (placements.len() <= PLIES && in_turn).then_some(Self {
            start_is_a,
            placements,
        })
    }

    /// Returns the least of the key's images, which is the same for all of them.
    #[must_use]
    pub fn least_image(&self) -> Self {
        let images = Image::ALL.map(|image| image.of_key(self));
        images.into_iter().min().expect("there are four images")
    }
}

/// Error in the text of a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// A code is not that of a placement.
    #[error("line {line}: `{code}` is not the code of a placement")]
    Code {
        /// Number of the line, from 1.
        line: usize,
        /// The code.
        code: String,
    },
    /// A placement is illegal.
    #[error("line {line}: {code} is illegal: {source}")]
    Illegal {
        /// Number of the line, from 1.
        line: usize,
        /// The code.
        code: String,
        /// Rule that the placement breaks.
        source: IllegalMove,
    },
    /// A line has too many placements.
    #[error("line {line} has {count} codes: expected 1 to {}", PLIES + 1)]
    Length {
        /// Number of the line, from 1.
        line: usize,
        /// Number of its codes.
        count: usize,
    },
    /// Two lines, or their images, reply to the same position.
    #[error("line {line}: an earlier line, or its image, replies to this position already")]
    Double {
        /// Number of the line, from 1.
        line: usize,
    },
}

/// Opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    replies: BTreeMap<BookKey, Placement>,
}

impl Book {
    /// Returns the book that ships.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static BOOK: LazyLock<Book> = LazyLock::new(|| {
            Book::parse(include_str!("book.txt")).expect("a test parses this text")
        });
        &BOOK
    }

    /// Returns the book for a value of the key `book`: the one that ships for 1, none for 0.
    #[must_use]
    pub fn of_key(value: u64) -> Option<&'static Self> {
        (value == 1).then(Self::built_in)
    }

    /// Reads the text form; empty lines are ignored.
    ///
    /// # Errors
    /// A line that is not a legal beginning of a game, or a position with two replies.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let mut book = Self::default();
        for (index, text) in text.lines().enumerate() {
            let codes: Vec<_> = text.split_whitespace().collect();
            if !codes.is_empty() {
                book.add(index + 1, &codes)?;
            }
        }
        Ok(book)
    }

    /// Returns the reply to a position, if the book has one.
    #[must_use]
    pub fn reply(&self, board: &DuoBoard) -> Option<Placement> {
        self.replies.get(&BookKey::of(board)?).copied()
    }

    /// Iterates over all entries in the order of their keys, images included.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&BookKey, Placement)> {
        self.replies.iter().map(|(key, &reply)| (key, reply))
    }

    /// Adds a line with all its images. A position that is its own image keeps the reply as given.
    fn add(&mut self, line: usize, codes: &[&str]) -> Result<(), BookError> {
        let count = codes.len();
        if count > PLIES + 1 {
            return Err(BookError::Length { line, count });
        }
        let mut board = DuoBoard::duo();
        let mut before = board.clone();
        let mut placements = Vec::new();
        for &code in codes {
            let placement = read(code).ok_or_else(|| BookError::Code {
                line,
                code: code.to_owned(),
            })?;
            before = board.clone();
            let played = board.play(Move::Place(placement));
            played.map_err(|source| BookError::Illegal {
                line,
                code: code.to_owned(),
                source,
            })?;
            placements.push(placement);
        }
        let key = BookKey::of(&before).expect("a short game from the start cells of Duo");
        let reply = *placements.last().expect("there is a code");
        if self.replies.contains_key(&key) {
            return Err(BookError::Double { line });
        }
        for image in Image::ALL {
            self.replies
                .entry(image.of_key(&key))
                .or_insert_with(|| image.of(reply));
        }
        Ok(())
    }
}

/// Reads the code of a placement.
fn read(code: &str) -> Option<Placement> {
    match Move::from_code_bytes(code.as_bytes().try_into().ok()?).ok()? {
        Move::Place(placement) => Some(placement),
        Move::Pass => None,
    }
}

#[cfg(test)]
mod tests;
