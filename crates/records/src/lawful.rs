//! Replay of a record by the rules.

use duoforge_rules::{AnyBoard, IllegalMove, Move};

use crate::record::Record;

/// Illegal move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply}, {turn}, is illegal: {reason}")]
pub struct IllegalRecord {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Illegal move.
    pub turn: Move,
    /// Reason why the move is illegal.
    pub reason: IllegalMove,
}

/// Returns the number of forced passes that follow the moves of a record.
///
/// # Errors
/// The first illegal move.
pub fn forced_passes(record: &Record) -> Result<usize, IllegalRecord> {
    let mut board = AnyBoard::new(record.kind.variant(), &record.starts());
    for (turn, ply) in record.moves().zip(1..) {
        let played = board.play(turn);
        played.map_err(|reason| IllegalRecord { ply, turn, reason })?;
    }
    Ok(board.pass_if_stuck())
}
