//! Game record: moves and metadata.

use std::collections::BTreeMap;

use duoforge_rules::{Cell, Colour, GameVariant, Move};

/// Game record: moves, passes included, and metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Variant of the game.
    pub variant: GameVariant,
    /// Names of the players in the order of seats; an empty name is unknown.
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
    pub mv: Move,
    /// Comment on the move.
    pub comment: String,
    /// Expected margin of the first player after the move, in points.
    pub value: Option<f64>,
}

impl Ply {
    /// Creates a move without annotations.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self {
            mv,
            comment: String::new(),
            value: None,
        }
    }
}

impl Record {
    /// Creates a record without metadata.
    pub fn new(variant: GameVariant, moves: impl IntoIterator<Item = Move>) -> Self {
        Self {
            players: vec![String::new(); variant.seat_count()],
            variant,
            facts: BTreeMap::new(),
            comment: String::new(),
            plies: moves.into_iter().map(Ply::new).collect(),
        }
    }

    /// Iterates over the moves, passes included.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Returns the variant with the start cells of this game. In Blokus Duo, the first player may
    /// start at either cell: its start cell is the one that its first placement covers.
    #[must_use]
    pub fn played_variant(&self) -> GameVariant {
        played_variant(&self.variant, self.plies.first().map(|ply| ply.mv))
    }

    /// Returns the start cells of the colours in the order of turns; of several start cells of a
    /// colour, the first.
    #[must_use]
    pub fn starts(&self) -> Vec<Cell> {
        let variant = self.played_variant();
        let start = |colour| variant.starts(colour).as_slice()[0];
        variant.colours().map(start).collect()
    }
}

/// Returns the variant with the start cells of a game that begins with this move.
pub(crate) fn played_variant(variant: &GameVariant, first: Option<Move>) -> GameVariant {
    let variant = variant.clone();
    if variant != GameVariant::DUO {
        return variant;
    }
    let [start, other] = [0, 1].map(|colour| variant.starts(Colour(colour)).as_slice()[0]);
    match first {
        Some(Move::Place(placement)) if placement.cells().any(|cell| cell == other) => {
            variant.with_starts(&[other, start])
        }
        _ => variant,
    }
}
