//! Devices that break the rules of the game or of the protocol, over real pseudo-terminals. Each
//! gets its typed ending, and the log is kept.
#![cfg(unix)]

mod common;

use std::time::{Duration, Instant};

use common::{DeviceAction, EXAMPLE, actions, board, check_log, rules, say, wire};
use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_players::software;
use duoforge_protocol::{ReplyError, ReplyKind};
use duoforge_referee::{
    BrokenCode, Ending, Fault, Game, LateReply, LinkLoss, Outcome, Player, Referee, RefereeError,
    Seat, Seats, Setup,
};
use duoforge_rules::{Cell, CodeError, IllegalMove, Tile};

const LIMIT: u64 = 600;

/// Plays the contest's example; the device in `seat` performs `action` instead of its move
/// `number` (from 0). The limit is long, except for actions that exceed it.
fn game(seat: Seat, number: usize, action: DeviceAction) -> Game {
    let limit = match action {
        DeviceAction::Say(_) | DeviceAction::Vanish(_) => 5000,
        _ => LIMIT,
    };
    let mut actions = [actions("1AA", &EXAMPLE[0]), actions("1BB", &EXAMPLE[1])];
    actions[seat as usize][number + 1] = action;
    let game = Referee::new(actions.map(board), rules(limit))
        .play(Setup::default(), &mut ())
        .unwrap();
    check_log(&game);
    game
}

fn loses(game: &Game, seat: Seat, moves: usize) {
    assert_eq!(game.ending.loser(), Some(seat), "{}", game.ending);
    assert_eq!(game.outcome, Outcome::Win(seat.other()));
    assert_eq!(game.plies.len(), moves, "{}", game.codes());
    assert!(game.ending.is_violation());
}

#[test]
fn every_kind_of_illegal_move_loses_with_its_reason() {
    let tile = Tile::from_letter(b'e').unwrap();
    let cell = Cell::new;
    let cases = [
        (Seat::One, 1, "53e0", IllegalMove::TileUsed { tile }),
        (Seat::One, 1, "11u0", IllegalMove::OffBoard),
        (Seat::One, 1, "eeu0", IllegalMove::OffBoard),
        (
            Seat::One,
            1,
            "52a0",
            IllegalMove::Occupied { cell: cell(4, 1) },
        ),
        (
            Seat::One,
            1,
            "a7a0",
            IllegalMove::Occupied { cell: cell(9, 6) },
        ),
        (
            Seat::One,
            1,
            "51a0",
            IllegalMove::EdgeContact { cell: cell(4, 0) },
        ),
        (Seat::One, 1, "eea0", IllegalMove::NoCornerContact),
        (
            Seat::One,
            0,
            "aaa0",
            IllegalMove::StartCellMissed { start: cell(4, 4) },
        ),
        (
            Seat::Two,
            0,
            "11a0",
            IllegalMove::StartCellMissed { start: cell(9, 9) },
        ),
        (Seat::One, 0, "0000", IllegalMove::PassOnFirstTurn),
        (Seat::Two, 0, "0000", IllegalMove::PassOnFirstTurn),
    ];
    for (seat, number, code, reason) in cases {
        let game = game(seat, number, say(code));
        let expected = Ending::Illegal {
            seat,
            code: code.as_bytes().try_into().unwrap(),
            reason,
        };
        assert_eq!(game.ending, expected);
        loses(&game, seat, number * 2 + seat as usize);
    }
}

#[test]
fn broken_codes_lose_with_what_is_wrong() {
    let code = |text: &str, error| BrokenCode::Code {
        code: text.as_bytes().try_into().unwrap(),
        error,
    };
    let byte = |byte, position| BrokenCode::Reply(ReplyError::NotPrintable { byte, position });
    let space = |position| BrokenCode::Reply(ReplyError::Space { position });
    let cases: [(&[u8], BrokenCode); 9] = [
        (b"21 k7", space(2)),
        (b" 21k7", space(0)),
        (b"21K7", code("21K7", CodeError::Tile(b'K'))),
        (b"A1k7", code("A1k7", CodeError::Column(b'A'))),
        (b"2zk7", code("2zk7", CodeError::Row(b'z'))),
        (b"21k8", code("21k8", CodeError::Rotation(b'8'))),
        (b"0001", code("0001", CodeError::Column(b'0'))),
        (b"\x0021k7", byte(0, 0)),
        (b"21\xeb7", byte(0xeb, 2)),
    ];
    for (bytes, reason) in cases {
        let game = game(Seat::One, 1, say(bytes));
        let seat = Seat::One;
        assert_eq!(game.ending, Ending::BrokenCode { seat, reason });
        loses(&game, seat, 2);
    }
}

