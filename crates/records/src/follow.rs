//! Following a game by the rules.

use duoforge_rules::{Board, Cell, Classic, Duo, Illegal, Move, Player};

use crate::record::{Kind, Record};

/// A board of either size.
#[derive(Clone, Debug)]
pub enum Follower {
    Duo(Box<Board<Duo>>),
    Classic(Box<Board<Classic>>),
}

/// A move of a record that breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply}, {turn}, is illegal: {reason}")]
pub struct Unlawful {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The move.
    pub turn: Move,
    /// What is wrong with it.
    pub reason: Illegal,
}

macro_rules! on_board {
    ($self:expr, $board:ident => $do:expr) => {
        match $self {
            Follower::Duo($board) => $do,
            Follower::Classic($board) => $do,
        }
    };
}

impl Follower {
    pub fn new(kind: Kind, starts: &[Cell]) -> Self {
        let variant = kind.variant();
        match kind {
            Kind::Duo => Self::Duo(Box::new(Board::with_starts(variant, starts))),
            Kind::Classic => Self::Classic(Box::new(Board::with_starts(variant, starts))),
        }
    }

    pub fn to_move(&self) -> Player {
        on_board!(self, board => board.to_move())
    }

    pub fn is_over(&self) -> bool {
        on_board!(self, board => board.is_over())
    }

    pub fn play(&mut self, turn: Move) -> Result<(), Illegal> {
        on_board!(self, board => board.play(turn))
    }

    /// Whether the player to move can do nothing but pass.
    fn is_stuck(&self) -> bool {
        on_board!(self, board => board.legal().next().is_none())
    }

    /// Passes for everyone who is stuck, until somebody is not or the game is over.
    pub fn pass_if_stuck(&mut self) -> usize {
        let mut passes = 0;
        while !self.is_over() && self.is_stuck() && self.play(Move::Pass).is_ok() {
            passes += 1;
        }
        passes
    }
}

/// How many passes must follow the moves, because nobody whose turn it is can place a tile.
///
/// # Errors
/// The first move that breaks the rules.
pub fn forced_passes(record: &Record) -> Result<usize, Unlawful> {
    let mut follower = Follower::new(record.kind, &record.starts());
    for (turn, ply) in record.moves().zip(1..) {
        let played = follower.play(turn);
        played.map_err(|reason| Unlawful { ply, turn, reason })?;
    }
    Ok(follower.pass_if_stuck())
}
