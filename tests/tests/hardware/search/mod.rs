//! Tests of the whole search against its twin: every MCTS simulation, the root moves and the
//! placement that is played.

mod boards;
mod pair;
mod second;
mod stops;

use duoforge_engine::endgame::mobility;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_sim::Backend;
use duoforge_sim::search::{SearchUnit, compare, set_up, twin};
use duoforge_twin::{Rng, search};

use crate::support::coverage::covered;
use crate::support::games::Game;

fn settings(lanes: usize, simulations: u32) -> ClockedSearchConfig {
    ClockedSearchConfig {
        parameters: search::SearchParameters {
            lanes,
            children: 32,
            expand_threshold: 6,
            nodes: 63,
            ..search::SearchParameters::default()
        },
        seed: 5,
        simulations,
        cycles: u32::MAX,
    }
}

/// Searches one of `share` positions of random games.
///
/// Returns the placements of the longest simulation and the steps of the deepest path.
fn games(
    backend: Backend,
    settings: &ClockedSearchConfig,
    count: usize,
    share: usize,
) -> [usize; 2] {
    let mut unit = SearchUnit::open(backend, settings, true).expect("the model can be built");
    let mut rng = Rng::new(41);
    let (mut traced, mut longest) = (0, [0, 0]);
    for number in 0..count {
        let game = Game::random(&mut rng);
        for (board, _) in game.moves.iter().skip(number % share).step_by(share) {
            set_up(&mut unit, board).expect("it runs");
            let begin = unit.cycles();
            let heard = unit.think(board.to_move(), None).expect("it runs");
            // The request takes one cycle, which does not belong to the search.
            assert_eq!(heard.cycles.whole, unit.cycles() - begin - 1);
            let (found, told) = twin(settings, board, settings.simulations.into());
            traced += told.len();
            for simulation in &told {
                longest[0] = longest[0].max(simulation.moves.len());
                longest[1] = longest[1].max(simulation.path.len());
            }
            if let Err(divergence) = compare(&found, &told, &heard) {
                panic!("game {number}, ply {}: {divergence}", board.ply());
            }
        }
    }
    assert!(traced > 0, "nothing was compared");
    longest
}

#[test]
fn verilator_with_one_lane() {
    games(Backend::Verilator, &settings(1, 100), 4, 3);
}

#[test]
fn verilator_with_two_lanes() {
    let [moves, steps] = games(Backend::Verilator, &settings(2, 200), 4, 3);
    covered("search: placements of a simulation", &moves);
    covered("search: steps of a path", &steps);
}

#[test]
fn playouts_that_prefer_two_reply_cells_in_verilator() {
    let mut settings = settings(2, 200);
    settings.parameters.formulas.reply_count_max = 2;
    let [moves, _] = games(Backend::Verilator, &settings, 4, 3);
    assert!(moves > 20, "{moves}");
}

#[test]
fn endings_are_proved_alike() {
    let settings = ClockedSearchConfig {
        parameters: search::SearchParameters {
            nodes: 255,
            expand_threshold: 3,
            value_count_cap: 16,
            ..settings(2, 0).parameters
        },
        ..settings(2, 1_500)
    };
    let mut unit = SearchUnit::open(Backend::Verilator, &settings, true).expect("it can be built");
    let mut rng = Rng::new(43);
    let (mut solved, mut proving, mut full) = (0, 0, 0);
    let last = settings.parameters.nodes as u32 - 1;
    for number in 0..6 {
        let game = Game::random(&mut rng);
        for (board, _) in game.moves.iter().filter(|(board, _)| mobility(board) <= 30) {
            if board.count_legal() < 2 {
                continue;
            }
            set_up(&mut unit, board).expect("it runs");
            let heard = unit.think(board.to_move(), None).expect("it runs");
            let (found, told) = twin(&settings, board, settings.simulations.into());
            solved += u32::from(found.solved);
            let steps = told.iter().flat_map(|simulation| &simulation.path);
            full += u32::from(steps.clone().any(|step| step.node == last));
            proving += steps
                .filter(|step| step.proven_alternative.is_some())
                .count();
            if let Err(divergence) = compare(&found, &told, &heard) {
                panic!("game {number}, ply {}: {divergence}", board.ply());
            }
        }
    }
    println!("{solved} searches settled, {proving} steps to prove");
    covered("search: searches that fill their nodes", &full);
    assert!(solved > 3 && proving > 100, "{solved}, {proving}");
}
