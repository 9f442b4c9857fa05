//! Engines in other processes as players: shell scripts that speak the Go Text Protocol.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use duoforge_gtp::ClientError;
use duoforge_players::{GtpMover, MoveError, Mover, PlayerError, PlayerSpec, software};
use duoforge_protocol::StartCell;
use duoforge_referee::{Ending, Game, LinkLoss, Referee, RefereeOptions, Seat, Setup, TimeControl};
use duoforge_rules::{Cell, DuoBoard, IllegalMove, Move, Notation, Variant};

/// Far more time than a shell needs on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Command line of an engine that runs the shell code `genmove` at each request for a move, and
/// writes its input to `log`.
fn engine(log: &Path, genmove: &str) -> Vec<String> {
    let script = format!(
        "while read id command rest; do
           echo $command $rest >> {}
           case $command in
             list_commands) text='set_game\nset_random_seed';;
             genmove) {genmove};;
             play) text=; case $rest in *pass) printf '?%s invalid move\\n\\n' $id; continue;; esac;;
             *) text=;;
           esac
           printf \"=%s $text\\n\\n\" $id
         done",
        log.display()
    );
    ["sh", "-c", &script].map(str::to_owned).to_vec()
}

/// Takes the commands that the engine received since the last call.
fn taken(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap();
    fs::write(log, "").unwrap();
    text.lines().map(|line| line.trim().to_owned()).collect()
}

fn read(text: &str) -> Move {
    Notation::DUO.read(text).unwrap()
}

#[test]
fn an_engine_is_told_what_it_does_not_know() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut mover = GtpMover::start(&engine(&log, "text=j5,k5")).unwrap();
    assert_eq!(taken(&log), ["list_commands", "set_game Blokus Duo"]);
    mover.seed(u64::MAX);
    assert_eq!(taken(&log), ["set_random_seed 2147483647"]);

    let mut board = DuoBoard::duo();
    board.play(read("e10")).unwrap();
    let mv = mover.choose(&board).unwrap();
    assert_eq!(mv, read("j5,k5"));
    assert_eq!(taken(&log), ["clear_board", "play b e10", "genmove w"]);

    // The engine knows the move that it chose.
    board.play(mv).unwrap();
    board.play(Move::Pass).unwrap();
    mover.choose(&board).unwrap();
    assert_eq!(taken(&log), ["play b pass", "genmove w"]);

    // The move played differs from the one that the engine chose, so the engine restarts. It has
    // rejected a pass, and receives no passes any more.
    board.play(read("l4")).unwrap();
    board.play(Move::Pass).unwrap();
    mover.choose(&board).unwrap();
    let all = [
        "clear_board",
        "play b e10",
        "play w j5,k5",
        "play w l4",
        "genmove w",
    ];
    assert_eq!(taken(&log), all);

    // In a new game the engine restarts, although it knows the position.
    mover.begin();
    mover.choose(&board).unwrap();
    assert_eq!(taken(&log), all);
}

#[test]
fn a_game_from_the_other_start_cell_is_turned_for_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut mover = GtpMover::start(&engine(&log, "text=j5,k5")).unwrap();
    let setup = Setup {
        start: StartCell::A,
        ..Setup::default()
    };
    let mut board = DuoBoard::with_starts(&Variant::DUO, &setup.start_cells());
    board.play(read("j5,j4")).unwrap();
    let mv = mover.choose(&board).unwrap();
    assert_eq!(mv, read("d10,e10"));
    assert!(board.check(mv).is_ok());
    assert_eq!(taken(&log)[3..], ["play b e10,e11", "genmove w"]);
}

/// Plays a game against an engine that runs this code at its first move, with this limit per reply.
fn game(genmove: &str, limit: Duration) -> Game {
    let directory = tempfile::tempdir().unwrap();
    let words = engine(&directory.path().join("log"), genmove);
    let player = software::choosing(GtpMover::start(&words).unwrap(), "engine", *b"GT");
    let rules = RefereeOptions {
        limit,
        ..RefereeOptions::default()
    };
    let mut referee = Referee::new([player, software::pattern()], rules);
    referee.play(Setup::default(), &mut ()).unwrap()
}