fn late(received: &[u8]) -> LateReply {
    LateReply {
        received: received.to_vec(),
        after: None,
        limit: Duration::from_millis(LIMIT),
    }
}

#[test]
fn silence_is_a_timeout() {
    for seat in Seat::BOTH {
        let game = game(seat, 1, DeviceAction::Silence);
        assert_eq!(
            game.ending,
            Ending::Timeout {
                seat,
                late: late(b"")
            }
        );
        loses(&game, seat, 2 + seat as usize);
    }
}

#[test]
fn an_unfinished_answer_is_a_timeout_with_what_came() {
    let game = game(
        Seat::Two,
        1,
        DeviceAction::Trickle(Duration::ZERO, b"94j".to_vec()),
    );
    let seat = Seat::Two;
    assert_eq!(
        game.ending,
        Ending::Timeout {
            seat,
            late: late(b"94j")
        }
    );
}

#[test]
fn an_answer_that_trickles_too_slowly_is_a_timeout() {
    let pause = Duration::from_millis(LIMIT * 2 / 3);
    let game = game(Seat::One, 1, DeviceAction::Trickle(pause, b"21k7".to_vec()));
    let Ending::Timeout { late, .. } = &game.ending else {
        panic!("{}", game.ending);
    };
    assert!(late.received.len() < 4, "{late:?}");
    loses(&game, Seat::One, 2);
}

/// A late reply does not disturb the next game on the same link.
#[test]
fn a_late_answer_is_a_timeout_and_is_discarded() {
    let mut one = actions("1AA", &EXAMPLE[0]);
    one[2] = DeviceAction::After(Duration::from_millis(LIMIT + 100), b"21k7".to_vec());
    one.truncate(3);
    one.extend(actions("1AA", &EXAMPLE[0]));
    let mut two = actions("1BB", &["a8e0"]);
    two.extend(actions("1BB", &EXAMPLE[1]));
    let rules = duoforge_referee::RefereeOptions {
        pause: Duration::from_millis(1500),
        ..rules(LIMIT)
    };
    let mut referee = Referee::new([board(one), board(two)], rules);
    let games = referee.series(vec![Setup::default(); 2], &mut ()).unwrap();
    let seat = Seat::One;
    assert_eq!(
        games[0].ending,
        Ending::Timeout {
            seat,
            late: late(b"")
        }
    );
    assert_eq!(games[0].unsolicited.len(), 1, "{:?}", games[0].unsolicited);
    assert_eq!(games[0].unsolicited[0].bytes, b"21k7");
    assert!(games[1].ending.is_normal(), "{}", games[1].ending);
    games.iter().for_each(check_log);
}

#[test]
fn a_board_that_vanishes_loses_and_ends_the_match() {
    for (seat, bytes) in [(Seat::One, &b""[..]), (Seat::Two, b"94")] {
        let mut actions = [actions("1AA", &EXAMPLE[0]), actions("1BB", &EXAMPLE[1])];
        actions[seat as usize][2] = DeviceAction::Vanish(bytes.to_vec());
        let mut referee = Referee::new(actions.map(board), rules(5000));
        let games = referee.series(vec![Setup::default(); 3], &mut ()).unwrap();
        assert_eq!(games.len(), 1);
        let reason = LinkLoss::Closed;
        assert_eq!(games[0].ending, Ending::LinkLost { seat, reason });
        loses(&games[0], seat, 2 + seat as usize);
        check_log(&games[0]);
        if !bytes.is_empty() {
            let lines = wire(&games[0], seat);
            assert!(lines.contains(&"< 94".to_owned()), "{lines:?}");
        }
    }
}

fn handshake(one: Vec<DeviceAction>, limit: u64) -> Game {
    let players = [board(one), board(actions("1BB", &EXAMPLE[1]))];
    let mut referee = Referee::new(players, rules(limit));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    check_log(&game);
    game
}

fn no_handshake(game: &Game) -> &Fault {
    let Ending::NoHandshake { faults } = &game.ending else {
        panic!("{}", game.ending);
    };
    assert_eq!(faults[Seat::Two], None);
    assert_eq!(game.outcome, Outcome::Open);
    assert!(game.plies.is_empty());
    assert_eq!(game.teams.0[1].unwrap().to_string(), "BB");
    faults[Seat::One].as_ref().unwrap()
}

