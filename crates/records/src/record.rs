//! A game with what is known about it.

use std::collections::BTreeMap;

use duoforge_rules::{Cell, Move, Variant};

/// The game that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`Variant::DUO`].
    Duo,
    /// [`Variant::CLASSIC`].
    Classic,
}

impl Kind {
    /// All that can be recorded.
    pub const ALL: [Self; 2] = [Self::Duo, Self::Classic];

    /// Its rules.
    #[must_use]
    pub const fn variant(self) -> &'static Variant {
        match self {
            Self::Duo => &Variant::DUO,
            Self::Classic => &Variant::CLASSIC,
        }
    }

    /// Number of players.
    #[must_use]
    pub const fn players(self) -> usize {
        self.variant().players()
    }
}

/// A game: its moves, passes included, and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What was played.
    pub kind: Kind,
    /// Names in the order of turns, one for each player; an empty one is not known.
    pub players: Vec<String>,
    /// Other facts by their SGF property, such as `DT`, the date, or `RE`, the result.
    pub facts: BTreeMap<String, String>,
    /// A remark on the game.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub turn: Move,
    /// A remark on it.
    pub comment: String,
    /// Points by which the first player is expected to win after it.
    pub value: Option<f64>,
}

impl Ply {
    /// A move without remarks.
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
    /// A game of which nothing but the moves is known.
    pub fn new(kind: Kind, moves: impl IntoIterator<Item = Move>) -> Self {
        Self {
            kind,
            players: vec![String::new(); kind.players()],
            facts: BTreeMap::new(),
            comment: String::new(),
            plies: moves.into_iter().map(Ply::new).collect(),
        }
    }

    /// The moves, passes included.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.turn)
    }

    /// Start cells in the order of turns. With two players, the first one may have started at either:
    /// its own is the one that its first placement covers.
    #[must_use]
    pub fn starts(&self) -> Vec<Cell> {
        starts(self.kind, self.plies.first().map(|ply| ply.turn))
    }
}

pub(crate) fn starts(kind: Kind, first: Option<Move>) -> Vec<Cell> {
    let mut starts = kind.variant().starts.to_vec();
    if let (Kind::Duo, Some(Move::Place(placement))) = (kind, first)
        && placement.cells().any(|cell| cell == starts[1])
    {
        starts.reverse();
    }
    starts
}
