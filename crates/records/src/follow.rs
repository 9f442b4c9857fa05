//! Replay of a record by the rules.

use duoforge_rules::{Board, Cell, Classic, Duo, Illegal, Move, Player};

use crate::record::{Kind, Record};

/// Board of either size.
#[derive(Clone, Debug)]
pub enum Follower {
    Duo(Box<Board<Duo>>),
    Classic(Box<Board<Classic>>),
}

/// Illegal move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply}, {turn}, is illegal: {reason}")]
pub struct Unlawful {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Illegal move.
    pub turn: Move,
    /// Reason why the move is illegal.
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

    /// True if the side to move has no legal placement.
    fn is_stuck(&self) -> bool {
        on_board!(self, board => board.legal().next().is_none())
    }

    /// Plays forced passes until a side has a legal placement or the game is over; returns their
    /// number.
    pub fn pass_if_stuck(&mut self) -> usize {
        let mut passes = 0;
        while !self.is_over() && self.is_stuck() && self.play(Move::Pass).is_ok() {
            passes += 1;
        }
        passes
    }
}

/// Returns the number of forced passes that follow the moves of a record.
///
/// # Errors
/// The first illegal move.
pub fn forced_passes(record: &Record) -> Result<usize, Unlawful> {
    let mut follower = Follower::new(record.kind, &record.starts());
    for (turn, ply) in record.moves().zip(1..) {
        let played = follower.play(turn);
        played.map_err(|reason| Unlawful { ply, turn, reason })?;
    }
    Ok(follower.pass_if_stuck())
}
