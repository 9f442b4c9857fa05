//! Complete games against the twin: every legal set, score, move and cycle count.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, Lockstep};
use duoforge_sim::device::SimDevice;
use duoforge_sim::gates::Technology;

use super::{open, parameters};
use crate::support::share::{all, share};

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

/// Compares the replies to a handshake and to the first two prompts of a game.
pub fn positions(board: &mut SimDevice, parameters: &PlayerParameters) {
    let mut pair = Lockstep::new(board, parameters);
    for (ply, request) in [&b"0"[..], b"2A", b"453e0"].into_iter().enumerate() {
        super::equal(&pair.ask(ply, request).expect("it runs"));
    }
}

/// Games in Verilator and in Icarus; the test command plays a share of them.
const VERILATOR_GAMES: u64 = 300;
const ICARUS_GAMES: u64 = 5;

#[test]
fn verilator_games() {
    equal(Backend::Verilator, None, share(VERILATOR_GAMES), 1);
}

#[test]
fn icarus_games() {
    equal(Backend::Icarus, None, share(ICARUS_GAMES), 1001);
}

/// A game in rust-hdl's simulator takes a minute, so the test command only compares positions.
#[test]
fn rust_game() {
    if all() {
        equal(Backend::Rust, None, 1, 2001);
    } else {
        let parameters = parameters();
        positions(&mut open(Backend::Rust, &parameters), &parameters);
    }
}
