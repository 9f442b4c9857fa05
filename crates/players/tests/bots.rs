//! Text bots as players of Duo: real Python programs behind the referee.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_bots::BotSpec;
use duoforge_players::{
    BotMover, MoveError, Mover, OpenContext, PlayerError, PlayerSpec, Resigned, software,
};
use duoforge_protocol::StartCell;
use duoforge_referee::{
    BrokenCode, Ending, Fault, Game, LinkLoss, Outcome, Player, Ply, Referee, RefereeOptions, Seat,
    Setup, TimeControl,
};
use duoforge_rules::{CodeError, DuoBoard, Move};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// File of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

struct Nothing;

impl OpenContext for Nothing {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        unreachable!("no person plays")
    }

    fn seed(&mut self, _: Seat) -> u64 {
        0
    }

    fn on_build(&mut self, _: Seat, _: &str) {}

    fn on_wait(&mut self, _: Seat, _: &str) {}
}

fn open(text: &str) -> Result<Player, PlayerError> {
    let spec: PlayerSpec = text.parse()?;
    assert_eq!(spec.to_string(), text);
    spec.open(Seat::One, &mut Nothing)
}

/// Bot with one fault; its bank is large enough for Python on a busy machine.
fn misbehaving(settings: &str, kind: &str) -> Player {
    let script = file("crates/bots/tests/data/misbehaving.py");
    open(&format!(
        "bot:{settings}:python3 {} {kind}",
        script.display()
    ))
    .unwrap()
}

fn play(one: Player, two: Player, setup: Setup) -> Game {
    let mut referee = Referee::new([one, two], RefereeOptions::default());
    referee.play(setup, &mut ()).unwrap()
}

/// Plays against the pattern player, moving first.
fn game(settings: &str, kind: &str) -> Game {
    play(
        misbehaving(settings, kind),
        software::pattern(),
        Setup::default(),
    )
}

fn own(game: &Game) -> Vec<&Ply> {
    game.plies
        .iter()
        .filter(|ply| ply.seat == Seat::One)
        .collect()
}

fn log(game: &Game) -> &str {
    game.logs[Seat::One].as_deref().expect("a bot has a log")
}

const BANK: &str = "timebank=2s,move_time=2s";

#[test]
fn a_bot_plays_whole_games_from_either_seat_and_start_cell() {
    for first in Seat::BOTH {
        for start in [StartCell::Five, StartCell::A] {
            let setup = Setup { first, start };
            let bot = open(&format!(
                "bot:python3 {}",
                file("examples/bots/bot.py").display()
            ));
            let game = play(bot.unwrap(), software::pattern(), setup);
            assert!(game.ending.is_normal(), "{}", game.ending);
            let own = own(&game);
            assert!(
                own.iter()
                    .all(|ply| ply.text.as_deref() == Some("largest tile first"))
            );
            assert!(log(&game).contains(" ms left"), "{}", log(&game));
            assert!(log(&game).ends_with("--- the program ended with exit status 0 ---\n"));
        }
    }
}

/// Each game has a new process, so that a bot need not clear its tables.
#[test]
fn games_of_a_series_have_a_process_each() {
    let players = [misbehaving(BANK, "none"), misbehaving(BANK, "text")];
    let mut referee = Referee::new(players, RefereeOptions::default());
    let games = referee.series([Setup::default(); 3], &mut ()).unwrap();
    assert_eq!(games.len(), 3);
    let mut ids: Vec<&str> = games
        .iter()
        .map(|game| log(game).lines().nth(1).unwrap())
        .collect();
    assert!(ids.iter().all(|id| id.starts_with("pid ")), "{ids:?}");
    ids.dedup();
    assert_eq!(ids.len(), 3);
    for game in &games {
        assert!(game.ending.is_normal(), "{}", game.ending);
        assert_eq!(game.codes(), games[0].codes());
    }
}

#[test]
fn a_failed_input_test_is_no_handshake() {
    for (kind, reason, last) in [
        ("crash", "ended with exit status 3", "no model"),
        ("silent", "failed the input test", "not in the mood"),
    ] {
        let game = game(BANK, kind);
        let Ending::NoHandshake { faults } = &game.ending else {
            panic!("{}", game.ending);
        };
        let Some(Fault::Lost(LinkLoss::Ended(text) | LinkLoss::Failed(text))) = &faults[Seat::One]
        else {
            panic!("{}", game.ending);
        };
        assert!(text.contains(reason) && text.contains(last), "{text}");
        assert!(log(&game).contains(last), "{}", log(&game));
        assert_eq!((game.outcome, game.plies.len()), (Outcome::Open, 0));
    }
}

