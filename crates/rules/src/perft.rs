//! Counting the lines of play to a given depth.

use crate::{Board, Placement, Size};

/// Number of sequences of `depth` placements from the position of `board`.
///
/// The last ply is counted in bulk, without making the moves. Passes are no placements: where
/// the player to move has none, the line ends and counts nothing. The board is left as it was.
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
