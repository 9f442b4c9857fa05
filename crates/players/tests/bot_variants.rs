//! Text bots in games of variants: real Python programs under the referee of variants.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use duoforge_players::{PlayerError, PlayerSpec, Random, VariantContext, VariantMover};
use duoforge_referee::TimeControl;
use duoforge_referee::variant::{SeatFaultKind, VariantGame, VariantPlayer, VariantReferee};
use duoforge_rules::{GameVariant, Seat};

/// Bank that gives each answer 3 s, far more than Python needs; delays of 4 s exceed it.
const BANK: TimeControl = TimeControl::TimeBank {
    start: Duration::from_secs(3),
    increment: Duration::from_secs(3),
};

/// File of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

struct Nothing;

impl VariantContext for Nothing {
    fn person(&mut self) -> Box<dyn VariantMover> {
        unreachable!("no person plays")
    }

    fn seed(&mut self) -> u64 {
        0
    }
}

fn open(text: &str, variant: &GameVariant) -> Result<VariantPlayer, PlayerError> {
    let spec: PlayerSpec = text.parse()?;
    assert!(spec.plays(variant));
    let mover = spec.variant_mover(variant, &mut Nothing)?;
    Ok(VariantPlayer::new("bot", mover))
}

/// Plays games of a bot in seat 0 against random players.
fn play(bot: VariantPlayer, variant: &GameVariant, games: usize) -> Vec<VariantGame> {
    let mut players: Vec<_> = (1..variant.seat_count() as u64)
        .map(|seed| VariantPlayer::new("random", Random::new(seed)))
        .collect();
    players.insert(0, bot);
    let seating: Vec<_> = (0..variant.seat_count()).collect();
    let mut referee = VariantReferee::new(variant, players).unwrap();
    let games = (0..games).map(|_| referee.play(&seating, &mut ()).unwrap());
    games.collect()
}

/// Plays a game of a bot with one fault.
fn misbehaving(kind: &str, variant: &GameVariant) -> VariantGame {
    let script = file("crates/bots/tests/data/misbehaving.py");
    let text = format!("bot:memory=256:python3 {} {kind}", script.display());
    let bot = open(&text, variant).unwrap().with_time(BANK);
    play(bot, variant, 1).remove(0)
}

#[test]
fn a_starter_bot_plays_every_variant() {
    let text = format!("bot:python3 {}", file("examples/bots/bot.py").display());
    for variant in &GameVariant::BUILT_IN {
        let bot = open(&text, variant).unwrap().with_time(BANK);
        let game = play(bot, variant, 1).remove(0);
        assert_eq!(game.word(), "finished", "{}: {game}", variant.name());
        let plies = game.plies.iter();
        let own: Vec<_> = plies.filter(|ply| ply.played.seat == Seat(0)).collect();
        assert!(own.len() > 5);
        for ply in own {
            assert!(!ply.forfeit);
            assert_eq!(ply.remark.as_deref(), Some("largest tile first"));
            let log = ply.log.as_deref().unwrap();
            assert!(log.contains(" ms left"), "{log}");
        }
        let log = game.log(Seat(0));
        assert!(
            log.ends_with("--- the program ended with exit status 0 ---\n"),
            "{log}"
        );
        assert!(!log.contains("dropped"), "{log}");
        // Each ply has one heading, and no line is there twice.
        let headings: Vec<_> = log.lines().filter(|line| line.starts_with("---")).collect();
        let mut once = headings.clone();
        once.dedup();
        assert_eq!(headings, once);
        assert_eq!(game.log(Seat(1)), "");
    }
}

/// Each game has a new process, whose log does not continue that of the game before.
#[test]
fn games_of_a_match_have_a_process_each() {
    let script = file("crates/bots/tests/data/misbehaving.py");
    let variant = &GameVariant::CLASSIC_3;
    let bot = open(&format!("bot:python3 {} none", script.display()), variant);
    let games = play(bot.unwrap().with_time(BANK), variant, 2);
    let logs = [0, 1].map(|number: usize| games[number].log(Seat(0)));
    for (game, log) in games.iter().zip(&logs) {
        assert_eq!(game.word(), "finished", "{game}");
        let own = game.plies.iter().filter(|it| it.played.seat == Seat(0));
        assert_eq!(log.matches("\nrequest ").count(), own.count(), "{log}");
    }
    let pid = |log: &String| {
        log.lines()
            .find(|it| it.starts_with("pid "))
            .unwrap()
            .to_owned()
    };
    assert_ne!(pid(&logs[0]), pid(&logs[1]));
}