#[test]
fn a_board_that_was_never_there_cannot_lose() {
    let game = handshake(vec![DeviceAction::Silence; 9], LIMIT);
    let Fault::Timeout(late) = no_handshake(&game) else {
        panic!("{}", game.ending);
    };
    assert!(late.received.is_empty());
    let tries = wire(&game, Seat::One)
        .iter()
        .filter(|line| *line == "> 0")
        .count();
    assert_eq!(tries, 3);

    let game = handshake(vec![DeviceAction::Vanish(Vec::new())], 5000);
    assert_eq!(no_handshake(&game), &Fault::Lost(LinkLoss::Closed));

    let game = handshake(vec![say("2AA"); 9], 5000);
    let error = ReplyError::MissingOne { found: b'2' };
    assert_eq!(
        no_handshake(&game),
        &Fault::Broken(BrokenCode::Reply(error))
    );
}

#[test]
fn a_second_handshake_may_succeed() {
    let mut one = vec![say("??\n"), say("??")];
    one[0] = say("1\x01A");
    one[1] = say("1AA");
    one.extend(EXAMPLE[0].iter().map(say));
    let game = handshake(one, 5000);
    assert!(game.ending.is_normal(), "{}", game.ending);
    let notes: Vec<_> = game.wire.iter().map(ToString::to_string).collect();
    assert!(
        notes.iter().any(|note| note.contains("1 ! no handshake")),
        "{notes:#?}"
    );
}

/// A reply that arrives after the limit is late, even if the wait returns it because the player's
/// program delayed the referee.
#[test]
fn the_clock_is_read_at_the_last_byte() {
    struct Sleeper;
    impl duoforge_players::Mover for Sleeper {
        fn choose(
            &mut self,
            board: &duoforge_rules::DuoBoard,
        ) -> Result<duoforge_rules::Move, duoforge_players::MoveError> {
            std::thread::sleep(Duration::from_millis(300));
            Ok(board
                .legal()
                .next()
                .map_or(duoforge_rules::Move::Pass, Into::into))
        }
    }
    let team = duoforge_protocol::TeamCode::new(*b"SL").unwrap();
    let sleeper = duoforge_players::MoverDevice::new(Sleeper, team);
    let link = duoforge_links::InProcessLink::new(sleeper, "sleeper");
    let players = [Player::inside(link), software::random(1)];
    let game = Referee::new(players, rules(200))
        .play(Setup::default(), &mut ())
        .unwrap();
    let Ending::Timeout { seat, late } = &game.ending else {
        panic!("{}", game.ending);
    };
    assert_eq!((*seat, late.received.len()), (Seat::One, 4));
    assert!(
        late.after.unwrap() >= Duration::from_millis(300),
        "{late:?}"
    );
}

/// The keywords are for programs and must not change.
#[test]
fn every_ending_has_its_word() {
    let seat = Seat::One;
    let endings = [
        (Ending::BothPassed, "both-passed"),
        (Ending::AllPlaced { seat }, "all-placed"),
        (
            Ending::Illegal {
                seat,
                code: *b"11u0",
                reason: IllegalMove::OffBoard,
            },
            "illegal",
        ),
        (
            Ending::BrokenCode {
                seat,
                reason: BrokenCode::Reply(ReplyError::Silent {
                    expect: ReplyKind::Move,
                }),
            },
            "broken-code",
        ),
        (
            Ending::Timeout {
                seat,
                late: late(b""),
            },
            "timeout",
        ),
        (
            Ending::LinkLost {
                seat,
                reason: LinkLoss::Blocked,
            },
            "link-lost",
        ),
        (
            Ending::NoHandshake {
                faults: Seats([None, Some(Fault::Lost(LinkLoss::Closed))]),
            },
            "no-handshake",
        ),
        (Ending::Resigned { seat }, "resigned"),
        (Ending::Unfinished, "unfinished"),
    ];
    for (ending, word) in endings {
        assert_eq!(ending.word(), word);
    }
}

/// A failing simulator does not lose a player's game.
#[test]
fn a_failure_of_the_simulator_is_an_error_of_the_program() {
    struct Broken;
    impl Link for Broken {
        fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
            Err(LinkError::Inside {
                name: "sim".to_owned(),
                source: "the model died".into(),
            })
        }

        fn recv<'b>(&mut self, _: &'b mut [u8], _: Instant) -> Result<Received<'b>, LinkError> {
            Err(LinkError::Timeout)
        }

        fn describe(&self) -> String {
            "sim".to_owned()
        }
    }
    let mut referee = Referee::new([Player::inside(Broken), software::random(1)], rules(LIMIT));
    let error = referee.play(Setup::default(), &mut ()).unwrap_err();
    assert!(matches!(error, RefereeError::Inside { .. }), "{error:?}");
    assert_eq!(error.to_string(), "sim: the model died");
}
