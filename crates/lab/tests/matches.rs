//! Matches, run like a user does.
#![cfg(unix)]

#[path = "common/answers.rs"]
mod answers;

use std::fs;
use std::path::Path;
use std::process::Output;

use answers::engine_of;
use assert_cmd::Command;
use serde_json::Value;

/// Engine that answers every command, always passes, and exits at its 61st `genmove`.
const DIES: &str = r#"n=0
while read id command rest; do
    t=
    case $command in
    list_commands) t=set_game ;;
    genmove)
        t=pass
        n=$((n + 1))
        test $n -gt 60 && { echo boom >&2; exit 3; }
        ;;
    esac
    printf '=%s %s\n\n' $id $t
done
"#;

fn lab(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("duoforge-lab").expect("the program is built");
    let output = command
        .current_dir(directory)
        .arg("match")
        .args(arguments)
        .output();
    output.expect("it starts")
}

fn engine(directory: &Path, text: &str) -> String {
    let path = directory.join("engine.sh");
    fs::write(&path, text).expect("a file");
    format!("gtp:sh {}", path.display())
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn equal_seeds_play_equal_games_however_many_at_a_time() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let pairs = |jobs: &str| -> Value {
        let options = [
            "--pairs",
            "3",
            "--seed",
            "4",
            "--json",
            "match.json",
            "--jobs",
            jobs,
        ];
        let output = lab(
            directory.path(),
            &[&["search:sims=40", "pattern"][..], &options].concat(),
        );
        assert!(output.status.success(), "{}", errors(&output));
        let text = fs::read_to_string(directory.path().join("match.json")).expect("the file");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["games"], 6);
        value["results"].clone()
    };
    assert_eq!(pairs("1"), pairs("2"));
}

#[test]
fn games_from_the_empty_board_that_repeat_are_counted() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let options = [
        "--pairs",
        "3",
        "--openings",
        "empty",
        "--json",
        "match.json",
    ];
    let distinct = |player: &str| {
        let output = lab(
            directory.path(),
            &[&[player, "pattern"][..], &options].concat(),
        );
        assert!(output.status.success(), "{}", errors(&output));
        let text = fs::read_to_string(directory.path().join("match.json")).expect("the file");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["games"], 6);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        (value["distinct"].clone(), printed)
    };
    let (games, printed) = distinct("pattern");
    assert_eq!(games, 2);
    let repeats = "repeats  4 games with the moves of an earlier one\n";
    assert!(printed.contains(repeats), "{printed}");
    let (games, printed) = distinct("random");
    assert_eq!(games, 6);
    assert!(!printed.contains("repeats"), "{printed}");
}

#[test]
fn an_engine_that_dies_ends_the_match_and_keeps_the_games() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let dies = engine(directory.path(), DIES);
    let options = ["--pairs", "40", "--record", "games.txt"];
    let output = lab(
        directory.path(),
        &[&["random:1", &dies][..], &options].concat(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("boom"), "{}", errors(&output));
    let games = fs::read_to_string(directory.path().join("games.txt")).expect("the file");
    assert!(!games.is_empty() && games.lines().count() < 80, "{games}");
}

#[test]
fn an_illegal_move_ends_the_match_with_the_rule() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let cheats = engine_of(directory.path(), "a1");
    let output = lab(directory.path(), &["pattern", &cheats, "--pairs", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("illegal"), "{}", errors(&output));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (command, option, value, range) in [
        ("match", "--pairs", "0", "1..=10000000"),
        ("match", "--pairs", "1000000000000000000", "1..=10000000"),
        ("games", "--games", "18446744073709551615", "1..=10000000"),
        ("games", "--drawn", "18446744073709551615", "0..=12"),
        ("games", "--drawn", "13", "0..=12"),
        ("openings", "--pairs", "0", "1..=10000000"),
    ] {
        let players: &[&str] = match command {
            "openings" => &[],
            _ => &["random", "random"],
        };
        let mut lab = Command::cargo_bin("duoforge-lab").expect("the program is built");
        let lab = lab.current_dir(directory.path()).arg(command).args(players);
        let output = lab.args([option, value]).output().expect("it starts");
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        let expected = format!("{value} is not in {range}");
        assert!(errors.contains(&expected), "{errors}");
    }
}

#[test]
fn wrong_players_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = lab(directory.path(), &["pattern", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("nobody"), "{}", errors(&output));
}
