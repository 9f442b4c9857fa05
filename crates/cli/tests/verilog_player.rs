//! A contestant's own player in Verilog: the reference of `examples/verilog-player`, simulated in
//! Verilator.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::{Served, good, run, text};
use tempfile::tempdir;

/// Directory of the reference player.
const PLAYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/verilog-player");

fn spec(simulator: &str) -> String {
    format!("sim:{simulator}verilog={PLAYER},top=minimal")
}

/// Plays two games and returns the objects of the games and of the match.
fn played(player: &str) -> Vec<serde_json::Value> {
    let run = run(&[
        "match",
        player,
        "random:3",
        "--games",
        "2",
        "--first",
        "alternate",
        "--json",
    ]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let objects = run.json();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[2]["violations"], serde_json::json!([0, 0]));
    for game in &objects[..2] {
        let ending = game["ending"].as_str().unwrap();
        assert!(["both-passed", "all-placed"].contains(&ending), "{ending}");
    }
    objects
}

#[test]
fn the_reference_player_plays_a_match_to_its_end() {
    let objects = played(&spec(""));
    let codes = |game: usize| -> Vec<String> {
        let plies = objects[game]["plies"].as_array().unwrap().iter();
        plies
            .map(|ply| ply["code"].as_str().unwrap().to_owned())
            .collect()
    };
    // The player moves first in the first game and second in the second one.
    assert_eq!(codes(0)[0], "55a0");
    assert!(
        codes(0)
            .iter()
            .skip(2)
            .step_by(2)
            .all(|code| code == "0000")
    );
    assert!(["55a0", "aaa0"].contains(&codes(1)[1].as_str()));
    assert!(
        codes(1)
            .iter()
            .skip(3)
            .step_by(2)
            .all(|code| code == "0000")
    );
}

#[test]
fn icarus_plays_the_same_games() {
    // The small clock saves time: Icarus is slow.
    let directory = tempdir().unwrap();
    let source = fs::read_to_string(Path::new(PLAYER).join("minimal.v")).unwrap();
    let slow = source.replace("CLOCK_HZ = 50_000_000", "CLOCK_HZ = 1_843_200");
    assert_ne!(slow, source);
    fs::write(directory.path().join("minimal.v"), slow).unwrap();
    let place = |simulator: &str| {
        let directory = text(directory.path());
        format!("sim:{simulator}verilog={directory},top=minimal,clock_hz=1843200")
    };
    let codes = |objects: &[serde_json::Value]| -> Vec<_> {
        let plies = objects[..2]
            .iter()
            .flat_map(|game| game["plies"].as_array().unwrap());
        plies.map(|ply| ply["code"].clone()).collect()
    };
    let [icarus, verilator] = ["icarus:", ""].map(|name| codes(&played(&place(name))));
    assert_eq!(icarus, verilator);
}

#[test]
fn a_served_player_is_a_device_for_any_host() {
    let directory = tempdir().unwrap();
    let link = directory.path().join("device");
    let player = format!("verilog={PLAYER},top=minimal");
    let device = Served::start(&["device", "--sim", "--player", &player, "--pty", text(&link)]);
    let out = good(&["match", &device.place, "random:3", "--quiet"]);
    assert!(out.contains("game 1: "), "{out}");
    // The reply of the handshake is the design's.
    let log = directory.path().join("wire.log");
    good(&[
        "match",
        &device.place,
        "random:3",
        "--quiet",
        "--log",
        text(&log),
    ]);
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("< 1MP") && log.contains("< 55a0"), "{log}");
}

#[test]
fn the_first_checks_of_conform_pass() {
    let run = run(&["conform", &spec(""), "--only", "1-3", "--json"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
}

#[test]
fn faults_of_a_player_are_named() {
    let directory = tempdir().unwrap();
    let failed = |player: &str, message: &str| {
        let run = run(&["match", player, "random"]);
        assert_eq!(run.status, 2, "{}{}", run.out, run.err);
        let words: Vec<_> = run
            .err
            .split(|c: char| c.is_whitespace() || c == '│')
            .collect();
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        assert!(words.join(" ").contains(message), "{message}: {}", run.err);
    };
    failed("sim:verilog=rtl", "top=NAME is missing");
    let path = text(directory.path());
    let player = format!("sim:verilog={path},top=mine");
    failed(&player, "contains no module");
    fs::write(directory.path().join("a.v"), "module other; endmodule").unwrap();
    failed(&player, "expected one of other");
    fs::write(
        directory.path().join("a.v"),
        "module mine(input clock); endmodule",
    )
    .unwrap();
    failed(&player, "Pin not found");
    let rust = format!("sim:rust:verilog={path},top=mine");
    failed(&rust, "only Verilator and Icarus simulate");
    let wrong = run(&[
        "device",
        "--sim",
        "--player",
        &player[4..],
        "--clock-hz",
        "1843200",
    ]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("clock_hz=50000000"), "{}", wrong.err);
}