#[test]
fn faults_of_a_bot_are_those_of_its_seat() {
    let variant = &GameVariant::CLASSIC_2;
    let kinds = [
        ("crash", "link-lost", "no model"),
        ("raise", "link-lost", "ValueError: the table is broken"),
        ("kill", "link-lost", "signal 9 (SIGKILL)"),
        ("eat", "link-lost", "MemoryError"),
        ("upper", "broken-code", "# invalid answer: "),
        ("word", "broken-code", "# invalid answer: hello there"),
        ("illegal", "illegal", "request 2"),
        ("late-twice 4", "timeout", "thinking for"),
        ("mute", "timeout", "thinking for ever"),
    ];
    // The bots mostly sleep.
    thread::scope(|scope| {
        for (kind, word, text) in kinds {
            scope.spawn(move || {
                let game = misbehaving(kind, variant);
                let fault = game.seats[0].fault.as_ref().expect(kind);
                assert_eq!(fault.kind.word(), word, "{kind}: {game}");
                let log = game.log(Seat(0));
                assert!(log.contains(text), "{kind}: {log}");
                let forfeits = game.plies.iter().filter(|ply| ply.forfeit).count();
                assert_eq!(forfeits, usize::from(word == "timeout"), "{kind}");
                if let SeatFaultKind::Failed(reason) = &fault.kind {
                    assert!(reason.contains("ended with "), "{kind}: {reason}");
                }
                assert_eq!(game.winners(), [Seat(1)]);
            });
        }
    });
}

#[test]
fn one_time_out_forfeits_one_move() {
    thread::scope(|scope| {
        for kind in ["late-once 4", "skip", "late-first 4"] {
            scope.spawn(move || {
                let game = misbehaving(kind, &GameVariant::CLASSIC_2);
                assert_eq!(game.word(), "finished", "{kind}: {game}");
                let forfeits: Vec<_> = game.plies.iter().filter(|ply| ply.forfeit).collect();
                assert_eq!(forfeits.len(), 1, "{kind}");
                assert_eq!(forfeits[0].played.seat, Seat(0));
            });
        }
    });
}

/// The bot learns the time control of the match in place of its default.
#[test]
fn a_bot_is_started_with_the_time_control_of_the_match() {
    let directory = tempfile::tempdir().unwrap();
    let received = directory.path().join("received");
    let script = format!(
        "while read -r line; do echo \"$line\" >> {}; case $line in
           action\\ warmup*) echo ready;; action\\ move*) echo 0000;; quit) exit;;
         esac; done",
        received.display()
    );
    let words = shell_words::join(["sh", "-c", &script]);
    let bank = TimeControl::TimeBank {
        start: Duration::from_secs(70),
        increment: Duration::from_millis(250),
    };
    let fixed = TimeControl::Fixed(Duration::from_secs(50));
    for (control, settings) in [
        (
            Some(bank),
            ["timebank 70000", "move_time 250", "move 70000"],
        ),
        (
            Some(fixed),
            ["timebank 50000", "move_time 50000", "move 50000"],
        ),
        // Without a limit of the referee, the bot has the bank of its name.
        (None, ["timebank 40000", "move_time 500", "move 40000"]),
    ] {
        let variant = &GameVariant::CLASSIC_2;
        let bot = open(&format!("bot:timebank=40s:{words}"), variant).unwrap();
        let bot = match control {
            Some(control) => bot.with_time(control),
            None => bot,
        };
        let game = play(bot, variant, 1).remove(0);
        assert_eq!(game.word(), "illegal", "{game}");
        let lines = fs::read_to_string(&received).unwrap();
        fs::write(&received, "").unwrap();
        for setting in settings {
            let found = lines.lines().any(|line| line.ends_with(setting));
            assert!(found, "{setting}: {lines}");
        }
    }
}