fn lost(genmove: &str) -> String {
    match game(genmove, LONG).ending {
        Ending::LinkLost {
            seat: Seat::One,
            reason: LinkLoss::Failed(reason),
        } => reason,
        ending => panic!("{ending}"),
    }
}

/// The engine knows `time_left`, and repeats its first move.
#[test]
fn an_engine_is_told_the_time_left() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut words = engine(&log, "text=e10");
    words[2] = words[2].replace("set_random_seed", "set_random_seed\\ntime_left");
    let rules = RefereeOptions {
        limit: LONG,
        ..RefereeOptions::default()
    };
    let bank = TimeControl::TimeBank {
        start: LONG,
        increment: Duration::ZERO,
    };
    for control in [None, Some(bank)] {
        let player = software::choosing(GtpMover::start(&words).unwrap(), "engine", *b"GT");
        let player = match control {
            Some(control) => player.with_clock(control),
            None => player,
        };
        let mut referee = Referee::new([player, software::pattern()], rules);
        let ending = referee.play(Setup::default(), &mut ()).unwrap().ending;
        assert!(
            matches!(
                ending,
                Ending::Illegal {
                    seat: Seat::One,
                    ..
                }
            ),
            "{ending}"
        );
        let commands = taken(&log);
        let times = commands.iter().filter(|it| it.starts_with("time_left"));
        let times: Vec<&str> = times.map(String::as_str).collect();
        match control {
            None => assert_eq!(times, ["time_left b 60 1"; 2]),
            Some(_) => {
                assert_eq!(times[0], "time_left b 60 0");
                // The bank has paid for the first move.
                let left = times[1].split(' ').nth(2).unwrap();
                assert!((1.0..60.0).contains(&left.parse().unwrap()), "{left}");
            }
        }
        let requests = commands.iter().filter(|it| *it == "genmove b").count();
        assert_eq!((times.len(), requests), (2, 2));
    }
}

#[test]
fn an_illegal_move_of_an_engine_loses_by_the_rules() {
    let ending = game("text=a1", LONG).ending;
    let start = Cell::new(4, 4);
    assert!(
        matches!(
            ending,
            Ending::Illegal {
                seat: Seat::One,
                reason: IllegalMove::StartCellMissed { start: missed },
                ..
            } if missed == start
        ),
        "{ending}"
    );
}

#[test]
fn an_engine_that_fails_loses_with_the_reason() {
    let died = lost("echo 'no memory' >&2; exit 3");
    assert!(
        died.contains("exit status: 3") && died.contains("no memory"),
        "{died}"
    );
    let nonsense = lost("text=hello");
    assert!(
        nonsense.contains("'hello', which is not a move"),
        "{nonsense}"
    );
    let refusal = lost(r"printf '?%s out of book\n\n' $id; continue");
    assert!(
        refusal.contains("refused 'genmove b': out of book"),
        "{refusal}"
    );
}

#[test]
fn an_engine_may_resign_or_be_late() {
    let resigned = Ending::Resigned { seat: Seat::One };
    assert_eq!(game("text=resign", LONG).ending, resigned);
    let late = game("sleep 1; text=e10", Duration::from_millis(300)).ending;
    assert!(
        matches!(
            late,
            Ending::Timeout {
                seat: Seat::One,
                ..
            }
        ),
        "{late}"
    );
}

