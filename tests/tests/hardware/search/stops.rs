//! Tests of the events that end a search before its own deadline: the reply deadline, a
//! newer host code, a reset. All devices have the same search, which ends when the root is solved
//! or when the counter of simulations is full.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_hdl::search::settings::SIMULATIONS;
use duoforge_rules::{DuoBoard, Variant};
use duoforge_sim::search::work::{Work, before};
use duoforge_sim::uart::LineWave;
use duoforge_twin::Rng;

use super::pair::Pair;

/// Cycles after which the reply deadline ends a search.
const DEADLINE: u64 = 40_000;

/// Flag of a decision that the reply deadline ended.
const CUT_SHORT: u8 = 16;

/// Flag of a superseded prompt.
const SUPERSEDED: u8 = 32;

fn settings() -> ClockedSearchConfig {
    super::settings(1, SIMULATIONS)
}

fn open() -> Pair {
    let parameters = PlayerParameters {
        deadline_cycles: DEADLINE as u32,
        ..PlayerParameters::contest(1_843_200)
    };
    Pair::open(&parameters, &settings())
}

/// Expected end of a search, judged by the twin and the reply delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The twin needs more simulations than fit, so the reply deadline must end the search.
    Cut,
    /// The reply left early, so the search must have solved the root.
    Whole,
    /// Both ends are possible, or there was no choice.
    Open,
}

/// Searches are cut short where the twin needs more simulations than fit, and not before the
/// deadline. A reply that leaves earlier is complete, even if the previous one was cut short.
#[test]
fn the_deadline_ends_a_search_and_no_later_one() {
    let mut pair = open();
    let mut rng = Rng::new(21);
    let mut kinds = Vec::new();
    for _ in 0..2 {
        kinds.push(Kind::Open);
        pair.game(&mut rng, usize::MAX, |pair, answer| {
            let decision = pair.twin.decision().expect("a request");
            let work = Work::within(DEADLINE, &settings(), &decision.position);
            let (before, ending) = (before(decision), work.ending());
            let (delay, simulations) = (answer.delay.expect("an answer"), pair.simulations());
            assert!(delay <= DEADLINE + before + ending, "{delay} cycles");
            // The device receives a byte half a bit before the end of its stop bit.
            let early = delay + pair.board.divisor() < DEADLINE;
            let choice = decision.position.count_legal() > 1;
            let kind = match work.solved {
                _ if !choice => Kind::Open,
                None => Kind::Cut,
                Some(_) if early => Kind::Whole,
                Some(_) => Kind::Open,
            };
            let flags = pair.board.status().expect("it runs").flags;
            println!("{kind:?}: {simulations} simulations, {delay} cycles, {ending} at the end");
            match kind {
                Kind::Cut => {
                    assert!(!early, "{delay} cycles");
                    assert_eq!(flags, CUT_SHORT);
                }
                Kind::Whole => assert_eq!(Some(simulations), work.solved),
                Kind::Open => {}
            }
            kinds.push(kind);
        });
    }
    let count = |kind| kinds.iter().filter(|&&it| it == kind).count();
    assert!(count(Kind::Cut) > 5 && count(Kind::Whole) > 0, "{kinds:?}");
    let judged = kinds.iter().filter(|&&kind| kind != Kind::Open);
    let judged: Vec<_> = judged.collect();
    assert!(
        judged
            .windows(2)
            .any(|two| two == [&Kind::Cut, &Kind::Whole]),
        "a whole answer follows a cut one: {kinds:?}"
    );
}

/// A newer code arrives while the device thinks. Its reply leaves as soon as the simulation in
/// flight has finished, long before the reply deadline.
#[test]
fn a_newer_code_ends_a_search() {
    let mut pair = open();
    let soon = ending();
    for cycles in [0, 1_000, 9_000] {
        pair.exchange(b"0");
        let mut wave = LineWave::new(pair.board.divisor() as f64);
        wave.bytes(b"25")
            .level_for(true, f64::from(cycles))
            .bytes(b"0");
        let answer = pair.board.answer_to(&wave).expect("it runs");
        for byte in *b"250" {
            pair.twin.set_simulations(0);
            pair.twin.receive(byte);
        }
        assert_eq!(answer.bytes, b"1DF");
        let status = pair.board.status().expect("it runs");
        assert!(!status.playing && status.simulations < 100, "{status:?}");
        let delay = answer.delay.expect("an answer");
        assert!(
            delay <= soon,
            "{delay} cycles after {cycles}, at most {soon}"
        );
        // If the code needs no reply, the device becomes idle.
        pair.exchange(b"0");
        let mut wave = LineWave::new(pair.board.divisor() as f64);
        wave.bytes(b"25")
            .level_for(true, f64::from(cycles))
            .bytes(b"9");
        pair.board.play(&wave).expect("it runs");
        pair.board.simulator().step(soon).expect("it runs");
        let status = pair.board.status().expect("it runs");
        assert_eq!((status.playing, status.flags), (false, SUPERSEDED));
    }
}

/// A reset also ends a search: soon afterwards the device replies to `0`.
#[test]
fn a_reset_ends_a_search() {
    let mut pair = open();
    let soon = ending();
    for cycles in [500, 3_000, 9_000] {
        pair.exchange(b"0");
        let mut wave = LineWave::new(pair.board.divisor() as f64);
        wave.bytes(b"25");
        pair.board.play(&wave).expect("it runs");
        pair.board.simulator().step(cycles).expect("it runs");
        pair.board.reset().expect("it runs");
        pair.board.simulator().step(soon).expect("it runs");
        let answer = pair.exchange(b"0");
        assert!(answer.delay.expect("an answer") < 100, "after {cycles}");
    }
}

/// Returns the maximum cycles from the stop signal to the end of a search of the initial position.
fn ending() -> u64 {
    let empty = DuoBoard::new(&Variant::ENDLESS_DUO);
    Work::within(DEADLINE, &settings(), &empty).ending()
}
