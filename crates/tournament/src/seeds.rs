//! Seeds and openings: all random choices derive from the plan's seed and a game's number.

use duoforge_referee::{Seat, Setup};
use duoforge_rules::{DuoBoard, Move, Placement, Variant};
use duoforge_twin::Rng;

use crate::{Plan, PlanEntry};

/// Separates the seeds of openings from those of players.
const OPENINGS: u64 = 0x6f70_656e;

/// Returns a hash of these numbers, such as the seed of a player in a game.
#[must_use]
pub fn mixed(numbers: &[u64]) -> u64 {
    let mut sum = 0;
    for &number in numbers {
        let mut rng = Rng::new(sum ^ number);
        sum = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
    }
    sum
}

/// Seed of a player in a game; depends on the plan's seed, the player's seed, the game and the
/// seat.
pub(crate) fn seed(plan: &Plan, entry: &PlanEntry, game: u32, seat: Seat) -> u64 {
    let own = entry.spec.own_seed().unwrap_or_default();
    mixed(&[plan.seed, own, game.into(), seat as u64])
}

/// Moves of an opening: random, and the same for every pair with this opening number.
pub(crate) fn opening(seed: u64, number: u32, plies: u32, setup: Setup) -> Vec<Move> {
    let mut rng = Rng::new(mixed(&[seed, OPENINGS, number.into()]));
    let mut board = DuoBoard::with_starts(&Variant::DUO, &setup.start_cells());
    for _ in 0..plies {
        let legal: Vec<Placement> = board.legal().collect();
        // This early in a game a legal placement always exists.
        let Some(most) = u32::try_from(legal.len()).ok().filter(|&most| most > 0) else {
            break;
        };
        let mv = Move::Place(legal[rng.below(most) as usize]);
        if board.play(mv).is_err() {
            break;
        }
    }
    board.moves().to_vec()
}
