//! Perft: counts the move sequences to a given depth.

use crate::{Board, Placement, Size};

/// Returns the number of sequences of `depth` placements from the position of `board`.
///
/// The last ply is counted in bulk, without playing the moves. A pass is not a placement: a
/// sequence in which the side to move has no placement ends and does not count. The board is
/// unchanged afterwards.
pub fn perft<S: Size>(board: &mut Board<S>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if board.is_over() => 0,
        1 => board.count_legal().into(),
        _ => {
            let moves: Vec<Placement> = board.legal().collect();
            let mut nodes = 0;
            for placement in moves {
                board.play_unchecked(placement);
                nodes += perft(board, depth - 1);
                board.undo();
            }
            nodes
        }
    }
}
