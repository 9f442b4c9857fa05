//! Tests of the reset input, held for one cycle and longer, at every moment of a prompt.

use duoforge_protocol::TeamCode;
use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::device::SimDevice;
use duoforge_twin::Twin;

use super::{equal, open, parameters};

/// Cycles for which the reset input is held.
const HELD: [u64; 3] = [1, 3, 40];

/// Sends bytes, waits, asserts the reset, and returns the bytes that the device sends until it is
/// idle.
fn interrupt(board: &mut SimDevice, bytes: &[u8], after: u64, held: u64) -> Vec<u8> {
    let mut wave = duoforge_sim::uart::LineWave::new(board.divisor() as f64);
    wave.bytes(bytes);
    board.play(&wave).expect("it runs");
    let sim = board.simulator();
    let reset = sim.port("reset").expect("the button");
    sim.step(after).expect("it runs");
    sim.poke(reset, 1).expect("it runs");
    sim.step(held).expect("it runs");
    sim.poke(reset, 0).expect("it runs");
    let received = board.drain().expect("it runs");
    board.trace().expect("it runs");
    assert!(received.iter().all(|byte| byte.framed));
    received.iter().map(|byte| byte.byte).collect()
}

/// At most the beginning of the reply leaves; then the device is in its power-up state.
#[test]
fn while_thinking_writing_and_sending() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let team = TeamCode::new(parameters.team).expect("two letters");
    let mut cut = [0; 5];
    for held in HELD {
        for after in (0..2400).step_by(29).chain(300..340) {
            let mut twin = Twin::new(team, parameters.policy.clone()).with_build(parameters.build);
            let mut pair = Lockstep::new(&mut board, &parameters);
            equal(&pair.ask(0, b"25").expect("it runs"));
            let answers = b"254a8e0".map(|byte| twin.receive(byte));
            let answer = answers[6].as_ref().expect("an answer");
            let sent = interrupt(&mut board, b"4a8e0", after, held);
            assert!(
                answer.as_bytes().starts_with(&sent),
                "{sent:?} after {after}"
            );
            cut[sent.len()] += 1;
            let status = board.status().expect("it runs");
            assert!(!status.playing && status.flags == 0, "{status:?}");
            let mut pair = Lockstep::new(&mut board, &parameters);
            for request in [&b"40000"[..], b"3553e0", b"4a8e0", b"0"] {
                let checked = pair.ask(after as usize, request).expect("it runs");
                assert_eq!(checked.mismatch, None, "{held} cycles after {after}");
            }
        }
    }
    assert!(cut.iter().all(|&count| count > 0), "answers cut at {cut:?}");
}

/// Same test in Icarus, where a zero-length pulse could cause an endless loop.
#[test]
fn in_icarus() {
    let parameters = parameters();
    let mut board = open(Backend::Icarus, &parameters);
    for held in HELD {
        assert_eq!(interrupt(&mut board, b"25", 300, held), b"");
        let mut pair = Lockstep::new(&mut board, &parameters);
        equal(&pair.ask(0, b"40000").expect("it runs"));
        equal(&pair.ask(0, b"2A").expect("it runs"));
    }
}

/// The device drops a partial code and clears earlier fault flags.
#[test]
fn inside_a_code() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    for held in HELD {
        for code in [&b"x2"[..], b"x3", b"x3A", b"x3A1", b"x4", b"x453e"] {
            assert_eq!(interrupt(&mut board, code, 8, held), b"");
            assert_eq!(board.status().expect("it runs").flags, 0);
            let mut pair = Lockstep::new(&mut board, &parameters);
            for request in [&b"0"[..], b"2A", b"453e0", b"0"] {
                equal(&pair.ask(0, request).expect("it runs"));
            }
        }
    }
}

/// The device ignores all bytes while the reset is held.
#[test]
fn while_held() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let sim = board.simulator();
    let reset = sim.port("reset").expect("the button");
    sim.poke(reset, 1).expect("it runs");
    assert_eq!(board.exchange(b"0").expect("it runs").bytes, b"");
    assert_eq!(board.exchange(b"25").expect("it runs").bytes, b"");
    board.simulator().poke(reset, 0).expect("it runs");
    board.trace().expect("it runs");
    let mut pair = Lockstep::new(&mut board, &parameters);
    equal(&pair.ask(0, b"40000").expect("it runs"));
    equal(&pair.ask(0, b"25").expect("it runs"));
}
