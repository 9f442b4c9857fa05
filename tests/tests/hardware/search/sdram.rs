//! Tests of search players with an SDRAM: whole games on a model of the chip, and on boards without
//! the chip.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use super::other_formulas;
use super::pair::Pair;
use crate::support::share::share;

/// Cycles in which the chip is initialised and tested: 200 µs, and 34 lines of 226 words.
pub const POWER_UP: u64 = 20_000;

/// Returns parameters of a fast line, whose reply deadline never ends a search.
fn parameters() -> PlayerParameters {
    PlayerParameters {
        baud: 5_000_000,
        deadline_cycles: u32::MAX,
        reply_limit_cycles: u32::MAX,
        ..PlayerParameters::contest(50_000_000)
    }
}

/// Returns settings of a tree with many more nodes than lines.
fn settings(lanes: usize, simulations: u32, lines: usize) -> ClockedSearchConfig {
    let mut settings = other_formulas(lanes, simulations);
    settings.parameters.nodes = 300;
    settings.parameters.expand_threshold = 1;
    settings.lines = Some(lines);
    settings
}

/// Returns settings of four lanes that two tests share, so that one model serves both.
pub fn four_lanes() -> ClockedSearchConfig {
    settings(4, 100, 8)
}

/// Returns the status output `memory_failed`: 1 once the chip has failed its self-test.
fn failed(pair: &mut Pair) -> u64 {
    let sim = pair.board.simulator();
    let port = sim.port("memory_failed").expect("a status output");
    sim.peek(port).expect("it runs")
}

/// Moves of a whole game at most; the test command plays a share of them.
const MOVES: usize = 25;

/// Plays `moves` moves of a game, of which at least one search makes all its simulations.
fn game(backend: Backend, settings: &ClockedSearchConfig, moves: usize) {
    let mut pair = Pair::open_in(backend, &parameters(), settings);
    pair.board.simulator().step(POWER_UP).expect("it runs");
    assert_eq!(failed(&mut pair), 0);
    let mut simulations = Vec::new();
    pair.game(&mut Rng::new(31), moves, |pair, _| {
        simulations.push(pair.simulations());
    });
    let limit = u64::from(settings.simulations);
    assert!(simulations.contains(&limit), "{simulations:?}");
    assert_eq!(failed(&mut pair), 0);
}

#[test]
fn boards_with_an_sdram_play_whole_games_like_their_twins() {
    game(Backend::Verilator, &settings(1, 40, 4), share(MOVES));
    game(Backend::Verilator, &four_lanes(), share(MOVES));
}

#[test]
fn a_move_with_an_sdram_in_icarus() {
    game(Backend::Icarus, &settings(1, 6, 2), 1);
}

/// A board whose chip is missing plays with the nodes in block RAM.
#[test]
fn a_board_whose_sdram_is_missing_has_the_nodes_in_block_ram() {
    let settings = four_lanes();
    let mut pair = Pair::open(&parameters(), &settings);
    let sim = pair.board.simulator();
    let absent = sim.port("absent").expect("an input of the chip");
    sim.poke(absent, 1).expect("it runs");
    sim.step(POWER_UP).expect("it runs");
    assert_eq!(failed(&mut pair), 1);
    let mut small = settings.clone();
    small.parameters.nodes = 8;
    pair.set_twin(&parameters(), &small);
    pair.game(&mut Rng::new(32), share(MOVES), |_, _| {});
    assert_eq!(failed(&mut pair), 1);
}
