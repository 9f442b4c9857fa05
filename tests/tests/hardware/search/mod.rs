//! Tests of the whole search against its twin: every MCTS simulation, the root moves and the
//! placement that is played.

mod boards;
mod book;
mod pair;
mod ponder;
mod sdram;
mod second;
mod stops;
mod vanishing;

use duoforge_engine::endgame::mobility;
use duoforge_hdl::search::results::VALUE;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_sim::Backend;
use duoforge_sim::search::{HardwareSearch, SearchUnit, compare, set_up, twin};
use duoforge_twin::{Rng, search};

use crate::support::coverage::covered;
use crate::support::games::Game;
use crate::support::share::share;

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
        lines: None,
        ponder: false,
        book: None,
    }
}

/// Returns settings with all formulas that the hardware computes on request.
fn other_formulas(lanes: usize, simulations: u32) -> ClockedSearchConfig {
    let mut settings = settings(lanes, simulations);
    settings.parameters.formulas = search::Formulas {
        value_count_divisor: true,
        value_count_bits: 22,
        reply_count_max: 2,
        margin_bonus: 17_000,
        length_bonus: 4_500,
        final_wins: true,
        prior_network: true,
        ..search::Formulas::default()
    };
    settings
}

/// Extremes of the searches that were compared.
#[derive(Default)]
struct Compared {
    /// Placements of the longest simulation.
    moves: usize,
    /// Steps of the deepest path.
    steps: usize,
    /// Simulations whose placements are all entered before a value with bonuses is valid.
    late: usize,
    /// Searches without proven values whose best placement is not the first of the most visited ones.
    by_product: usize,
}

/// Searches every `step`-th position of random games.
fn games(backend: Backend, settings: &ClockedSearchConfig, count: usize, step: usize) -> Compared {
    let mut unit = SearchUnit::open(backend, settings, true).expect("the model can be built");
    let mut rng = Rng::new(41);
    let (mut traced, mut compared) = (0, Compared::default());
    for number in 0..count {
        let game = Game::random(&mut rng);
        for (board, _) in game.moves.iter().skip(number % step).step_by(step) {
            set_up(&mut unit, board).expect("it runs");
            let begin = unit.cycles();
            let heard = unit.think(board.to_move(), None).expect("it runs");
            // The request takes one cycle, which does not belong to the search.
            assert_eq!(heard.cycles.whole, unit.cycles() - begin - 1);
            let (found, told) = twin(settings, board, settings.simulations.into());
            traced += told.len();
            for simulation in &told {
                compared.moves = compared.moves.max(simulation.moves.len());
                compared.steps = compared.steps.max(simulation.path.len());
                compared.late += usize::from(simulation.moves.len() + 2 <= VALUE as usize);
            }
            compared.by_product += usize::from(is_by_product(&heard));
            if let Err(divergence) = compare(&found, &told, &heard) {
                panic!("game {number}, ply {}: {divergence}", board.ply());
            }
        }
    }
    assert!(traced > 0, "nothing was compared");
    compared
}

/// True if the best placement is not the first of the most visited ones, of which none is proven.
fn is_by_product(heard: &HardwareSearch) -> bool {
    let children = heard.children.iter().rev();
    let most = children.max_by_key(|child| child.visits);
    heard.children.iter().all(|child| !child.proven) && heard.best != most.map(|it| it.placement)
}

#[test]
fn verilator_with_one_lane() {
    games(Backend::Verilator, &settings(1, 100), share(4), 3);
}

/// Returns settings of two lanes that tests of searches share, so that one model serves them.
fn two_lanes() -> ClockedSearchConfig {
    settings(2, 200)
}

/// Returns settings of a tree with many more nodes than lines in block RAM, shared likewise.
fn external(lanes: usize, lines: usize) -> ClockedSearchConfig {
    let mut settings = other_formulas(lanes, 120);
    settings.parameters.nodes = 200;
    settings.parameters.expand_threshold = 1;
    settings.lines = Some(lines);
    settings
}

#[test]
fn verilator_with_two_lanes() {
    let Compared { moves, steps, .. } = games(Backend::Verilator, &two_lanes(), 4, 3);
    covered("search: placements of a simulation", &moves);
    covered("search: steps of a path", &steps);
}

/// Compares searches with other formulas. Many values with bonuses are late, and the final placement is
/// sometimes not the most visited one.
fn formulas(lanes: usize, simulations: u32) {
    let settings = other_formulas(lanes, simulations);
    let compared = games(Backend::Verilator, &settings, 2, 3);
    assert!(compared.late > 300 && compared.by_product > 0);
}

#[test]
fn other_formulas_with_one_lane() {
    formulas(1, 80);
}

#[test]
fn other_formulas_with_four_lanes() {
    formulas(4, 120);
}

/// Compares searches whose tree has many more nodes than lines in block RAM. The memory answers after
/// random times.
#[test]
fn trees_in_an_external_memory() {
    for (lanes, lines) in [(1, 4), (4, 16)] {
        games(Backend::Verilator, &external(lanes, lines), share(5), 7);
    }
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