#[test]
fn a_bot_that_ends_loses_with_its_exit_status_or_signal() {
    for (settings, kind, end, last) in [
        (
            BANK,
            "raise",
            "exit status 1",
            "ValueError: the table is broken",
        ),
        (BANK, "kill", "signal 9 (SIGKILL)", "request 1"),
        (
            "timebank=2s,memory=256",
            "eat",
            "exit status 1",
            "MemoryError",
        ),
        (
            "timebank=60s,cpu=1s",
            "burn",
            "signal 24 (SIGXCPU)",
            "computing",
        ),
        (
            BANK,
            "fork-and-exit",
            "exit status 5",
            "the children will do it",
        ),
    ] {
        let game = game(settings, kind);
        let Ending::LinkLost {
            seat,
            reason: LinkLoss::Ended(text),
        } = &game.ending
        else {
            panic!("{}", game.ending);
        };
        assert_eq!((*seat, game.outcome), (Seat::One, Outcome::Win(Seat::Two)));
        assert!(text.contains(end) && text.contains(last), "{text}");
        let log = log(&game);
        assert!(log.contains("--- ply 4 ---") || kind == "kill", "{log}");
        assert!(
            log.ends_with(&format!("--- the program ended with {end} ---\n")),
            "{log}"
        );
        // The wire log of a lost game contains the bot's log.
        let wire: Vec<_> = game.wire.iter().map(ToString::to_string).collect();
        assert!(wire.iter().any(|entry| entry.contains(last)), "{wire:?}");
    }
}

#[test]
fn time_outs_forfeit_a_move_and_then_the_game() {
    let once = game(BANK, "late-once 3");
    assert!(once.ending.is_normal(), "{}", once.ending);
    let forfeits: Vec<_> = own(&once).iter().map(|ply| ply.forfeit).collect();
    assert_eq!(forfeits.iter().position(|&forfeit| forfeit), Some(2));
    assert_eq!(forfeits.iter().filter(|&&forfeit| forfeit).count(), 1);
    assert_eq!(&own(&once)[2].code, b"0000");

    // A forfeited first move is a placement, as no pass is legal yet.
    let first = game(BANK, "late-first 3");
    assert!(first.ending.is_normal(), "{}", first.ending);
    let ply = own(&first)[0];
    assert!(ply.forfeit && &ply.code != b"0000");

    for kind in ["late-twice 3", "mute"] {
        let twice = game(BANK, kind);
        let Ending::Timeout { seat, late } = &twice.ending else {
            panic!("{}", twice.ending);
        };
        assert_eq!((*seat, late.limit), (Seat::One, MS(2_000)));
        assert!(own(&twice)[2].forfeit);
        assert!(
            log(&twice).contains("# no answer within 2000 ms"),
            "{}",
            log(&twice)
        );
    }
}

#[test]
fn what_is_no_legal_move_ends_as_from_any_device() {
    let upper = game(BANK, "upper");
    let Ending::BrokenCode {
        seat,
        reason: BrokenCode::Code { code, error },
    } = &upper.ending
    else {
        panic!("{}", upper.ending);
    };
    assert_eq!((*seat, error), (Seat::One, &CodeError::Tile(code[2])));
    assert!(code[2].is_ascii_uppercase());

    let illegal = game(BANK, "illegal");
    assert!(
        matches!(illegal.ending, Ending::Illegal { seat: Seat::One, code, .. } if &code == b"77u0"),
        "{}",
        illegal.ending
    );

    for (kind, reply) in [("word", "hello"), ("number", "13730")] {
        let game = game(BANK, kind);
        let Ending::BrokenCode {
            reason:
                BrokenCode::Text {
                    reply: found,
                    reason,
                },
            ..
        } = &game.ending
        else {
            panic!("{}", game.ending);
        };
        assert_eq!(found, reply);
        let text = game.ending.to_string();
        assert!(
            text.contains(&format!("'{reply}': ")) && text.contains(reason),
            "{text}"
        );
        assert_eq!(game.outcome, Outcome::Win(Seat::Two));
    }
}

