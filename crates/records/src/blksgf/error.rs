use duoforge_rules::{IllegalMove, Move, NotationError};

use crate::{MAX_TREE_DEPTH, MAX_TREE_NODES, MOST_BYTES, Place};

/// Error for a file that is not valid blksgf, or that holds what a record cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct SgfError {
    /// Place of the fault in the text.
    pub place: Place,
    /// Fault at this place.
    pub fault: SgfFault,
}

/// Fault in a blksgf file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfFault {
    /// The file contains no game.
    #[error("there is no game: a game begins with `(;`")]
    NoGame,
    /// The file exceeds the maximum size in bytes.
    #[error("the file has {0} bytes, and {MOST_BYTES} are the most that is read")]
    Large(usize),
    /// Unexpected character.
    #[error("{found} cannot stand here: {wanted} is expected")]
    Unexpected {
        /// Character found.
        found: String,
        /// Characters expected instead.
        wanted: &'static str,
    },
    /// The file ends in the middle of a game.
    #[error("the file ends in the middle of a game, where {0} is expected")]
    End(&'static str),
    /// The first node of the game has no property `GM`, which names the game.
    #[error("the kind of game is missing: the first node has no property GM")]
    NoKind,
    /// The game is not a variant of Blokus with four-sided cells.
    #[error(
        "'{0}' is another game: expected Blokus Duo, Blokus, Blokus Two-Player or Blokus Three-Player"
    )]
    Kind(String),
    /// The property `VARIANT` does not name a variant of the game.
    #[error("'{value}' is not a variant of {game}: expected {expected}")]
    Variant {
        /// Value of the property.
        value: String,
        /// Value of the property `GM`.
        game: String,
        /// Permitted values.
        expected: String,
    },
    /// The game starts from a set-up position.
    #[error("{0} sets a position up, and a record begins with the empty board")]
    Setup(String),
    /// A single-valued property has several values.
    #[error("{0} has several values here, and may have one")]
    Several(String),
    /// A node contains a second move.
    #[error("a node holds one move, and {0} is a second one")]
    SecondMove(String),
    /// The text of a move is invalid.
    #[error("invalid move: {0}")]
    Move(NotationError),
    /// The move belongs to a player that cannot be to move.
    #[error("{found} cannot move here: it is the turn of {wanted}, which cannot have passed")]
    Turn {
        /// Property of the move.
        found: String,
        /// Property of the moves of the side to move.
        wanted: String,
    },
    /// A move of a tree is illegal. Main lines alone are read with illegal moves.
    #[error("{mv} is illegal here: {reason}")]
    Illegal {
        /// Illegal move.
        mv: Move,
        /// Reason why the move is illegal.
        reason: IllegalMove,
    },
    /// The tree exceeds the maximum number of nodes.
    #[error("the tree of the game has too many nodes: expected at most {MAX_TREE_NODES}")]
    Nodes,
    /// A line of the tree exceeds the maximum number of nodes.
    #[error("a line of the tree has too many nodes: expected at most {MAX_TREE_DEPTH}")]
    Depth,
    /// The value of a numeric property is not a number.
    #[error("'{value}' is not a number, but {property} needs one")]
    Number {
        /// Name of the property.
        property: String,
        /// Value of the property.
        value: String,
    },
}

impl SgfFault {
    /// Returns advice on how to correct the file.
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
            Self::NoKind | Self::Kind(_) => "other games of Pentobi have other boards or tiles",
            Self::Variant { .. } => {
                "the property VARIANT names a variant that Pentobi does not have; take it out to read the \
                 game as the one that GM names"
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
            Self::Illegal { .. } => "take the move and what follows it out of the file",
            Self::Nodes => "split the file, or take variations out",
            Self::Depth => "take nodes without a move out of the line",
            Self::Number { .. } => "correct it, or take the property out",
        }
    }
}
