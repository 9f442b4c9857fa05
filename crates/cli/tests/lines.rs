//! Devices by profile, swapped devices, and the traffic of a link.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::{Served, run, text};
use serde_json::Value;
use tempfile::tempdir;

/// Serves twins with these team codes, each on a pseudo-terminal in the directory.
fn boards(directory: &Path, teams: [&str; 2]) -> [Served; 2] {
    teams.map(|team| {
        let path = directory.join(team);
        Served::start(&["device", "--twin", "--pty", text(&path), "--team", team])
    })
}

/// Writes profiles that expect these team codes.
fn profiles(directory: &Path, boards: &[Served; 2], teams: [&str; 2]) -> String {
    let path = directory.join("profiles.toml");
    let table =
        |(name, place, team)| format!("[{name}]\ndevice = \"{place}\"\nteam = \"{team}\"\n");
    let tables = [
        ("left", &boards[0].place, teams[0]),
        ("right", &boards[1].place, teams[1]),
    ];
    fs::write(&path, tables.map(table).concat()).unwrap();
    text(&path).to_owned()
}

#[test]
fn boards_are_named_by_their_profiles() {
    let directory = tempdir().unwrap();
    let boards = boards(directory.path(), ["AA", "BB"]);
    let file = profiles(directory.path(), &boards, ["AA", "BB"]);
    let said = run(&["match", "left", "right", "--profiles", &file, "--json"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    assert_eq!(said.json()[0]["teams"], serde_json::json!(["AA", "BB"]));
    let said = run(&["match", "left", "middle", "--profiles", &file]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("middle") && said.err.contains("right"),
        "{}",
        said.err
    );
}

#[test]
fn boards_that_were_mixed_up_are_noticed_before_the_first_game() {
    let directory = tempdir().unwrap();
    let boards = boards(directory.path(), ["AA", "BB"]);
    let told = |file: &str, code: &str| {
        let said = run(&["match", "left", "right", "--profiles", file]);
        assert_eq!(said.status, 2, "{}{}", said.out, said.err);
        assert!(
            said.err.contains(code) && said.err.contains("help"),
            "{}",
            said.err
        );
    };
    told(
        &profiles(directory.path(), &boards, ["BB", "AA"]),
        "duoforge::device::swapped",
    );
    told(
        &profiles(directory.path(), &boards, ["AA", "CC"]),
        "duoforge::device::other_team",
    );
    // One device under two names.
    let other = directory.path().join("other");
    std::os::unix::fs::symlink(&boards[0].place, &other).unwrap();
    let said = run(&["match", &boards[0].place, text(&other)]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("duoforge::link::same_device"),
        "{}",
        said.err
    );
}

/// The limit of a profile never shortens the limit of a player without one.
#[test]
fn a_short_limit_of_a_profile_is_not_imposed_on_the_opponent() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("profiles.toml");
    let profiles = "[quick]\ndevice = \"twin\"\nlimit = \"300ms\"\n\
                    [silent]\ndevice = \"exec:sleep 1000\"\nlimit = \"200ms\"\n";
    fs::write(&path, profiles).unwrap();
    for (opponent, limit) in [("exec:sleep 1000", "1 s"), ("silent", "0.3 s")] {
        let said = run(&["match", "quick", opponent, "--profiles", text(&path), "-q"]);
        assert_eq!(said.status, 1, "{}{}", said.out, said.err);
        let reason = format!("no handshake: player 2: nothing came within {limit}");
        assert!(said.out.contains(&reason), "{opponent}: {}", said.out);
    }
}

#[test]
fn a_monitor_tells_both_directions_and_changes_nothing() {
    let directory = tempdir().unwrap();
    let [board, _] = &mut boards(directory.path(), ["AA", "BB"]);
    let path = directory.path().join("monitored");
    let mut monitor = Served::start(&["monitor", &board.place, "--pty", text(&path), "--json"]);
    let log = directory.path().join("wire.jsonl");
    let said = run(&[
        "match",
        &monitor.place,
        "random:2",
        "--json",
        "--log",
        text(&log),
    ]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let (status, told) = monitor.end();
    assert_eq!(status, 0);
    let lines: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |dir: &str| -> Vec<&str> {
        let lines = lines.iter().filter(|line| line["dir"] == dir);
        lines.map(|line| line["text"].as_str().unwrap()).collect()
    };
    let (sent, answered) = (of("to-board"), of("from-board"));
    assert!(answered[0].contains("AA"), "{answered:?}");
    assert!(sent.len() > 10 && sent.len() >= answered.len(), "{told}");
    // The live output equals the output for the wire log of the host, except for the times.
    let later = run(&["monitor", "--log", text(&log), "--json"]).json();
    let hosts = later
        .iter()
        .find(|line| line["text"].as_str().unwrap().contains("AA"));
    let hosts = &hosts.expect("the board's answer")["line"];
    let later = later.iter().filter(|line| line["line"] == *hosts);
    assert!(later.map(without_times).eq(lines.iter().map(without_times)));
}

/// Returns the text of a line of the monitor without its times.
fn without_times(line: &Value) -> &str {
    let text = line["text"].as_str().unwrap();
    text.split_once(", after ").map_or(text, |(text, _)| text)
}
