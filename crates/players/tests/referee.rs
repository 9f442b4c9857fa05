//! Regular games over real pseudo-terminals.
#![cfg(unix)]

mod common;

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use common::{DeviceAction, EXAMPLE, actions, board, check_log, rules, say, wire};
use duoforge_links::{Link, PtyLink, SerialLink, Stop, TcpAcceptor, TcpLink, serve};
use duoforge_players::{MoverDevice, PatternMover, software};
use duoforge_protocol::{HostCode, HostCodeParser, StartCell, TeamCode};
use duoforge_referee::{
    Ending, Fault, HostStall, Observer, Outcome, Player, Ply, Referee, RefereeError,
    RefereeOptions, Seat, SeatError, SeatedDevice, Seats, Setup, StalledWait, Tally,
};
use duoforge_rules::{Colour as Side, DuoBoard, IllegalMove};
use duoforge_twin::{Policy, Twin};

fn example() -> [Player; 2] {
    [
        board(actions("1AA", &EXAMPLE[0])),
        board(actions("1BB", &EXAMPLE[1])),
    ]
}

/// Table 2 of the protocol's description byte for byte, and Fig. 6. The devices here pass after the
/// example; player 2's second consecutive pass ends the game.
#[test]
fn the_contests_example_is_played_as_in_its_table_2() {
    let mut referee = Referee::new(example(), rules(1000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(game.codes(), "53e0 a8e0 21k7 94j0 61a0 71b3 0000 0000");
    assert_eq!(
        game.teams.0.map(|team| team.unwrap().to_string()),
        ["AA", "BB"]
    );
    let one = "> 0,< 1AA,> 25,< 53e0,> 4a8e0,< 21k7,> 494j0,< 61a0,> 471b3,< 0000,> 9";
    let two = "> 0,< 1BB,> 3A53e0,< a8e0,> 421k7,< 94j0,> 461a0,< 71b3,> 40000,< 0000,> 9";
    assert_eq!(wire(&game, Seat::One).join(","), one);
    assert_eq!(wire(&game, Seat::Two).join(","), two);
    let figure_6 = duoforge_rules::bitboard! {
        X X X X . X . . . . . . . .
        X . . . X . . . . . . . . .
        . . . . X . . . . . . . . .
        . . . . X . . . . . . . . .
        . . . . X . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
    };
    assert_eq!(game.board.cells(Side(0)), figure_6);
    assert_eq!(game.ending, Ending::BothPassed);
    assert_eq!(game.cells_placed, Seats([10, 11]));
    assert_eq!(game.score, Seats([-79, -78]));
    assert_eq!(game.outcome, Outcome::Win(Seat::Two));
    check_log(&game);
}

#[test]
fn answers_may_trickle_in_and_have_line_ends_in_them() {
    let slowly = Duration::from_millis(20);
    let one = vec![
        DeviceAction::Trickle(slowly, b"\n1AA\r\n".to_vec()),
        DeviceAction::Trickle(slowly, b"53e0".to_vec()),
        say("\r\n21k\n7\r\n"),
    ];
    let players = [board(one), board(actions("1BB", &["a8e0\r\n"]))];
    let mut referee = Referee::new(players, rules(2000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(game.codes(), "53e0 a8e0 21k7 0000 0000");
    assert!(game.plies[0].time.wall >= slowly * 4, "{:?}", game.plies[0]);
    assert!(game.unsolicited.is_empty(), "{:?}", game.unsolicited);
    check_log(&game);
}

/// From the third move on, a pass is accepted although a placement is legal.
#[test]
fn a_false_pass_is_allowed_from_the_third_turn_on() {
    let two = actions("1BB", &["a8e0", "0000", "94j0"]);
    let players = [board(actions("1AA", &EXAMPLE[0])), board(two)];
    let mut referee = Referee::new(players, rules(1000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(game.codes(), "53e0 a8e0 21k7 0000 61a0 94j0 0000 0000");
    assert!(game.plies[3].legal > 0);
    assert_eq!(game.ending, Ending::BothPassed);
}

#[test]
fn unsolicited_bytes_are_kept_and_decide_nothing() {
    let one = actions("1AA?", &["53e0!!", "21k7\r\n", "61a0xyz"]);
    let players = [board(one), board(actions("1BB", &EXAMPLE[1]))];
    let mut referee = Referee::new(players, rules(1000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(game.ending.is_normal(), "{}", game.ending);
    let unsolicited: Vec<u8> = game
        .unsolicited
        .iter()
        .flat_map(|unsolicited| unsolicited.bytes.clone())
        .collect();
    assert_eq!(unsolicited, b"?!!xyz");
    assert!(
        game.unsolicited
            .iter()
            .all(|unsolicited| unsolicited.seat == Seat::One)
    );
    let log: Vec<_> = game.wire.iter().map(ToString::to_string).collect();
    assert!(
        log.iter().any(|line| line.ends_with("nothing was due: !!")),
        "{log:#?}"
    );
}

/// Bytes that arrive while the opponent thinks are not part of the next reply.
#[test]
fn stale_bytes_are_discarded_before_a_prompt() {
    let mut one = actions("1AA", &EXAMPLE[0]);
    let pause = Duration::from_millis(100);
    one[1] = DeviceAction::Twice(b"53e0".to_vec(), pause, b"21k7".to_vec());
    let mut two = actions("1BB", &EXAMPLE[1]);
    two[1] = DeviceAction::After(6 * pause, b"a8e0".to_vec());
    let mut referee = Referee::new([board(one), board(two)], rules(5000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(game.ending.is_normal(), "{}", game.ending);
    assert_eq!(game.unsolicited.len(), 1, "{:?}", game.unsolicited);
    assert_eq!(
        (game.unsolicited[0].ply, &game.unsolicited[0].bytes[..]),
        (2, &b"21k7"[..])
    );
    assert!(game.plies[1].time.wall >= 6 * pause);
}

/// Serves a device on a pseudo-terminal; the referee opens it as a serial device.
fn served(mut board: impl duoforge_links::Served + 'static) -> Player {
    let mut link = PtyLink::open().unwrap();
    let path = link.path().to_str().unwrap().to_owned();
    thread::spawn(move || serve(&mut link, &mut board, || true).unwrap());
    Player::board(SerialLink::open(&path).unwrap())
}

fn engine() -> MoverDevice<PatternMover> {
    MoverDevice::new(PatternMover::default(), TeamCode::new(*b"PT").unwrap())
}

fn twin() -> Twin {
    Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default())
}

fn all_setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for first in Seat::BOTH {
        for start in [StartCell::Five, StartCell::A] {
            setups.push(Setup { first, start });
        }
    }
    setups
}

/// Recorder of the observer's events.
#[derive(Default)]
struct Told {
    begun: usize,
    plies: Vec<Ply>,
    ended: usize,
}

impl Observer for Told {
    fn begun(&mut self, _: Setup, _: &Seats<TeamCode>) {
        self.begun += 1;
    }

    fn moved(&mut self, ply: &Ply, board: &DuoBoard) {
        assert_eq!(board.moves().last(), Some(&ply.mv));
        self.plies.push(ply.clone());
    }

    fn ended(&mut self, _: &duoforge_referee::Game) {
        self.ended += 1;
    }
}

#[test]
fn several_games_in_a_row_have_both_orders_and_both_starts() {
    let mut referee = Referee::new([served(twin()), served(engine())], rules(1000));
    let mut told = Told::default();
    let games = referee.series(all_setups(), &mut told).unwrap();
    assert_eq!(games.len(), 4);
    let first_prompts = games.iter().map(|game| {
        check_log(game);
        assert!(game.ending.is_normal(), "{}", game.ending);
        Seat::BOTH.map(|seat| wire(game, seat)[2][2..4].to_owned())
    });
    let first_prompts: Vec<_> = first_prompts.collect();
    assert_eq!(
        first_prompts,
        [["25", "3A"], ["2A", "35"], ["35", "2A"], ["3A", "25"]]
    );
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!((told.begun, told.plies.len(), told.ended), (4, plies, 4));
    // The twin and the software player have the same policy, so swapping everything except the
    // players repeats the game.
    assert_eq!(games[0].codes(), games[3].codes());
    let tally: Tally = games.iter().collect();
    assert_eq!(tally.games, tally.wins[0] + tally.wins[1] + tally.draws);
}

#[test]
fn players_in_this_process_play_without_pauses() {
    let long = RefereeOptions {
        pause: Duration::from_secs(3600),
        ..RefereeOptions::default()
    };
    let mut referee = Referee::new([software::random(1), software::random(2)], long);
    let games = referee.series(vec![Setup::default(); 20], &mut ()).unwrap();
    assert!(games.iter().all(|game| game.ending.is_normal()));
    // The random sequence continues from game to game.
    assert_ne!(games[0].codes(), games[1].codes());
    let mut again = Referee::new([software::random(1), software::random(2)], long);
    let first = again.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(first.codes(), games[0].codes());
}

#[test]
fn a_board_over_tcp_plays_too() {
    let acceptor = TcpAcceptor::bind("127.0.0.1:0").unwrap();
    let address = acceptor.address().to_string();
    let deadline = Instant::now() + Duration::from_secs(10);
    let board = thread::spawn(move || {
        let mut link = acceptor.accept(deadline).unwrap();
        serve(&mut link, &mut twin(), || true).unwrap()
    });
    let link = TcpLink::connect(&address, deadline).unwrap();
    assert!(link.describe().starts_with("tcp:"));
    let mut referee = Referee::new([Player::board(link), software::random(5)], rules(1000));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert!(game.ending.is_normal(), "{}", game.ending);
    drop(referee);
    assert_eq!(board.join().unwrap(), Stop::HostGone);
}

/// A served device drops a partial code when the host falls silent, as a physical one does.
#[test]
fn a_served_board_knows_the_inter_byte_timeout() {
    let mut link = PtyLink::open().unwrap();
    let mut host = SerialLink::open(link.path().to_str().unwrap()).unwrap();
    thread::spawn(move || serve(&mut link, &mut twin(), || true).unwrap());
    host.send(b"3A53").unwrap();
    thread::sleep(Duration::from_millis(400));
    host.send(b"0").unwrap();
    let mut answer: Vec<u8> = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(5);
    while answer.len() < 3 {
        answer.extend(host.recv(&mut [0; 8], deadline).unwrap().bytes);
    }
    assert_eq!(answer, *b"1TW");
}

/// A person has no time limit and can resign.
#[test]
fn a_person_may_think_and_resign() {
    struct Thinker(u32);
    impl duoforge_players::Mover for Thinker {
        fn choose(
            &mut self,
            board: &DuoBoard,
        ) -> Result<duoforge_rules::Move, duoforge_players::MoveError> {
            thread::sleep(Duration::from_millis(300));
            self.0 += 1;
            assert!(board.check("0000".parse().unwrap()) != Err(IllegalMove::GameOver));
            match board.legal().next() {
                Some(placement) if self.0 < 3 => Ok(placement.into()),
                _ => Err(duoforge_players::Resigned.into()),
            }
        }
    }
    let players = [software::person(Thinker(0)), software::random(1)];
    let mut referee = Referee::new(players, rules(200));
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(game.ending, Ending::Resigned { seat: Seat::One });
    assert_eq!(game.outcome, Outcome::Win(Seat::Two));
    assert_eq!(game.plies.len(), 4);
    assert!(!game.ending.is_violation());
    // The next game can be played on the same connection.
    let next = referee.play(Setup::default(), &mut ()).unwrap();
    assert_eq!(next.ending, Ending::Resigned { seat: Seat::One });
}

/// A device in a seat whose opponent's moves the caller supplies counts its replies in each game.
#[test]
fn a_seated_device_counts_its_replies() {
    let actions = actions("1AA", &["53e0", "21k7", "1"]);
    let device = board(actions).with_version(Some("v2".to_owned()));
    assert_eq!(device.version(), Some("v2"));
    let mut device = SeatedDevice::new(device, Seat::One, rules(2_000));
    assert_eq!(device.begin().unwrap(), TeamCode::new(*b"AA").unwrap());
    let code = |text: &str| <[u8; 4]>::try_from(text.as_bytes()).unwrap();
    assert_eq!(device.replies(), 0);
    assert_eq!(device.reply(None).unwrap().0, code("53e0"));
    assert_eq!(device.replies(), 1);
    assert_eq!(device.reply(Some(code("a8e0"))).unwrap().0, code("21k7"));
    assert_eq!(device.replies(), 2);
    // One letter is not a reply.
    let error = device.reply(Some(code("94j0"))).unwrap_err();
    assert!(error.is_of_device(), "{error}");
    assert_eq!(device.replies(), 2);
    device.end();
    assert_eq!(device.replies(), 0);
}

/// A handshake ends a game in progress, and nothing else.
#[test]
fn a_seated_device_ends_its_game_before_the_next_handshake() {
    let mut link = PtyLink::open().unwrap();
    let path = link.path().to_str().unwrap().to_owned();
    let (send, received) = mpsc::channel();
    thread::spawn(move || {
        let mut parser = HostCodeParser::new();
        let mut buf = [0; 64];
        while let Ok(part) = link.recv(&mut buf, Instant::now() + Duration::from_secs(60)) {
            for &byte in part.bytes {
                let Some(code) = parser.feed(byte).code else {
                    continue;
                };
                let reply: &[u8] = match code {
                    HostCode::Handshake => b"1AA",
                    HostCode::End => b"",
                    _ => b"53e0",
                };
                send.send(code).unwrap();
                link.send(reply).unwrap();
            }
        }
    });
    let player = Player::board(SerialLink::open(&path).unwrap());
    let mut device = SeatedDevice::new(player, Seat::One, rules(2_000));
    let codes = || -> Vec<HostCode> {
        // All codes but the end have a reply, which has come.
        received.try_iter().collect()
    };
    device.begin().unwrap();
    assert_eq!(codes(), [HostCode::Handshake]);
    device.begin().unwrap();
    assert_eq!(
        codes()[..],
        [HostCode::Handshake],
        "no game was in progress"
    );
    device.reply(None).unwrap();
    device.begin().unwrap();
    let codes = codes();
    assert_eq!(codes.len(), 3, "{codes:?}");
    assert_eq!(codes[1..], [HostCode::End, HostCode::Handshake]);
}

/// Only a fault of the device is its own: not a stall of the host, nor a failure of this program.
#[test]
fn stalls_and_failures_of_the_host_are_not_the_devices() {
    let stall = HostStall {
        stopped: Duration::from_secs(2),
        suspended: Duration::ZERO,
    };
    let uncertain = Fault::Uncertain(StalledWait {
        stall,
        after: None,
        limit: Duration::from_secs(1),
    });
    assert!(!SeatError::Fault(uncertain).is_of_device());
    assert!(!SeatError::Host(RefereeError::BrokenOff).is_of_device());
}

#[test]
fn a_referee_knows_the_versions_of_its_players_and_shares_its_log() {
    let second = software::random(2).with_version(Some("v2".to_owned()));
    let players = [software::random(1), second];
    let mut referee = Referee::new(players, RefereeOptions::default());
    assert_eq!(referee.versions(), Seats([None, Some("v2".to_owned())]));
    assert_eq!(
        referee.names(),
        Seats(["random:1", "random:2"].map(str::to_owned))
    );
    referee.log().note("host", "begin of the match");
    let game = referee.play(Setup::default(), &mut ()).unwrap();
    let first = game.wire[0].to_string();
    assert!(first.ends_with("begin of the match"), "{first}");
    let [_, second] = referee.into_players();
    assert_eq!(second.version(), Some("v2"));
}
