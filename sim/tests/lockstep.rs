//! The emitted player against its twin, in complete games.

use duoforge_sim::{Backend, campaign::Campaign};

fn equal(backend: Backend, games: u64, seed: u64) {
    let campaign = Campaign::new(backend, games, seed);
    let report = campaign.run(|_| {}).expect("the simulator runs");
    let failed: Vec<_> = report
        .games
        .iter()
        .filter_map(|game| game.mismatch.as_ref().map(|m| (game.seed, m.to_string())))
        .collect();
    println!(
        "{backend}: {} games, {} plies, {} legal sets, {} clocks, {:.0} clocks/s, longest delay {} clocks",
        report.games.len(),
        report.plies(),
        report.legal_sets(),
        report.clocks,
        report.clocks_per_second(),
        report.longest_delay()
    );
    assert!(failed.is_empty(), "{failed:?}");
    assert!(report.plies() > 10 * games);
}

#[test]
fn verilator_equals_the_twin() {
    equal(Backend::Verilator, 300, 1);
}

#[test]
fn icarus_equals_the_twin() {
    equal(Backend::Icarus, 5, 1001);
}

#[test]
fn rust_hdl_equals_the_twin() {
    equal(Backend::Rust, 1, 2001);
}
