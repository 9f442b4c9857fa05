//! Random positions.

use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::Rng;

/// Returns the position after `plies` random placements; a side without one passes. A game that is
/// over earlier ends there.
pub fn random_position(seed: u64, plies: usize) -> DuoBoard {
    let mut rng = Rng::new(seed);
    let mut board = DuoBoard::duo();
    for _ in 0..plies {
        let count = board.count_legal();
        let drawn = (count > 0).then(|| rng.below(count) as usize);
        let placement = drawn.and_then(|drawn| board.legal().nth(drawn));
        if board
            .play(placement.map_or(Move::Pass, Move::Place))
            .is_err()
        {
            break;
        }
    }
    board
}
