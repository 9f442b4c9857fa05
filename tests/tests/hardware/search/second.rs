//! Tests of the search deadline: the reply leaves when the time is over, measured on the waveform.
//!
//! Each device has the clock, the line and the search of a target that ships, but a deadline of 1
//! ms. `tests/tests/shipped.rs` plays the same players as the files of the targets describe them.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_sim::search::work::{Work, before, most_simulations};
use duoforge_twin::Rng;

use super::pair::Pair;

/// Replies of each device.
const ANSWERS: usize = 4;

/// Plays the beginning of a game, in which all searches need more simulations than the time
/// permits.
fn deadline_of(search: &str) {
    let parameters = PlayerParameters::default();
    let searching: SearchConfig = search.parse().expect("it can be built");
    let settings = searching.on_clock(parameters.clock_hz);
    let deadline = u64::from(settings.cycles);
    assert_eq!(deadline, 50_000);
    let mut pair = Pair::open(&parameters, &settings);
    let mut judged = 0;
    pair.game(&mut Rng::new(17), ANSWERS, |pair, answer| {
        let decision = pair.twin.decision().expect("a request");
        let work = Work::within(deadline, &settings, &decision.position);
        assert!(work.solved.is_none(), "the search has enough to do");
        let bound = before(decision) + work.ending();
        let (delay, simulations) = (answer.delay.expect("an answer"), pair.simulations());
        println!("{search}: {simulations} simulations, {delay} cycles of {deadline} + {bound}");
        assert!((deadline..=deadline + bound).contains(&delay), "{delay}");
        assert!((50..most_simulations(deadline)).contains(&simulations));
        judged += 1;
    });
    assert_eq!(judged, ANSWERS);
    let status = pair.board.status().expect("it runs");
    assert_eq!(status.flags, 0, "the deadline is far away");
}

#[test]
fn one_lane() {
    deadline_of("lanes=1,nodes=127,children=32,expand_threshold=240,ms=1");
}

#[test]
fn two_lanes() {
    deadline_of("lanes=2,nodes=255,children=32,expand_threshold=240,ms=1");
}

#[test]
fn four_lanes() {
    deadline_of("lanes=4,nodes=511,children=32,expand_threshold=240,ms=1");
}
