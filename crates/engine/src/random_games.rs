//! Random games for tests.

use duoforge_rules::{DuoBoard, Move, Placement};
use duoforge_twin::Rng;

/// Plays random placements, and passes without one, until a position is `wanted`. It receives the
/// position and its legal placements. Returns `None` if the game ends before.
pub fn find_position(
    rng: &mut Rng,
    wanted: impl Fn(&DuoBoard, &[Placement]) -> bool,
) -> Option<DuoBoard> {
    let mut board = DuoBoard::duo();
    while !board.is_over() {
        let legal: Vec<_> = board.legal().collect();
        if wanted(&board, &legal) {
            return Some(board);
        }
        let mv = match legal.len() {
            0 => Move::Pass,
            len => Move::Place(legal[rng.below(len as u32) as usize]),
        };
        board.play(mv).expect("legal");
    }
    None
}
