//! Tests of the prior scorer: every score and its cycle, for maps of any density and for those of
//! games.

use duoforge_hdl::search::expansion::prior_maps::{self, MAPS};
use duoforge_hdl::search::expansion::prior_scorer::{self, PriorScorer};
use duoforge_rules::{Orientation, Tile};
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::{self, FEATURES, PHASES, Weights};

use crate::support::coverage::{Counted, covered};
use crate::support::games::{Game, placements};
use crate::support::patch::patches;
use crate::support::{in_every_simulator, scorer::Scorer};

in_every_simulator!(learned; verilator 6000, icarus 500, rust 400);

mod any_weights {
    use super::{any, in_every_simulator};

    in_every_simulator!(any; verilator 6000, icarus 500, rust 400);
}

mod games {
    use super::{in_every_simulator, of_games};

    in_every_simulator!(of_games; verilator 12, icarus 1, rust 1);
}

/// Tests the shipped weights.
fn learned(backend: Backend, cycles: u32) {
    let reached = random(backend, cycles, Weights::default());
    if backend == Backend::Verilator {
        covered("prior scorer: orientations in each phase", &reached);
    }
}

/// Tests random weights of any sign.
fn any(backend: Backend, cycles: u32) {
    let mut rng = Rng::new(77);
    let mut weight = |reach: u32| rng.below(2 * reach) as i32 - reach as i32;
    let weights = Weights {
        tiles: [[0; Tile::COUNT]; PHASES].map(|all| all.map(|_: i8| weight(128) as i8)),
        kinds: [[0; FEATURES]; PHASES].map(|all| all.map(|_: i8| weight(44) as i8)),
    };
    random(backend, cycles, weights);
}

/// Tests random placements on maps of any density.
fn random(backend: Backend, cycles: u32, weights: Weights) -> Counted {
    let mut dut = Scorer::open(backend, PriorScorer::new(&weights), "prior_scorer");
    let mut rng = Rng::new(9);
    let placements = placements();
    let (mut reach, mut phase) = (0..0, 0);
    let mut reached = Counted::new(PHASES * Orientation::COUNT);
    for clock in 0..cycles {
        let placement = placements[rng.below(placements.len() as u32) as usize];
        if clock % 64 == 0 {
            phase = rng.below(PHASES as u32) as usize;
            dut.change_to(phase, placement);
        }
        let rows = maps(&mut rng);
        let patch = patches(&rows, placement);
        let counts = prior_scorer::twin(placement.orientation, &patch);
        let score = weights.score(phase, placement.tile(), &counts);
        reach = reach.start.min(score)..reach.end.max(score);
        let valid = rng.below(4) > 0;
        if valid {
            reached.note(phase * Orientation::COUNT + placement.orientation.index());
        }
        dut.clock(placement, patch, valid.then_some(score));
    }
    println!("{backend}: scores {reach:?}");
    assert!(reach.end > 300 && reach.start < -400);
    dut.bench.finish();
    reached
}

fn maps(rng: &mut Rng) -> [[u16; 14]; MAPS] {
    std::array::from_fn(|_| {
        let density = rng.below(5);
        std::array::from_fn(|_| {
            let cells = (0..14).map(|x| u16::from(rng.below(4) < density) << x);
            cells.sum()
        })
    })
}

/// Tests all placements that the prior scores in some positions of games, with the prior's own
/// counts.
fn of_games(backend: Backend, positions: usize) {
    let weights = Weights::default();
    let mut dut = Scorer::open(backend, PriorScorer::new(&weights), "prior_scorer");
    let mut rng = Rng::new(12);
    let mut scored = 0;
    for number in 0..positions {
        let game = Game::random(&mut rng);
        let (board, _) = &game.moves[(5 * number + 3) % game.moves.len()];
        let position = Position::new(board);
        let (maps, phase) = (prior_maps::twin(&position), prior::phase(&position));
        for (i, (placement, counts)) in prior::count_features(&position).into_iter().enumerate() {
            if i == 0 {
                dut.change_to(phase, placement);
            }
            let score = weights.score(phase, placement.tile(), &counts);
            dut.clock(placement, patches(&maps, placement), Some(score));
            scored += 1;
        }
    }
    println!("{backend}: {scored} placements of games");
    assert!(scored > 40 * positions);
    dut.bench.finish();
}
