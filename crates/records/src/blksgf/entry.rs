//! Nodes of a file: their parts, and what a node adds to a record.

use duoforge_rules::Move;

use super::parse::Property;
use crate::record::Ply;

/// Move as read from the file.
pub struct Played<'a> {
    pub colour: usize,
    pub name: &'a str,
    pub mv: Move,
    pub comment: String,
    pub value: Option<f64>,
}

/// Node of a main line that adds plies.
pub enum Entry<'a> {
    Move(Played<'a>),
    /// Passes up to a number since the last placement. The annotations are those of the last one.
    Passes {
        stated: usize,
        comment: String,
        value: Option<f64>,
    },
}

impl<'a> Entry<'a> {
    pub const fn played(&self) -> Option<&Played<'a>> {
        match self {
            Self::Move(played) => Some(played),
            Self::Passes { .. } => None,
        }
    }
}

/// Parts of a node.
pub struct Parts<'n, 'a> {
    pub played: Option<Played<'a>>,
    pub comment: String,
    pub value: Option<f64>,
    /// Number of passes after the last placement, if the node states it.
    pub passes: Option<usize>,
    /// Properties without a meaning for the reader; in the root also the facts of the game.
    pub others: Vec<&'n Property<'a>>,
}

impl From<Played<'_>> for Ply {
    fn from(played: Played<'_>) -> Self {
        Self {
            mv: played.mv,
            comment: played.comment,
            value: played.value,
        }
    }
}
