//! Text bots on the command line.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;

use common::run;

/// Bot of the repository with a Python interpreter.
fn python(settings: &str, script: &str, kind: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(script);
    format!("bot:{settings}python3 {} {kind}", path.display())
}

fn misbehaving(kind: &str) -> String {
    let script = "crates/bots/tests/data/misbehaving.py";
    python("timebank=20s:", script, kind)
}

#[test]
fn a_match_keeps_the_text_of_a_bot() {
    let bot = python("", "examples/bots/bot.py", "");
    let said = run(&["match", bot.trim(), "random:1", "--json"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let game = &said.json()[0];
    assert_eq!(game["plies"][0]["text"], "largest tile first");
    assert!(game["plies"][1].get("text").is_none());
}

#[test]
fn a_lost_game_shows_the_exit_status_and_the_log_of_the_bot() {
    let said = run(&["match", &misbehaving("raise"), "pattern", "--quiet"]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(
        said.out.contains("ended with exit status 1"),
        "{}",
        said.out
    );
    for expected in [
        " of player 1 (bot:timebank=20s:python3 ",
        "--- ply 4 ---",
        "ValueError: the table is broken",
        "--- the program ended with exit status 1 ---",
    ] {
        assert!(said.err.contains(expected), "{expected}: {}", said.err);
    }
}

/// A bot fails in a game of four seats: the substitute plays on for it, and its log is shown.
#[test]
fn a_lost_game_of_a_variant_shows_the_log_of_the_bot() {
    let bot = python("", "examples/bots/bot.py", "");
    let raises = misbehaving("raise");
    let players = [raises.as_str(), bot.trim(), "greedy:1", "maxn:sims=20"];
    let match_of = |options: &[&str]| {
        let words = [&["match"], &players[..], &["--variant", "classic"], options];
        run(&words.concat())
    };
    let said = match_of(&["--quiet"]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(
        said.out
            .contains("seat 1 failed: python3: ended with exit status 1"),
        "{}",
        said.out
    );
    for expected in [
        "of seat 1 (bot:timebank=20s:python3 ",
        "--- ply 8 ---",
        "ValueError: the table is broken",
        "--- the program ended with exit status 1 ---",
    ] {
        assert!(said.err.contains(expected), "{expected}: {}", said.err);
    }
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("bots.journal");
    let said = match_of(&["--json", "--journal", common::text(&journal)]);
    let game = &said.json()[0];
    assert_eq!(
        (&game["ending"], &game["seats"][0]["place"]),
        (&"link-lost".into(), &4.into())
    );
    assert_eq!(game["plies"][1]["remark"], "largest tile first");
    assert!(game["plies"][2].get("remark").is_none());
    // The journal has the log by ply, and the rest of it with the exit status.
    let history = duoforge_journal::read(&journal).unwrap().history;
    let (game, ended) = history.variant_games.ended().next().unwrap();
    let log = game.moves[0].log.as_deref().unwrap();
    assert!(log.contains("--- ply 0 ---\nrequest 0\n"), "{log}");
    let rest = ended.seats[1].log.as_deref().unwrap();
    assert_eq!(
        rest.lines().last().unwrap(),
        "--- the program ended with exit status 0 ---"
    );
}

#[test]
fn a_failed_input_test_is_no_handshake() {
    let said = run(&["match", &misbehaving("crash"), "pattern", "--quiet"]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("exit status 3"), "{}", said.out);
    assert!(said.err.contains("no model"), "{}", said.err);
}

#[test]
fn a_bot_that_cannot_be_started_is_an_error() {
    let said = run(&["match", "bot:/no/such/bot", "pattern"]);
    assert_eq!(said.status, 2, "{}{}", said.out, said.err);
    assert!(said.err.contains("duoforge::bot"), "{}", said.err);
    let said = run(&["match", "bot:memory=1:./bot", "pattern"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("expected 16 to 1048576"), "{}", said.err);
}

#[test]
fn a_bot_passes_conformance_checks() {
    let bot = python("timebank=60s:", "examples/bots/bot.py", "");
    let said = run(&[
        "conform",
        bot.trim(),
        "--only",
        "1-6,series",
        "--series-games",
        "2",
    ]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains("7 passed"), "{}", said.out);
}

/// A tournament excludes a bot that fails its input test, and names it in the report.
#[test]
fn a_tournament_excludes_a_bot_that_fails_its_input_test() {
    let directory = tempfile::tempdir().unwrap();
    let crash = misbehaving("crash");
    let plan = |specs: &[&str]| {
        let players = specs.iter().zip('A'..);
        let players = players
            .map(|(spec, name)| format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n"));
        let players: String = players.collect();
        format!("event = \"Cup\"\nformat = \"round-robin\"\n{players}")
    };
    let file = directory.path().join("cup.toml");
    std::fs::write(&file, plan(&["random:1", &crash, "random:2"])).unwrap();
    let said = run(&["tournament", common::text(&file), "-q"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let notice = "B is excluded: it failed the input test: python3: ended with exit status 3";
    assert!(said.err.contains(notice), "{}", said.err);
    let line = "Excluded after the input test: B: python3: ended with exit status 3";
    assert!(said.out.contains(line), "{}", said.out);
    let ladder = run(&["ladder", common::text(directory.path()), "--format", "json"]);
    // Hidden files and the plan are named; the journal is rated.
    assert_eq!(ladder.status, 0, "{}{}", ladder.out, ladder.err);
    assert_eq!(ladder.json()[0]["games"], 2);

    let file = directory.path().join("two.toml");
    std::fs::write(&file, plan(&["random:1", &crash])).unwrap();
    let said = run(&["tournament", common::text(&file)]);
    assert_eq!(said.status, 2, "{}{}", said.out, said.err);
    for expected in [
        "duoforge::tournament::players",
        "too few players: 1 of the players",
    ] {
        assert!(said.err.contains(expected), "{expected}: {}", said.err);
    }
    assert!(!said.err.contains("stopped before the end"), "{}", said.err);
}
