//! Tunes the weights of the pattern policy by self-play.
//!
//! The method is coordinate ascent. Each step changes one weight and plays pairs of games from
//! random openings against the best weights so far. The change is kept if the score rises by more
//! than its standard error. After each round, the best weights play against the initial ones. Runs
//! are reproducible: the seed and the number of pairs are arguments.
//!
//!     cargo run --release -p duoforge-twin --example tune -- [SEED] [PAIRS] [ROUNDS]

use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_twin::{FEATURES, Policy, Rng};

type Weights = [u8; FEATURES + 1];

const BEGIN: Weights = [10, 6, 2, 3, 3, 2, 4];

fn main() {
    let mut args = std::env::args()
        .skip(1)
        .map(|arg| arg.parse::<u64>().expect("a number"));
    let mut seed = args.next().unwrap_or(1);
    let pairs = args.next().unwrap_or(400) as u32;
    let rounds = args.next().unwrap_or(4);
    let mut best = BEGIN;
    for round in 0..rounds {
        for index in 0..best.len() {
            for step in [-4_i16, -2, -1, 1, 2, 4] {
                let mut trial = best;
                trial[index] = (i16::from(best[index]) + step).clamp(0, 20) as u8;
                if trial == best {
                    continue;
                }
                seed += 1;
                let (score, error) = play(&trial, &best, pairs, seed);
                if score > 0.5 + error {
                    println!("round {round}: {trial:?} scores {score:.3} +- {error:.3}");
                    best = trial;
                }
            }
        }
        let (score, error) = play(&best, &BEGIN, pairs * 4, 1000 + round);
        println!("after round {round}: {best:?} scores {score:.3} +- {error:.3} against {BEGIN:?}");
    }
}

/// Returns the score of `a` against `b`, from 0 to 1, and its standard error.
fn play(a: &Weights, b: &Weights, pairs: u32, seed: u64) -> (f64, f64) {
    let mut rng = Rng::new(seed);
    let policies = [Policy::linear(a), Policy::linear(b)];
    let scores: Vec<f64> = (0..pairs)
        .map(|_| {
            let opening = opening(&mut rng);
            let first = game(opening.clone(), [&policies[0], &policies[1]]);
            let second = 1.0 - game(opening, [&policies[1], &policies[0]]);
            (first + second) / 2.0
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / f64::from(pairs);
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / f64::from(pairs);
    (mean, (variance / f64::from(pairs)).sqrt())
}

/// Returns an opening of four random plies with tiles of five cells.
fn opening(rng: &mut Rng) -> DuoBoard {
    let mut board = DuoBoard::duo();
    for _ in 0..4 {
        let large: Vec<_> = board.legal().filter(|p| p.tile().size() == 5).collect();
        let pick = large[rng.below(large.len() as u32) as usize];
        board.play(Move::Place(pick)).expect("it is legal");
    }
    board
}

/// Returns the result for the first player: 1, 0.5 or 0.
fn game(mut board: DuoBoard, policies: [&Policy; 2]) -> f64 {
    while !board.is_over() {
        let choice = policies[board.to_move().index()].best(&board);
        let mv = choice.map_or(Move::Pass, |choice| Move::Place(choice.placement));
        board.play(mv).expect("it is legal");
    }
    match board.score(Colour(0)).cmp(&board.score(Colour(1))) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
