use duoforge_gtp::NotationError;

use crate::{MOST_BYTES, Place};

/// A file that is no blksgf, or one that holds what a record cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct SgfError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: SgfFault,
}

/// What is wrong with a blksgf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfFault {
    /// No game in the file.
    #[error("there is no game: a game begins with `(;`")]
    NoGame,
    /// More bytes than are read.
    #[error("the file has {0} bytes, and {MOST_BYTES} are the most that is read")]
    Large(usize),
    /// Something that cannot stand there.
    #[error("{found} cannot stand here: {wanted} is expected")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What may stand there.
        wanted: &'static str,
    },
    /// The file ends in the middle of a game.
    #[error("the file ends in the middle of a game, where {0} is expected")]
    End(&'static str),
    /// The game's first node does not say what is played.
    #[error("the game does not say what is played: its first node has no property GM")]
    NoKind,
    /// Another game.
    #[error("'{0}' is another game than Blokus Duo and Blokus")]
    Kind(String),
    /// A position that was set up.
    #[error("{0} sets a position up, and a record begins with the empty board")]
    Setup(String),
    /// A property with several values that may have one.
    #[error("{0} has several values here, and may have one")]
    Several(String),
    /// A second move in one node.
    #[error("a node holds one move, and {0} is a second one")]
    SecondMove(String),
    /// A move's text that names none.
    #[error("this is no move: {0}")]
    Move(NotationError),
    /// A move of someone whose turn it cannot be.
    #[error("{found} cannot move here: it is the turn of {wanted}, who cannot have passed")]
    Turn {
        /// Property of the move.
        found: String,
        /// Property of the moves of the one whose turn it is.
        wanted: String,
    },
    /// A number that is none.
    #[error("'{value}' is no number, as {property} needs one")]
    Number {
        /// The property.
        property: String,
        /// Its value.
        value: String,
    },
}

impl SgfFault {
    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NoGame => "is it a blksgf file? A list of four-letter codes has no parentheses",
            Self::Large(_) => "split it: a game takes some thousand bytes",
            Self::Unexpected { .. } => {
                "a blksgf is made of nodes, as in `(;GM[Blokus Duo];B[e10];W[j5])`; in texts `]` and `\\` \
                 are written as `\\]` and `\\\\`"
            }
            Self::End(_) => "the file was cut off: copy it again, or add what is missing by hand",
            Self::NoKind | Self::Kind(_) => {
                "GM[Blokus Duo] and GM[Blokus] can be read; other games of Pentobi have other boards or tiles"
            }
            Self::Setup(_) => {
                "play the moves that lead to the position, and save the game with them"
            }
            Self::Several(_) => "leave one of the values",
            Self::SecondMove(_) => "write a `;` before each move",
            Self::Move(_) => {
                "a move is the cells of one tile, as in B[d9,c10,d10,e10,d11]: columns from a at the left, \
                 rows from 1 at the bottom"
            }
            Self::Turn { .. } => {
                "players move in turn; one may be left out who has passed, but nobody passes the first turn"
            }
            Self::Number { .. } => "correct it, or take the property out",
        }
    }
}