#[test]
fn a_program_that_does_not_exist_is_an_error() {
    let Err(error) = open("bot:/no/such/bot", &GameVariant::CLASSIC) else {
        panic!("there is no such program");
    };
    assert!(matches!(error, PlayerError::Bot(_)), "{error}");
}

/// Bot that runs shell code at the input test, at each request for a move, and at `quit`. The
/// number of the request, from 0, is in `$n`.
fn shell(warmup: &str, request: &str, quit: &str) -> String {
    let script = format!(
        "n=0; while read -r line; do case $line in
           action\\ warmup*) {warmup}; echo ready;;
           action\\ move*) {request}; n=$((n+1));;
           quit) {quit}; exit;;
         esac; done"
    );
    format!("bot:{}", shell_words::join(["sh", "-c", &script]))
}

/// The log has one heading for each phase with text, also if the text has no line end.
#[test]
fn the_log_of_a_bot_has_a_heading_for_each_phase_with_text() {
    let request = "case $n in
           0) echo one >&2; echo 11a0;;
           1) echo kka0;;
           2) printf three >&2; echo 0000;;
         esac";
    let text = shell("printf warm >&2", request, "printf bye >&2");
    let variant = &GameVariant::CLASSIC_2;
    let game = play(open(&text, variant).unwrap(), variant, 1).remove(0);
    assert_eq!(game.word(), "illegal", "{game}");
    let own = game.plies.iter().filter(|it| it.played.seat == Seat(0));
    let logs: Vec<_> = own.map(|ply| ply.log.as_deref()).collect();
    let first = "--- input test ---\nwarm\n--- ply 0 ---\none\n";
    assert_eq!(logs, [Some(first), None]);
    let rest = "--- ply 4 ---\nthree\n--- end ---\nbye\n\
                --- the program ended with exit status 0 ---\n";
    assert_eq!(game.seats[0].log.as_deref(), Some(rest));
}

#[test]
fn a_log_that_is_too_long_ends_with_the_number_of_lost_bytes() {
    let flood = "head -c 1048676 /dev/zero | tr '\\0' x >&2; echo 0000";
    let variant = &GameVariant::CLASSIC_2;
    let bot = open(&shell(":", flood, ":"), variant).unwrap();
    let log = play(bot, variant, 1)[0].log(Seat(0));
    let end = "\n--- 100 further bytes dropped ---\n--- the program ended with exit status 0 ---\n";
    assert!(log.ends_with(end), "{}", &log[log.len().min(1 << 20)..]);
}

/// A late answer forfeits the move, even if it is not a move.
#[test]
fn a_late_answer_that_is_not_a_move_forfeits_the_move() {
    let request = "if test $n = 0; then sleep 3; echo hello; else echo 0000; fi";
    let bank = TimeControl::TimeBank {
        start: Duration::from_secs(2),
        increment: Duration::from_secs(2),
    };
    let variant = &GameVariant::CLASSIC_2;
    let bot = open(&shell(":", request, ":"), variant).unwrap();
    let game = play(bot.with_time(bank), variant, 1).remove(0);
    assert_eq!(game.word(), "illegal", "{game}");
    assert!(game.plies[0].forfeit);
}

/// Without a time bank, silence is a fault at once.
#[test]
fn a_silent_bot_with_a_fixed_limit_has_no_second_chance() {
    let variant = &GameVariant::CLASSIC_2;
    let bot = open(&shell(":", ":", ":"), variant).unwrap();
    let limit = Duration::from_millis(500);
    let game = play(bot.with_time(TimeControl::Fixed(limit)), variant, 1).remove(0);
    let fault = &game.seats[0].fault.as_ref().unwrap().kind;
    let after = None;
    assert_eq!(*fault, SeatFaultKind::Timeout { after, limit });
}

/// The time bank of a bot is that of its name.
#[test]
fn only_a_bot_has_a_time_control_of_its_own() {
    let control = |text: &str| text.parse::<PlayerSpec>().unwrap().own_time_control();
    let bank = TimeControl::TimeBank {
        start: Duration::from_secs(40),
        increment: Duration::from_millis(250),
    };
    assert_eq!(
        control("bot:timebank=40s,move_time=250ms:./bot"),
        Some(bank)
    );
    for text in ["random", "maxn", "gtp:engine", "human"] {
        assert_eq!(control(text), None, "{text}");
    }
}
