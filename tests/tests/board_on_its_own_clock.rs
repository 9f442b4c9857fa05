//! Hardware player as Verilog in Verilator, timed in simulated time. Other tests of this package
//! run it over serial lines.
#![cfg(unix)]

use std::time::Duration;

use duoforge_players::software;
use duoforge_referee::{Ending, Player, Referee, RefereeOptions, Seat, Setup};
use duoforge_sim::device::DeviceSpec;

/// A simulated device is timed in simulated time, and the log shows both times.
#[test]
fn simulated_time_is_what_counts_for_a_simulated_board() {
    let spec: DeviceSpec = "sim:verilator".parse().unwrap();
    let simulated = || Player::inside(spec.power_up().unwrap());
    let mut referee = Referee::new(
        [simulated(), software::random(3)],
        RefereeOptions::default(),
    );
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(game.ending.is_normal(), "{}", game.ending);
    for ply in &game.plies {
        assert_eq!(ply.time.simulated.is_some(), ply.seat == Seat::One);
    }
    // Four bytes take 347 µs at 115200 baud, and no reply takes as long as 0.2 s.
    let slowest = game.slowest(Seat::One).unwrap();
    let judged = slowest.judged();
    assert_eq!(slowest.simulated, Some(judged));
    assert!(judged > Duration::from_micros(347) && judged < Duration::from_millis(200));
    let both_cycles = game
        .wire
        .iter()
        .filter(|entry| entry.line == "1" && entry.bytes().is_some());
    assert!(both_cycles.clone().count() > 0);
    assert!(
        both_cycles
            .into_iter()
            .all(|entry| entry.simulated.is_some())
    );

    // The limit is too short for four bytes, but not for the three bytes of the handshake.
    let short = RefereeOptions {
        limit: Duration::from_micros(300),
        ..RefereeOptions::default()
    };
    let mut referee = Referee::new([simulated(), simulated()], short);
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(
        matches!(
            game.ending,
            Ending::Timeout {
                seat: Seat::One,
                ..
            }
        ),
        "{}",
        game.ending
    );
    let mut lines = game.wire.iter().map(ToString::to_string);
    assert!(lines.any(|line| line.ends_with(" 1 > 25")));
}
