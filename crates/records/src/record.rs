//! Game record: moves and metadata.

use std::collections::BTreeMap;

use duoforge_rules::{Cell, Move, Variant};

/// Kind of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// [`Variant::DUO`].
    Duo,
    /// [`Variant::CLASSIC`].
    Classic,
}

impl GameKind {
    /// All kinds of games.
    pub const ALL: [Self; 2] = [Self::Duo, Self::Classic];

    /// Returns the rules of the game.
    #[must_use]
    pub const fn variant(self) -> &'static Variant {
        match self {
            Self::Duo => &Variant::DUO,
            Self::Classic => &Variant::CLASSIC,
        }
    }

    /// Returns the number of players.
    #[must_use]
    pub const fn players(self) -> usize {
        self.variant().players()
    }
}

/// Game record: moves, passes included, and metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Kind of game.
    pub kind: GameKind,
    /// Names of the players in the order of turns; an empty name is unknown.
    pub players: Vec<String>,
    /// Other metadata by SGF property, such as `DT` (date) or `RE` (result).
    pub facts: BTreeMap<String, String>,
    /// Comment on the game.
    pub comment: String,
    /// Moves, passes included.
    pub plies: Vec<Ply>,
}

/// Move of a record with its annotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Move.
    pub turn: Move,
    /// Comment on the move.
    pub comment: String,
    /// Expected margin of the first player after the move, in points.
    pub value: Option<f64>,
}

impl Ply {
    /// Creates a move without annotations.
    #[must_use]
    pub const fn new(turn: Move) -> Self {
        Self {
            turn,
            comment: String::new(),
            value: None,
        }
    }
}

impl Record {
    /// Creates a record without metadata.
    pub fn new(kind: GameKind, moves: impl IntoIterator<Item = Move>) -> Self {
        Self {
            kind,
            players: vec![String::new(); kind.players()],
            facts: BTreeMap::new(),
            comment: String::new(),
            plies: moves.into_iter().map(Ply::new).collect(),
        }
    }

    /// Iterates over the moves, passes included.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.turn)
    }

    /// Returns the start cells in the order of turns. In a two-player game, the first player may
    /// start at either cell: its start cell is the one that its first placement covers.
    #[must_use]
    pub fn starts(&self) -> Vec<Cell> {
        starts(self.kind, self.plies.first().map(|ply| ply.turn))
    }
}

pub(crate) fn starts(kind: GameKind, first: Option<Move>) -> Vec<Cell> {
    let mut starts = kind.variant().starts.to_vec();
    if let (GameKind::Duo, Some(Move::Place(placement))) = (kind, first)
        && placement.cells().any(|cell| cell == starts[1])
    {
        starts.reverse();
    }
    starts
}
