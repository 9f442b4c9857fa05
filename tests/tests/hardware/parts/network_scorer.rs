//! Tests of the network scorer: every score and its cycle, for cells of any scores and for those of
//! games.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::search::expansion::network::{SCORE_BITS, SCORE_PLANES, planes};
use duoforge_hdl::search::expansion::network_scorer::{NetworkScorer, twin};
use duoforge_rules::{Orientation, Placement};
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::network::{MIN_SCORE, PriorNetwork, SCORES};
use duoforge_twin::search::prior::{self, PHASES};

use super::network::{Scores, any_network, scores};
use crate::support::coverage::{Counted, covered};
use crate::support::games::{Game, placements};
use crate::support::{in_every_simulator, scorer::Scorer};

in_every_simulator!(learned; verilator 6000, icarus 1500, rust 1000);

mod any_tiles {
    use super::{any, in_every_simulator};

    in_every_simulator!(any; verilator 6000, icarus 1500, rust 1000);
}

mod games {
    use super::{in_every_simulator, of_games};

    in_every_simulator!(of_games; verilator 24, icarus 4, rust 3);
}

/// Scores of the cells in the box of a placement.
type Patch = [[i8; SCORES]; 49];

/// Tests the tile scores that ship.
fn learned(backend: Backend, cycles: u32) {
    let reached = random(backend, cycles, PriorNetwork::shipped());
    if backend == Backend::Verilator {
        covered("network scorer: orientations in each phase", &reached);
    }
}

/// Tests random tile scores.
fn any(backend: Backend, cycles: u32) {
    random(backend, cycles, &any_network(&mut Rng::new(80)));
}

/// Returns the bit planes of a patch.
fn bits(patch: &Patch) -> [u64; SCORE_PLANES] {
    std::array::from_fn(|plane| {
        let (score, bit) = (plane / SCORE_BITS, plane % SCORE_BITS);
        let bits = patch.iter().enumerate();
        let bits = bits.map(|(cell, scores)| (scores[score] as u64 >> bit & 1) << cell);
        bits.sum()
    })
}

/// Returns the scores of the cells in a box: all equal, those of a few cells, or any.
fn any_patch(rng: &mut Rng) -> Patch {
    let any = |rng: &mut Rng| (rng.below((-2 * MIN_SCORE) as u32) as i32 + MIN_SCORE) as i8;
    match rng.below(8) {
        0 => [[MIN_SCORE as i8; SCORES]; 49],
        1 => [[-(MIN_SCORE + 1) as i8; SCORES]; 49],
        2 => [[0; SCORES].map(|_: i8| any(rng)); 49],
        3 => std::array::from_fn(|_| match rng.below(4) {
            0 => [0; SCORES].map(|_: i8| any(rng)),
            _ => [0; SCORES],
        }),
        _ => std::array::from_fn(|_| [0; SCORES].map(|_: i8| any(rng))),
    }
}

/// Tests random placements among cells of any scores. Returns the orientations in each phase.
fn random(backend: Backend, cycles: u32, network: &PriorNetwork) -> Counted {
    let mut dut = Scorer::open(backend, NetworkScorer::new(network), "network_scorer");
    let mut rng = Rng::new(81);
    let placements = placements();
    let (mut reach, mut phase) = (0..0, 0);
    let mut reached = Counted::new(PHASES * Orientation::COUNT);
    for clock in 0..cycles {
        let placement = placements[rng.below(placements.len() as u32) as usize];
        if clock % 64 == 0 {
            phase = (clock / 64) as usize % PHASES;
            dut.change_to(phase, placement);
        }
        let patch = any_patch(&mut rng);
        let tile = i32::from(network.tiles[phase][placement.tile().index()]);
        let score = tile + twin(placement.orientation, &patch);
        reach = reach.start.min(score)..reach.end.max(score);
        let valid = rng.below(4) > 0;
        if valid {
            reached.note(phase * Orientation::COUNT + placement.orientation.index());
        }
        dut.clock(placement, bits(&patch), valid.then_some(score));
    }
    println!("{backend}: scores {reach:?}, orientations in each phase: {reached}");
    assert!(reach.end > 1_000 && reach.start < -1_000);
    dut.bench.finish();
    reached
}

/// Tests all placements that the prior scores in some positions of games, with the network's own
/// scores of cells. The best of them are the candidates of the search.
fn of_games(backend: Backend, positions: usize) {
    let network = PriorNetwork::shipped();
    let mut dut = Scorer::open(backend, NetworkScorer::new(network), "network_scorer");
    let mut rng = Rng::new(12);
    let mut scored = 0;
    for number in 0..positions {
        let game = Game::random(&mut rng);
        let (board, _) = &game.moves[(5 * number + 3) % game.moves.len()];
        let position = Position::new(board);
        let phase = prior::phase(&position);
        let cells = scores(network, phase, &planes::twin(&position));
        let mut all = Vec::new();
        for (placement, _) in prior::count_features(&position) {
            if all.is_empty() {
                dut.change_to(phase, placement);
            }
            let patch = surroundings(&cells, placement);
            let tile = i32::from(network.tiles[phase][placement.tile().index()]);
            let score = tile + twin(placement.orientation, &patch);
            dut.clock(placement, bits(&patch), Some(score));
            all.push(score);
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        let candidates = prior::top_by_scores(&position, &network.scores(&position), all.len());
        let behind = candidates.iter().map(|candidate| candidate.score_gap);
        assert!(behind.eq(all.iter().map(|score| (all[0] - score).min(255) as u32)));
        scored += all.len();
    }
    println!("{backend}: {scored} placements of games");
    assert!(scored > 40 * positions);
    dut.bench.finish();
}

/// Returns the scores of the cells in the box of a placement; cells off the board count nothing.
fn surroundings(cells: &Scores, placement: Placement) -> Patch {
    std::array::from_fn(|place| {
        let x = (usize::from(placement.x) + place % 7).checked_sub(1);
        let y = (usize::from(placement.y) + place / 7).checked_sub(1);
        match (x, y) {
            (Some(x), Some(y)) if x < SIDE && y < SIDE => cells[y][x].map(|score| score as i8),
            _ => [0; SCORES],
        }
    })
}
