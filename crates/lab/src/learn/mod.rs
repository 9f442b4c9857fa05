//! Training of the search's prior on games: the model predicts the placements that players choose.
//!
//! For every position in which a player chose a placement, the model assigns a probability to each
//! placement that the prior considers. The weights maximise the likelihood of the choices (`fit`),
//! separately for each phase of the game. Some games are held out to evaluate the weights.

pub mod fit;
pub mod maxn;
pub mod quality;
pub mod report;
pub mod samples;

use std::f64::consts::LN_2;

use duoforge_rules::{Move, Tile};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::{FEATURES, PHASES, Weights, count_features, phase};

use fit::{Fitted, fit};
use samples::{Sample, Samples};

use crate::training_games::choices;

/// Quadratic (ridge) penalty on the weights; small against the information in a hundred choices.
const RIDGE: f64 = 2.0;

/// Steps of a weight per octave.
const STEPS: f64 = 16.0;

/// Training positions of games.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// Positions with their placements.
    pub samples: Samples,
    /// Number of positions in which the player chose a placement that the prior does not consider.
    pub missed: usize,
}

/// Collects the positions of games. A game is given by its number of opening plies, which are
/// skipped, and its moves.
///
/// # Panics
/// If a move is illegal.
pub fn positions<'a>(games: impl IntoIterator<Item = (usize, &'a [Move])>) -> Positions {
    let mut positions = Positions {
        samples: Samples::new(FEATURES),
        missed: 0,
    };
    for (game, (drawn, moves)) in games.into_iter().enumerate() {
        for (board, mv) in choices(drawn, moves) {
            let Move::Place(chosen) = mv else {
                continue;
            };
            let position = Position::new(&board);
            let all = count_features(&position);
            match all.iter().position(|&(placement, _)| placement == chosen) {
                Some(chosen) => {
                    let rows = all.iter().map(|(p, counts)| (p.tile().index(), counts));
                    positions.samples.add(game, phase(&position), chosen, rows);
                }
                None => positions.missed += 1,
            }
        }
    }
    positions
}

/// Fits the maximum-likelihood weights of each phase to the samples `of`.
#[must_use]
pub fn learn(samples: &Samples, of: &[&Sample]) -> [Fitted; PHASES] {
    std::array::from_fn(|phase| {
        let of = of.iter().copied().filter(|sample| sample.phase == phase);
        fit(samples, &of.collect::<Vec<_>>(), RIDGE)
    })
}

/// Rounds weights to the steps of the hardware. A constant added to the weights of all tiles has no
/// effect; the largest is set to 0, so the weights fit their range.
#[must_use]
pub fn quantise(fitted: &[Fitted; PHASES]) -> Weights {
    let (tiles, kinds) = steps(fitted);
    Weights { tiles, kinds }
}

/// Weights of the tiles and of `N` features, by phase.
type Rounded<const N: usize> = ([[i8; Tile::COUNT]; PHASES], [[i8; N]; PHASES]);

/// Rounds the weights of `N` features and of the tiles to 16ths of an octave.
fn steps<const N: usize>(fitted: &[Fitted; PHASES]) -> Rounded<N> {
    let steps = |weight: f64| (weight / LN_2 * STEPS).round().clamp(-128.0, 127.0) as i8;
    let tiles = fitted.each_ref().map(|Fitted(weights)| {
        let tiles = &weights[N..];
        let greatest = tiles.iter().copied().fold(f64::MIN, f64::max);
        std::array::from_fn(|tile| steps(tiles[tile] - greatest))
    });
    let features = fitted.each_ref();
    (
        tiles,
        features.map(|Fitted(weights)| std::array::from_fn(|feature| steps(weights[feature]))),
    )
}

/// Returns the score of a placement by the hardware's weights, in units of the natural exponent.
#[must_use]
pub fn score(weights: &Weights, samples: &Samples, sample: &Sample, row: usize) -> f64 {
    let counts = samples.counts(row).try_into().expect("all kinds");
    let score = weights.score(sample.phase, Tile::ALL[samples.tile(row)], counts);
    f64::from(score) * LN_2 / STEPS
}

#[cfg(test)]
mod tests {
    use duoforge_rules::DuoBoard;

    use super::*;

    #[test]
    fn weights_become_steps_that_fit() {
        let mut weights = vec![0.0; FEATURES + Tile::COUNT];
        weights[0] = LN_2;
        weights[1] = -LN_2 / 2.0;
        weights[FEATURES] = 2.0 * LN_2;
        weights[FEATURES + 1] = -20.0 * LN_2;
        let quantised = quantise(&[(); PHASES].map(|()| Fitted(weights.clone())));
        for phase in 0..PHASES {
            assert_eq!(quantised.kinds[phase][..3], [16, -8, 0]);
            assert_eq!(quantised.tiles[phase][..3], [0, -128, -32]);
        }
    }

    #[test]
    fn only_what_players_chose_is_learned_from() {
        let mut board = DuoBoard::duo();
        while !board.is_over() {
            let first = board
                .legal()
                .max_by_key(|placement| placement.tile().size());
            board
                .play(first.map_or(Move::Pass, Move::Place))
                .expect("legal");
        }
        let placed = board.moves().iter().filter(|mv| **mv != Move::Pass).count();
        for drawn in [0, 3] {
            let found = positions([(drawn, board.moves())]);
            assert_eq!(found.samples.samples.len() + found.missed, placed - drawn);
            assert!(found.samples.samples.len() > 10);
        }
    }
}
