//! Whole games of real bots in every variant, and the lines that a bot receives.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::process::Command;
use std::time::Duration;

use common::{file, misbehaving, play};
use duoforge_bots::{BotSession, BotSpec};
use duoforge_rules::{Game, GameVariant};

/// Plays a game in which one process per seat chooses all moves, and checks that each is legal.
fn whole_game(specs: &[BotSpec], variant: &GameVariant) -> Vec<String> {
    let start = |seat: usize| BotSession::start(&specs[seat % specs.len()], variant).unwrap();
    let mut sessions: Vec<_> = (0..variant.seat_count()).map(start).collect();
    let mut game = Game::new(variant);
    while let Some(seat) = game.seat_to_move() {
        let reply = sessions[seat.index()].ask(&game).unwrap();
        assert!(!reply.forfeit);
        game.play(reply.mv).unwrap();
    }
    for mut session in sessions {
        assert_eq!(session.finish().to_string(), "ended with exit status 0");
    }
    game.plies()
        .iter()
        .map(|played| played.mv.to_string())
        .collect()
}

#[test]
fn a_bot_plays_every_variant_by_codes_and_by_numbers() {
    for variant in &GameVariant::BUILT_IN {
        let spec = |kind| misbehaving("timebank=60s", kind);
        let codes = whole_game(&[spec("none")], variant);
        assert!(codes.len() > 20, "{}", variant.name());
        assert_eq!(whole_game(&[spec("numbers")], variant), codes);
    }
}

/// Directory with the starter bots that need a compiler.
fn compiled() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let run = |command: &mut Command| {
        let output = command.current_dir(directory.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{errors}");
    };
    let flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-O2",
        "-o",
        "bot-c",
    ];
    run(Command::new("cc")
        .args(flags)
        .arg(file("examples/bots/bot.c")));
    run(Command::new("rustc")
        .args(["-O", "-o", "bot-rs"])
        .arg(file("examples/bots/bot.rs")));
    directory
}

/// The starter bots have one policy, so they all play the same game.
#[test]
fn the_starter_bots_play_the_same_game_in_every_variant() {
    let directory = compiled();
    let program = |name: &str| directory.path().join(name).display().to_string();
    let commands = [
        format!("python3 {}", file("examples/bots/bot.py").display()),
        format!("node {}", file("examples/bots/bot.js").display()),
        program("bot-c"),
        program("bot-rs"),
    ];
    let spec = |command: &String| format!("timebank=60s:{command}").parse().unwrap();
    let specs: Vec<BotSpec> = commands.iter().map(spec).collect();
    for variant in &GameVariant::BUILT_IN {
        let together = whole_game(&specs, variant);
        for spec in &specs {
            let alone = whole_game(std::slice::from_ref(spec), variant);
            assert_eq!(alone, together, "{spec} in {}", variant.name());
        }
    }
}

/// A bot that writes all that it receives to a file.
fn recorder(directory: &tempfile::TempDir, wants_state: bool) -> (BotSpec, std::path::PathBuf) {
    let (script, received) = (
        directory.path().join("bot.sh"),
        directory.path().join("lines"),
    );
    let wish = if wants_state {
        "echo settings state json;"
    } else {
        ""
    };
    let text = format!(
        "while read -r line; do echo \"$line\" >> '{}'; case $line in \
         'action warmup'*) {wish} echo ready;; 'action move'*) echo 65u0 hello;; quit) exit 7;; \
         esac; done",
        received.display()
    );
    fs::write(&script, text).unwrap();
    let spec = format!("timebank=20s,move_time=1s:sh {}", script.display());
    (spec.parse().unwrap(), received)
}

#[test]
fn a_bot_receives_the_lines_of_the_protocol() {
    let directory = tempfile::tempdir().unwrap();
    let (spec, received) = recorder(&directory, false);
    let played = play(&spec, &GameVariant::DUO, 2);
    assert_eq!(played.end.to_string(), "ended with exit status 7");
    let expected = "\
settings variant duo
settings timebank 20000
settings move_time 1000
action warmup 20000
settings your_seat 0
settings starts 0 55
settings starts 1 aa
update game moves
action move 20000
quit
";
    assert_eq!(fs::read_to_string(received).unwrap(), expected);
}

#[test]
fn the_state_comes_only_if_it_was_asked_for_and_seats_follow_the_variant() {
    let directory = tempfile::tempdir().unwrap();
    let (spec, received) = recorder(&directory, true);
    let variant = &GameVariant::CLASSIC_FREE;
    let mut session = BotSession::start(&spec, variant).unwrap();
    assert!(session.wants_state());
    let mut game = Game::new(variant);
    for code in ["11a0", "k1a0"] {
        game.play(code.parse().unwrap()).unwrap();
    }
    let reply = session
        .ask_within(&game, Some(Duration::from_secs(30)), Duration::ZERO)
        .unwrap();
    assert_eq!(
        (reply.word.as_str(), reply.text.as_deref()),
        ("65u0", Some("hello"))
    );
    session.finish();
    let lines = fs::read_to_string(received).unwrap();
    let lines: Vec<_> = lines.lines().skip(4).collect();
    assert_eq!(lines[0], "settings your_seat 2");
    assert_eq!(lines[1], "settings starts 0 11 k1 kk 1k");
    assert_eq!(lines[5], "update game moves 11a0 k1a0");
    let state = lines[6].strip_prefix("update game state ").unwrap();
    let state: duoforge_view::State = serde_json::from_str(state).unwrap();
    assert_eq!(state, duoforge_view::State::new(&game));
    assert_eq!(lines[7..], ["action move 30000", "quit"]);
}