#[test]
fn a_flood_and_forks_do_not_disturb_the_game() {
    for kind in ["flood", "fork", "numbers", "twice", "banner"] {
        let game = game("timebank=60s", kind);
        assert!(game.ending.is_normal(), "{kind}: {}", game.ending);
        let log = log(&game);
        assert_eq!(
            log.contains("further bytes dropped"),
            kind == "flood",
            "{kind}"
        );
        assert!(log.len() < (1 << 20) + 10_000, "{kind}: {}", log.len());
    }
}

/// The time control of the match replaces the bot's own; a fixed limit is a bank that each request
/// fills.
#[test]
fn the_match_may_set_the_time_control() {
    for (control, limit) in [
        (TimeControl::Fixed(MS(1_500)), MS(1_500)),
        (
            TimeControl::TimeBank {
                start: MS(1_800),
                increment: MS(1_000),
            },
            MS(1_000),
        ),
    ] {
        let bot = misbehaving("timebank=60s", "mute").with_clock(control);
        let game = play(bot, software::pattern(), Setup::default());
        let Ending::Timeout { late, .. } = &game.ending else {
            panic!("{}", game.ending);
        };
        assert_eq!(late.limit, limit);
    }
}

#[test]
fn a_program_that_does_not_exist_is_an_error_before_the_match() {
    let error = open("bot:/no/such/bot").unwrap_err();
    assert!(matches!(error, PlayerError::Bot(_)), "{error}");
    assert!(
        error
            .to_string()
            .starts_with("/no/such/bot: cannot be started: "),
        "{error}"
    );
}

/// Bot that runs this shell code at each request for a move.
fn shell(code: &str) -> BotSpec {
    let script = format!(
        "while read -r line; do case $line in
           action\\ warmup*) echo ready;; action\\ move*) {code};; quit) exit;;
         esac; done"
    );
    BotSpec::new(["sh", "-c", &script].map(str::to_owned).to_vec())
}

/// Plays a game of a bot, which moves first, against the pattern player.
fn shell_game(code: &str) -> Game {
    let spec = PlayerSpec::Bot(Box::new(shell(code)));
    let bot = spec.open(Seat::One, &mut Nothing).unwrap();
    play(bot, software::pattern(), Setup::default())
}

/// The code of a bot's move is the one that it wrote, here one of the aliases of `55a0`.
#[test]
fn an_alias_of_a_bot_is_kept() {
    let game = shell_game("echo 55a3");
    assert_eq!(&game.plies[0].code, b"55a3");
}

/// Four bytes that are not four printable characters are not a code.
#[test]
fn a_word_of_four_bytes_need_not_be_a_code() {
    for (word, is_code) in [("5\u{e4}a", false), ("5?a0", true)] {
        let ending = shell_game(&format!("echo '{word}'")).ending;
        let Ending::BrokenCode { reason, .. } = &ending else {
            panic!("{ending}");
        };
        assert_eq!(matches!(reason, BrokenCode::Code { .. }), is_code, "{word}");
        assert_eq!(
            matches!(reason, BrokenCode::Text { .. }),
            !is_code,
            "{word}"
        );
    }
}

/// The wire log holds the log of a bot that lost, and not that of one that won.
#[test]
fn the_log_of_a_winner_is_not_in_the_wire_log() {
    struct Quitter;
    impl Mover for Quitter {
        fn choose(&mut self, _: &DuoBoard) -> Result<Move, MoveError> {
            Err(Resigned.into())
        }
    }
    let spec = PlayerSpec::Bot(Box::new(shell("echo thinking >&2; echo 53e0")));
    let bot = spec.open(Seat::One, &mut Nothing).unwrap();
    let game = play(bot, software::person(Quitter), Setup::default());
    assert_eq!(game.outcome, Outcome::Win(Seat::One));
    assert!(log(&game).contains("thinking"), "{}", log(&game));
    let wire: Vec<_> = game.wire.iter().map(ToString::to_string).collect();
    assert!(
        !wire.iter().any(|entry| entry.contains("thinking")),
        "{wire:?}"
    );
}

/// A game that begins without a handshake has its own process too.
#[test]
fn each_game_without_a_handshake_has_a_process() {
    let mut mover = BotMover::new(&shell("echo 53e0")).unwrap();
    let side = mover.side_channel().unwrap();
    for _ in 0..2 {
        mover.begin();
        assert_eq!(mover.choose_code(&DuoBoard::duo()).unwrap(), *b"53e0");
    }
    // The process of the first game has ended.
    let log = side.take_log().unwrap();
    assert!(log.ends_with("exit status 0 ---\n"), "{log}");
}