/// An engine that hangs holds the game for the time limit or the time bank only.
#[test]
fn an_engine_that_hangs_loses_on_time() {
    let limit = Duration::from_millis(300);
    let bank = TimeControl::TimeBank {
        start: limit,
        increment: Duration::ZERO,
    };
    for control in [TimeControl::Fixed(limit), bank] {
        let directory = tempfile::tempdir().unwrap();
        let words = engine(&directory.path().join("log"), "sleep 30");
        let player = software::choosing(GtpMover::start(&words).unwrap(), "engine", *b"GT");
        let players = [player.with_clock(control), software::pattern()];
        let begun = Instant::now();
        let mut referee = Referee::new(players, RefereeOptions::default());
        let ending = referee.play(Setup::default(), &mut ()).unwrap().ending;
        let Ending::Timeout {
            seat: Seat::One,
            late,
        } = &ending
        else {
            panic!("{ending}");
        };
        assert_eq!((late.after, late.limit), (None, limit));
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn what_is_no_engine_cannot_be_opened() {
    let open = |text: &str| {
        let spec: PlayerSpec = text.parse().unwrap();
        match spec.mover() {
            Ok(_) => panic!("{text} was opened"),
            Err(PlayerError::Engine(error)) => error,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(matches!(
        open("gtp:/no/such/engine"),
        ClientError::Start { .. }
    ));
    assert!(matches!(open("gtp:true"), ClientError::Died { .. }));
    assert!(matches!(open("gtp:cat"), ClientError::Malformed { .. }));
    let trigon = "gtp:sh -c 'while read id command; do mark==
        test \"$command\" = \"set_game Blokus Duo\" && mark=?
        echo $mark$id set_game; echo; done'";
    assert!(matches!(open(trigon), ClientError::Refused { .. }));
}

#[test]
fn players_behind_a_line_cannot_be_asked_directly() {
    for text in ["twin", "human", "pty"] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert!(
            matches!(spec.mover(), Err(PlayerError::NoMover(_))),
            "{text}"
        );
    }
}

/// An engine may refuse a pass, but no placement.
#[test]
fn an_engine_that_refuses_a_placement_fails() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let refusing = "text=j5;; play) printf '?%s no\\n\\n' $id; continue";
    let mut mover = GtpMover::start(&engine(&log, refusing)).unwrap();
    let mut board = DuoBoard::duo();
    board.play(read("e10")).unwrap();
    let error = mover.choose(&board).unwrap_err();
    assert!(
        matches!(
            error,
            MoveError::Engine(ClientError::Refused { ref message, .. }) if message == "no"
        ),
        "{error}"
    );
}

/// The value is that of the line with the cells of the move.
#[test]
fn an_engine_judges_its_move_by_its_list_of_values() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let engine = |values: &str| {
        let code = format!("text=e10;; reg_genmove) text='e10,e11';; move_values) text='{values}'");
        GtpMover::start(&engine(&log, &code)).unwrap()
    };
    let list = "10 12 0.25 [1] e10\\n20 22 0.75 [I2] e11,e10\\n5 6 0.5 [I2] d10,e10";
    let mut mover = engine(list);
    let (mv, value) = mover.judge(&DuoBoard::duo()).unwrap();
    assert_eq!(
        (mv, value.to_string()),
        (read("e10,e11"), "0.75".to_owned())
    );
    let commands = taken(&log);
    assert_eq!(
        commands[2..],
        ["clear_board", "reg_genmove b", "move_values"]
    );
    let without = engine("10 12 0.25 [1] e10").judge(&DuoBoard::duo());
    let error = without.unwrap_err().to_string();
    assert!(error.contains("reports no value of e10,e11"), "{error}");
}

/// Engines have no log that the referee could read.
#[test]
fn an_engine_leaves_no_log() {
    assert_eq!(game("text=a1", LONG).logs.0, [None, None]);
}

/// A program that starts and does not speak the protocol is not absent.
#[test]
fn only_an_engine_that_does_not_start_is_absent() {
    for (text, absent) in [
        ("gtp:/no/such/engine", true),
        ("gtp:true", false),
        ("gtp:cat", false),
        ("twin", true),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        let error = spec.mover().err().unwrap();
        assert_eq!(error.is_absent(), absent, "{error}");
    }
    assert!(PlayerError::Engine(ClientError::NoCommand).is_absent());
}
