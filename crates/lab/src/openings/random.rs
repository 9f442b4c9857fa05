//! Random openings.
//!
//! Uniformly random moves are mostly bad: many games would be decided before the players move, and
//! such games do not compare the players. The moves are therefore drawn with the help of the
//! pattern policy. Openings that favour one side in games between pattern players are rejected.
//! Strong players may still find one side better.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use duoforge_rules::{Cell, Colour, DuoBoard, Move, Placement};
use duoforge_twin::{Policy, PolicyMaps, Rng};

use crate::seed::derive;

/// Exclusive upper bound of the noise added to a policy's score. The noise makes openings differ,
/// but does not select the placements with the lowest scores.
const NOISE: u32 = 40;

/// Number of games between two noisy pattern players that test an opening.
const TRIALS: u32 = 32;

/// Permitted half points of the first player in the test games: a quarter to three quarters of all.
const FAIR: RangeInclusive<u32> = TRIALS / 2..=TRIALS * 3 / 2;

/// Maximum number of candidates per requested opening.
const PATIENCE: u64 = 200;

/// Passes distinct fair openings to `take`, until `stop` returns true.
///
/// # Errors
/// Too few of them; an error of `take`.
pub fn random(
    count: usize,
    plies: usize,
    seed: u64,
    mut take: impl FnMut(Vec<Move>) -> Result<()>,
    stop: impl Fn() -> bool,
) -> Result<()> {
    let policy = Policy::default();
    let mut known = HashSet::new();
    let mut found = 0;
    let candidates = 1000 + PATIENCE * count as u64;
    for candidate in 0..candidates {
        if found == count || stop() {
            return Ok(());
        }
        let mut rng = Rng::new(derive(seed, &[candidate]));
        let board = walk(&policy, DuoBoard::duo(), plies, &mut rng);
        if known.insert(shape(&board)) && is_fair(&policy, &board, &mut rng) {
            take(board.moves().to_vec())?;
            found += 1;
        }
    }
    ensure!(
        found == count,
        "{candidates} tries gave only {found} distinct fair openings of {plies} plies; \
         take more plies, fewer pairs, or the openings 'empty'"
    );
    Ok(())
}

/// Plays noisy moves with the largest tiles that fit, until the game ends or has `plies`.
pub fn walk(policy: &Policy, mut board: DuoBoard, plies: usize, rng: &mut Rng) -> DuoBoard {
    while board.ply() < plies && !board.is_over() {
        let mv = noisy(policy, &board, rng).map_or(Move::Pass, Move::Place);
        board.play(mv).expect("it is legal");
    }
    board
}

fn noisy(policy: &Policy, board: &DuoBoard, rng: &mut Rng) -> Option<Placement> {
    let maps = PolicyMaps::new(board, board.to_move());
    let size = |placement: &Placement| placement.tile().size();
    let largest = board.legal().map(|placement| size(&placement)).max()?;
    let all = board.legal().filter(|placement| size(placement) == largest);
    all.max_by_key(|&placement| u32::from(policy.score(&maps, placement)) + rng.below(NOISE))
}

/// True if neither side dominates test games between noisy pattern players.
fn is_fair(policy: &Policy, board: &DuoBoard, rng: &mut Rng) -> bool {
    let mut halves = 0;
    for _ in 0..TRIALS {
        let end = walk(policy, board.clone(), usize::MAX, rng);
        halves += match end.score(Colour(0)).cmp(&end.score(Colour(1))) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
    }
    FAIR.contains(&halves)
}

/// Returns a key that is equal for openings that lead to the same game: the cells of both players,
/// on the board or on its mirror image along the diagonal through the start cells.
pub(super) fn shape(board: &DuoBoard) -> [Vec<Cell>; 2] {
    let cells = [0, 1].map(|player| board.cells(Colour(player)).iter().collect::<Vec<_>>());
    let mirrored = cells.clone().map(|cells| {
        let mut cells: Vec<_> = cells.iter().map(|cell| Cell::new(cell.y, cell.x)).collect();
        cells.sort();
        cells
    });
    cells.min(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_and_transposed_openings_are_the_same() {
        let board = |codes: &str| {
            let mut board = DuoBoard::duo();
            for code in codes.split(' ') {
                board.play(code.parse().unwrap()).unwrap();
            }
            board
        };
        // A bar of two cells to the right of the start cell, and one below it.
        let [right, down] = [board("55b6"), board("55b0")];
        assert_ne!(right.moves(), down.moves());
        assert_eq!(shape(&right), shape(&down));
        assert_ne!(shape(&right), shape(&board("55a0")));
    }
}
