//! How many clocks the player takes, from what it has to do: the twin of its timing.

use duoforge_engine::{RivalMove, Thought};
use duoforge_rules::DuoBoard;

/// Clocks from the start of a stream until the first row is in the scan.
const FILL: u32 = 9;

/// Clocks from the scan's picking of a placement until its score has been compared.
const SCORE: u32 = 6;

/// Clocks from a placement's being decided until it is in the board and the next thing starts.
pub const WRITE: u32 = 18;

/// Clocks from the start of a stream until the last legal placement of the player to move has been
/// scored.
///
/// A row takes one clock to load and for each column as many as it has placements, but at least one.
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

/// Clocks from a complete request to the decision about it, which the player's status port
/// `think_clocks` reports.
pub fn request(thought: &Thought) -> u32 {
    let before = match &thought.rival {
        RivalMove::None => 0,
        RivalMove::Passed => 1,
        RivalMove::Placed(position) => search(position) + WRITE,
        RivalMove::Illegal(position) => search(position) + 1,
    };
    before + search(&thought.position)
}
