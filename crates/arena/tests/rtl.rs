//! The hardware's board, as Verilog in Verilator, in refereed games.
#![cfg(unix)]

mod common;

use std::thread;
use std::time::Duration;

use common::{check_log, rules, wire};
use duoforge_arena::{
    Ending, Engine, Game, MoverBoard, Player, Referee, Rules, Seat, Served, Setup,
    board_parameters, serve,
};
use duoforge_protocol::link::{PtyLink, SerialLink};
use duoforge_protocol::{StartCell, TeamCode};
use duoforge_sim::board::SimBoard;
use duoforge_sim::{Backend, Options};

/// The board on a pseudo-terminal, opened as a serial device at 115200 baud.
fn rtl() -> Player {
    let board = SimBoard::open(Backend::Verilator, &board_parameters(), &Options::default());
    served(board.unwrap())
}

fn engine() -> Player {
    let team = TeamCode::new(*b"EN").unwrap();
    served(MoverBoard::new(Engine::default(), team))
}

fn served(mut board: impl Served + 'static) -> Player {
    let mut link = PtyLink::open().unwrap();
    let path = link.path().to_str().unwrap().to_owned();
    thread::spawn(move || serve(&mut link, &mut board, || true).unwrap());
    Player::board(SerialLink::open(&path).unwrap())
}

/// Both orders and both start cells, one game after the other on the same lines.
fn four_games(players: [Player; 2]) -> Vec<Game> {
    let setups = Seat::BOTH.into_iter().flat_map(|first| {
        let starts = [StartCell::Five, StartCell::A];
        starts.map(|start| Setup { first, start })
    });
    // The wall clock is the judge here, and this machine simulates beside other tests.
    let mut referee = Referee::new(players, rules(10_000));
    let games = referee.series(setups, &mut ()).unwrap();
    assert_eq!(games.len(), 4);
    for game in &games {
        check_log(game);
        assert!(game.ending.is_normal(), "{}", game.ending);
        assert!(game.strays.is_empty(), "{:?}", game.strays);
    }
    games
}

/// The software player has the board's policy, so that each game is the one that two software
/// players play.
fn equal_to_software(games: &[Game]) {
    let mut software = Referee::new([Player::engine(), Player::engine()], Rules::default());
    for game in games {
        let expected = software.play(game.setup, &mut ()).unwrap();
        assert_eq!(game.codes(), expected.codes());
        assert_eq!(game.score, expected.score);
    }
}

#[test]
fn board_against_board_over_serial_lines() {
    equal_to_software(&four_games([rtl(), rtl()]));
}

#[test]
fn board_against_software_over_serial_lines() {
    equal_to_software(&four_games([rtl(), engine()]));
    equal_to_software(&four_games([engine(), rtl()]));
}

/// A simulated board is judged by its own time, and the log shows both clocks.
#[test]
fn simulated_time_is_what_counts_for_a_simulated_board() {
    let simulated = || Player::simulated(Backend::Verilator).unwrap();
    let mut referee = Referee::new([simulated(), Player::random(3)], Rules::default());
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(game.ending.is_normal(), "{}", game.ending);
    for ply in &game.plies {
        assert_eq!(ply.time.simulated.is_some(), ply.seat == Seat::One);
    }
    // Four bytes take 347 µs at 115200 baud, and nothing takes a board as long as a fifth of a
    // second.
    let slowest = game.slowest(Seat::One).unwrap();
    let judged = slowest.judged();
    assert_eq!(slowest.simulated, Some(judged));
    assert!(judged > Duration::from_micros(347) && judged < Duration::from_millis(200));
    let both_clocks = game
        .wire
        .iter()
        .filter(|entry| entry.line == "1" && entry.bytes().is_some());
    assert!(both_clocks.clone().count() > 0);
    assert!(
        both_clocks
            .into_iter()
            .all(|entry| entry.simulated.is_some())
    );

    // A limit that is too short for four bytes, but not for the three of the handshake.
    let short = Rules {
        limit: Duration::from_micros(300),
        ..Rules::default()
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
    assert!(wire(&game, Seat::One).contains(&"> 25".to_owned()));
}
