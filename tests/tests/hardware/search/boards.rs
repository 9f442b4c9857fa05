//! Tests that search players match their twins and accept a reset at any time.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::uart::LineWave;
use duoforge_twin::Rng;

use super::pair::{Pair, reply};
use super::settings;
use crate::support::share::share;

/// Cycles from the end of a search to the reply's start bit in which a placement is written.
const WRITING: u64 = 19;

/// Opens a device whose reply deadline never ends a search.
fn open() -> Pair {
    let parameters = PlayerParameters {
        deadline_cycles: u32::MAX,
        reply_limit_cycles: u32::MAX,
        ..PlayerParameters::contest(1_843_200)
    };
    Pair::open(&parameters, &settings(2, 60))
}

#[test]
fn boards_that_search_play_whole_games_like_their_twins() {
    let mut pair = open();
    let mut rng = Rng::new(3);
    for _ in 0..share(3) {
        let mut simulations = Vec::new();
        pair.game(&mut rng, usize::MAX, |pair, answer| {
            let status = pair.board.status().expect("it runs");
            let delay = answer.delay.expect("a reply");
            let written = if answer.bytes == b"0000" { 0 } else { WRITING };
            assert_eq!(u64::from(status.think_cycles) + written, delay);
            simulations.push(pair.simulations());
        });
        assert!(simulations.contains(&60) && simulations.contains(&0));
    }
}

#[test]
fn a_board_that_searches_can_be_reset_at_any_time() {
    let mut pair = open();
    // Reset at power-up, as while a clock is not stable yet.
    pair.board.reset().expect("it runs");
    pair.exchange(b"0");
    pair.exchange(b"25");
    let mut rng = Rng::new(6);
    for cycles in [100, 1_000, 3_000] {
        let request = reply(pair.twin.board(), &mut rng);
        let mut wave = LineWave::new(pair.board.divisor() as f64);
        wave.bytes(&request);
        pair.board.play(&wave).expect("it runs");
        pair.board.simulator().step(cycles).expect("it runs");
        pair.board.reset().expect("it runs");
        pair.board.drain().expect("it runs");
        // A reset lasts until the playouts in flight have finished.
        pair.board.simulator().step(1_500).expect("it runs");
        // The device has dropped the game, and plays the next one normally.
        let answer = pair.board.exchange(&request).expect("it runs");
        assert_eq!(answer.bytes, b"0000", "after {cycles} cycles");
        pair.exchange(b"0");
        pair.exchange(b"25");
    }
}
