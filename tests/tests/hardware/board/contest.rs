//! Tests with the contest's parameters: 115200 baud at a clock of 50 MHz.

use std::time::Duration;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::uart::LineWave;

use super::{equal, open};

/// Plays complete games, also with hosts whose bit rate is off by 3 %.
#[test]
fn games_at_115200_baud() {
    let parameters = PlayerParameters::default();
    assert_eq!(parameters.divisor(), 434);
    let mut board = open(Backend::Verilator, &parameters);
    for (seed, speed) in [(4001, 0.97), (4002, 1.0), (4003, 1.03)] {
        let mut pair = Lockstep::new(&mut board, &parameters);
        // The host's bit is not an integer number of the device's cycles.
        let bit = f64::from(parameters.clock_hz) / f64::from(parameters.baud) / speed;
        pair.shape = Box::new(move |bytes| {
            let mut wave = LineWave::new(bit);
            wave.bytes(bytes);
            wave
        });
        let report = pair.play(seed).expect("it runs");
        assert!(report.mismatch.is_none(), "{}", report.mismatch.unwrap());
        let delay = Duration::from_nanos(20 * report.longest_delay);
        println!("host at {speed}: answers leave after {delay:?} at most");
        assert!(delay < Duration::from_millis(1));
    }
}

/// The device keeps a partial code for 100 ms.
#[test]
fn a_code_may_pause_for_less_than_100_ms() {
    let parameters = PlayerParameters::default();
    let mut board = open(Backend::Verilator, &parameters);
    for (pause, remembered) in [(98, true), (102, false)] {
        let mut pair = Lockstep::new(&mut board, &parameters);
        equal(&pair.ask(0, b"0").expect("it runs"));
        equal(&pair.ask(0, b"2A").expect("it runs"));
        assert_eq!(pair.board.exchange(b"453e").expect("it runs").bytes, b"");
        pair.board
            .idle(Duration::from_millis(pause))
            .expect("it runs");
        for byte in *b"453e" {
            assert_eq!(pair.twin.receive(byte), None);
        }
        if !remembered {
            pair.twin.on_silence();
        }
        // This byte completes the move or is a `0`.
        equal(&pair.ask(1, b"0").expect("it runs"));
    }
}
