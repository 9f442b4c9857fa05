//! Complete games against the twin: every legal set, score, move and cycle count.

use duoforge_sim::{Backend, campaign::Campaign, gates::Technology};

use super::parameters;

pub fn equal(backend: Backend, gates: Option<Technology>, games: u64, seed: u64) {
    let campaign = Campaign {
        gates,
        parameters: parameters(),
        ..Campaign::new(backend, games, seed)
    };
    let report = campaign.run(|_, _| {}).expect("the simulator runs");
    let failed: Vec<_> = report
        .games
        .iter()
        .filter_map(|game| game.mismatch.as_ref().map(|m| (game.seed, m.to_string())))
        .collect();
    println!(
        "{backend}: {} games, {} plies, {} legal sets, {} cycles, {:.0} cycles/s, longest delay {} cycles",
        report.games.len(),
        report.plies(),
        report.legal_sets(),
        report.cycles(),
        report.cycles_per_second(),
        report.longest_delay()
    );
    assert!(failed.is_empty(), "{failed:?}");
    assert!(report.plies() > 10 * games);
}

/// Defines single games as separate tests, so that slow ones run in parallel.
macro_rules! single_games {
    ($($name:ident: $backend:ident $seed:literal;)*) => {
        $(
            #[test]
            fn $name() {
                equal(Backend::$backend, None, 1, $seed);
            }
        )*
    };
}

single_games! {
    icarus_game_1: Icarus 1001;
    icarus_game_2: Icarus 1002;
    icarus_game_3: Icarus 1003;
    icarus_game_4: Icarus 1004;
    icarus_game_5: Icarus 1005;
    rust_game: Rust 2001;
}

#[test]
fn verilator_games() {
    equal(Backend::Verilator, None, 300, 1);
}
