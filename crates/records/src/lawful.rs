//! Replay of a record by the rules.

use duoforge_rules::{Game, IllegalMove, Move};

use crate::record::Record;

/// Illegal move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply}, {mv}, is illegal: {reason}")]
pub struct IllegalRecord {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Illegal move.
    pub mv: Move,
    /// Reason why the move is illegal.
    pub reason: IllegalMove,
}

/// Returns the number of forced passes that follow the moves of a record.
///
/// # Errors
/// The first illegal move.
pub fn forced_passes(record: &Record) -> Result<usize, IllegalRecord> {
    let mut game = Game::new(&record.played_variant());
    for (mv, ply) in record.moves().zip(1..) {
        let played = game.play(mv);
        played.map_err(|reason| IllegalRecord { ply, mv, reason })?;
    }
    Ok(pass_if_forced(&mut game))
}

/// Plays forced passes until a colour has a legal placement or the game is over; returns their
/// number.
pub(crate) fn pass_if_forced(game: &mut Game) -> usize {
    let mut passes = 0;
    while game.is_pass_forced() && game.play(Move::Pass).is_ok() {
        passes += 1;
    }
    passes
}
