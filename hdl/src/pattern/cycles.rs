//! Cycle counts of the pattern player: the twin of its timing.

use duoforge_rules::DuoBoard;
use duoforge_twin::{Decision, OpponentMove};

/// Cycles from the start of a stream until the first row is in the scan.
const FILL: u32 = 9;

/// Cycles from the scan's selection of a placement until the comparison of its score.
const SCORE: u32 = 6;

/// Cycles from the decision on a placement until it is on the board and the next job starts.
pub const WRITE: u32 = 18;

/// Returns the cycles from the start of a stream until the last legal placement of the player to
/// move is scored.
///
/// A row takes one cycle to load. Each column takes one cycle per placement, at least one.
pub fn search(board: &DuoBoard) -> u32 {
    let mut columns = [[0_u32; 14]; 14];
    for placement in board.legal() {
        columns[usize::from(placement.y)][usize::from(placement.x)] += 1;
    }
    let mut clock = FILL;
    let mut last_score = 0;
    for row in columns {
        clock += 1;
        for placements in row {
            clock += placements.max(1);
            if placements > 0 {
                last_score = clock - 1 + SCORE;
            }
        }
    }
    clock.max(last_score)
}

/// Returns the cycles from a complete prompt to the decision on the reply, as reported by the
/// status port `think_cycles`.
pub fn request(decision: &Decision) -> u32 {
    let before = match &decision.opponent {
        OpponentMove::None => 0,
        OpponentMove::Passed => 1,
        OpponentMove::Placed(position) => search(position) + WRITE,
        OpponentMove::Illegal(position) => search(position) + 1,
    };
    before + search(&decision.position)
}
