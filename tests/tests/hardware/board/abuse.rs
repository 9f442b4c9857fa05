//! Tests with an impaired link: wrong bit rate, noise, framing errors, breaks.

use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::uart::LineWave;
use duoforge_twin::Rng;

use super::{TIMEOUT, equal, open, parameters};
use crate::support::levels::between;

/// Flag of a framing error.
const FRAMING: u8 = 4;

/// Plays complete games over a line of this shape.
fn games(seeds: std::ops::Range<u64>, mut shape: impl FnMut(&[u8], f64) -> LineWave + 'static) {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let divisor = board.divisor() as f64;
    let mut pair = Lockstep::new(&mut board, &parameters);
    pair.shape = Box::new(move |bytes| shape(bytes, divisor));
    for seed in seeds {
        let report = pair.play(seed).expect("the simulator runs");
        if let Some(mismatch) = report.mismatch {
            panic!("seed {seed}: {mismatch}");
        }
        assert!(report.plies > 10);
    }
}

#[test]
fn games_of_a_host_three_percent_slow() {
    games(3001..3006, |bytes, divisor| {
        let mut wave = LineWave::new(divisor * 1.03);
        wave.bytes(bytes);
        wave
    });
}

#[test]
fn games_of_a_host_three_percent_fast() {
    games(3001..3006, |bytes, divisor| {
        let mut wave = LineWave::new(divisor * 0.97);
        wave.bytes(bytes);
        wave
    });
}

/// Edges with jitter, a pulse of one cycle in every byte before the centre of its stop bit, and a
/// glitch before each prompt.
#[test]
fn games_over_a_noisy_line() {
    let mut rng = Rng::new(11);
    games(3101..3106, move |bytes, divisor| {
        let mut wave = LineWave::new(divisor);
        wave.jitter(0.6, rng.next_u32().into());
        wave.idle(1.0).glitch(between(&mut rng, 1.0, 1.8));
        let first = wave.cycles() as f64;
        wave.bytes(bytes).idle(1.0);
        for number in 0..bytes.len() {
            let from = first + 10.0 * divisor * number as f64;
            let at = between(&mut rng, from + 2.0, from + 9.3 * divisor);
            wave.disturb(at.floor(), 1.0);
        }
        wave
    });
}

/// Breaks the line at every position of a code: the partial code is dropped and a flag is set. The
/// device replies to a `0` directly after the break, and to a whole game after that.
#[test]
fn framing_errors_and_breaks_inside_codes() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let divisor = board.divisor() as f64;
    let mut pair = Lockstep::new(&mut board, &parameters);
    let codes: [&[u8]; 4] = [b"0", b"2A", b"3553e0", b"4a8e0"];
    for (number, code) in codes.into_iter().enumerate() {
        for broken in 0..code.len() {
            for bits in [0.0, 9.7, 11.0, 57.3, 1000.0] {
                let mut wave = LineWave::new(divisor);
                wave.bytes(&code[..broken]);
                match bits {
                    0.0 => wave.bad_frame(code[broken]),
                    bits => wave.line_break(bits),
                };
                let lose = |pair: &mut Lockstep<'_>| {
                    for &byte in &code[..broken] {
                        assert_eq!(pair.twin.receive(byte), None);
                    }
                    pair.twin.framing_error();
                };
                lose(&mut pair);
                pair.line_flags = FRAMING;
                equal(&pair.ask_by(broken, b"", &wave).expect("it runs"));
                // By now the silence has made the device drop the code; the second time, only the
                // error does.
                lose(&mut pair);
                pair.line_flags = 0;
                wave.byte(b'0');
                equal(&pair.ask_by(broken, b"0", &wave).expect("it runs"));
            }
        }
        equal(&pair.ask(number, b"25").expect("it runs"));
        equal(&pair.ask(number, b"4a8e0").expect("it runs"));
        equal(&pair.ask(number, b"0").expect("it runs"));
    }
}

/// Pulses that are too short for a start bit are not bytes.
#[test]
fn glitches_alone_are_nothing() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let divisor = board.divisor() as f64;
    let mut pair = Lockstep::new(&mut board, &parameters);
    let mut rng = Rng::new(12);
    equal(&pair.ask(0, b"2A").expect("it runs"));
    for ply in 0..20 {
        let mut wave = LineWave::new(divisor);
        for _ in 0..50 {
            wave.glitch(between(&mut rng, 0.6, 3.0));
            wave.idle(between(&mut rng, 0.0, 2.0));
        }
        equal(&pair.ask_by(ply, b"", &wave).expect("it runs"));
        equal(&pair.ask(ply, b"40000").expect("it runs"));
    }
}

/// The inter-byte timeout counts the silence between pulses that are shorter than a start bit.
#[test]
fn glitches_do_not_prolong_a_pause() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let divisor = board.divisor() as f64;
    let mut pair = Lockstep::new(&mut board, &parameters);
    let mut rng = Rng::new(13);
    for number in 0..20 {
        equal(&pair.ask(number, b"2A").expect("it runs"));
        let mut wave = LineWave::new(divisor);
        wave.bytes(b"4a8");
        let begin = wave.cycles();
        let mut pulses = 0;
        while wave.cycles() - begin < u64::from(TIMEOUT) + pulses * divisor as u64 {
            wave.idle(between(&mut rng, 1.0, 5.0));
            wave.glitch(between(&mut rng, 1.0, 3.0));
            pulses += 1;
        }
        wave.idle(1.0).bytes(b"0");
        equal(&pair.ask_by(number, b"0", &wave).expect("it runs"));
    }
}
