//! Perft: counts the move sequences to a given depth.

use crate::{Board, Placement, Size};

/// Returns the number of sequences of `depth` placements from the position of `board`.
///
/// The last ply is counted in bulk, without playing the moves. Nor are those of the ply before
/// played: only where one of them comes near the next side are that side's placements counted
/// again. A pass is not a placement: a sequence in which the side to move has no placement ends and
/// does not count. The board is unchanged afterwards.
pub fn perft<S: Size>(board: &mut Board<S>, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        _ if board.is_over() => return 0,
        1 => return board.count_legal().into(),
        2 => {
            if let Some(pairs) = board.count_legal_pairs() {
                return pairs;
            }
        }
        _ => {}
    }
    let moves: Vec<Placement> = board.legal().collect();
    let mut nodes = 0;
    for placement in moves {
        board.play_unchecked(placement);
        nodes += perft(board, depth - 1);
        board.undo();
    }
    nodes
}
