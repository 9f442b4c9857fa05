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
