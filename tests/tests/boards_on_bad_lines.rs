//! Games of the emitted player over a bad serial line. The line ends in a pseudo-terminal that the
//! referee opens as a serial device at 115200 baud.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_links::{PtyLink, SerialLink, Stop, serve};
use duoforge_players::software;
use duoforge_protocol::{REPLY_LIMIT, StartCell};
use duoforge_referee::{Ending, Game, Player, Referee, RefereeOptions, Seat, Setup};
use duoforge_sim::device::{SimDevice, board_parameters};
use duoforge_sim::impaired_device::{Cable, ImpairedDevice};
use duoforge_sim::{Backend, Options};

const SETUP: Setup = Setup {
    first: Seat::Two,
    start: StartCell::A,
};

fn board(parameters: &PlayerParameters) -> ImpairedDevice {
    let board = SimDevice::open(Backend::Verilator, parameters, &Options::default());
    ImpairedDevice::new(board.expect("Verilator runs"), Cable::default())
}

/// Plays a game of the impaired device against the twin. Wall-clock time limits apply.
fn game(board: &mut ImpairedDevice, limit: Duration) -> Game {
    let mut line = PtyLink::open().expect("a pseudo-terminal");
    let path = PathBuf::from(line.path());
    let over = AtomicBool::new(false);
    let over = &over;
    thread::scope(|scope| {
        scope.spawn(move || {
            let go_on = || !over.load(Ordering::Relaxed);
            while serve(&mut line, board, go_on).expect("the board runs") == Stop::HostGone {}
        });
        let link = SerialLink::open(&path.to_string_lossy()).expect("a serial device");
        let rules = RefereeOptions {
            limit,
            ..RefereeOptions::default()
        };
        let players = [Player::board(link), software::twin()];
        let game = Referee::new(players, rules).play(SETUP, &mut ());
        over.store(true, Ordering::Relaxed);
        game.expect("both checkers agree")
    })
}

/// Checks that the game equals that of two twins.
fn equal(game: &Game) {
    assert!(game.ending.is_normal(), "{}: {}", game.codes(), game.ending);
    assert!(game.unsolicited.is_empty(), "{:?}", game.unsolicited);
    let mut twins = Referee::new(
        [software::twin(), software::twin()],
        RefereeOptions::default(),
    );
    let twin = twins.play(SETUP, &mut ()).expect("both checkers agree");
    assert_eq!(game.codes(), twin.codes());
}

#[test]
fn games_over_bad_lines_are_those_over_good_ones() {
    let mut board = board(&board_parameters());
    let bad = [
        Cable::default(),
        Cable {
            speed: 1.03,
            ..Cable::default()
        },
        Cable {
            speed: 0.97,
            ..Cable::default()
        },
        Cable {
            jitter: 0.2,
            ..Cable::default()
        },
        Cable {
            pulses: 1.0,
            ..Cable::default()
        },
        Cable {
            breaks: 0.5,
            ..Cable::default()
        },
        Cable {
            speed: 1.015,
            jitter: 0.1,
            pulses: 0.5,
            breaks: 0.2,
            seed: 7,
            ..Cable::default()
        },
    ];
    for cable in bad {
        board.set_cable(cable);
        equal(&game(&mut board, Duration::from_secs(10)));
    }
    // The breaks were on the line.
    let status = board.board().status().expect("the board runs");
    assert_eq!(status.flags & 4, 4, "no framing error was seen");
}

#[test]
fn a_line_too_fast_loses_the_game_and_nothing_else() {
    let mut board = board(&board_parameters());
    board.set_cable(Cable {
        speed: 1.15,
        ..Cable::default()
    });
    let lost = game(&mut board, Duration::from_millis(500));
    assert!(!lost.ending.is_normal(), "{}", lost.ending);
    assert!(
        !matches!(lost.ending, Ending::BothPassed | Ending::AllPlaced { .. }),
        "{}",
        lost.ending
    );
    board.set_cable(Cable::default());
    equal(&game(&mut board, Duration::from_secs(10)));
}

#[test]
fn at_the_contest_s_clock_an_answer_is_complete_far_within_the_limit() {
    let mut board = board(&PlayerParameters::contest(50_000_000));
    board.set_cable(Cable {
        speed: 0.98,
        ..Cable::default()
    });
    equal(&game(&mut board, Duration::from_secs(60)));
    let delays = board.delays();
    println!(
        "{} answers, the slowest complete after {:?}",
        delays.answers, delays.slowest
    );
    assert!(delays.answers > 12);
    // Four letters take 347 us on the line.
    assert!(delays.slowest > Duration::from_micros(345), "{delays:?}");
    assert!(delays.slowest < REPLY_LIMIT / 100, "{delays:?}");
}

#[test]
fn how_what_a_host_sends_is_cut_up_changes_nothing() {
    let mut board = board(&board_parameters());
    let mut answers = |cut: usize| -> Vec<u8> {
        board.set_cable(Cable {
            jitter: 0.1,
            pulses: 0.5,
            breaks: 1.0,
            ..Cable::default()
        });
        let codes = ["0", "25", "400u0", "9", "35a9u0", "9"];
        let parts = codes.iter().flat_map(|code| code.as_bytes().chunks(cut));
        let answers = parts.map(|bytes| board.exchange(bytes).expect("the board runs"));
        answers.collect::<Vec<_>>().concat()
    };
    let whole = answers(usize::MAX);
    // Reply to the handshake and three moves.
    assert_eq!(whole.len(), 3 + 3 * 4, "{}", whole.escape_ascii());
    for cut in 1..4 {
        assert_eq!(
            answers(cut).escape_ascii().to_string(),
            whole.escape_ascii().to_string()
        );
    }
}
