//! `duoforge identify` with devices on pseudo-terminals.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Run, Served, good, run, text};
use duoforge_links::{Link, PtyLink};
use serde_json::Value;
use tempfile::tempdir;

/// Serves a device on a pseudo-terminal at `path` until its first host disconnects.
fn served(path: &Path, arguments: &[&str]) -> Served {
    let once = ["device", "--once", "--pty", text(path)];
    let board = Served::start(&[&once, arguments].concat());
    assert_eq!(board.place, text(path));
    board
}

#[test]
fn a_board_names_its_team_and_its_build() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    for kind in ["--twin", "--sim"] {
        let _board = served(&path, &[kind, "--team", "ZZ", "--build-id", "0badcafe"]);
        let said = run(&["identify", text(&path)]);
        assert_eq!(said.status, 0, "{}", said.err);
        assert_eq!(
            said.out,
            format!("serial:{}: team ZZ, build 0badcafe\n", path.display())
        );
    }
}

#[test]
fn another_build_than_the_expected_one_is_a_negative_result() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    let ask = |expected| {
        let _board = served(&path, &["--twin", "--build-id", "0badcafe"]);
        run(&["identify", text(&path), "--expect", expected, "--json"])
    };
    let right = ask("0BADCAFE");
    assert_eq!(right.status, 0, "{}", right.err);
    assert_eq!(right.json()[0]["build"], "0badcafe");
    let wrong = ask("00000001");
    assert_eq!(wrong.status, 1);
    assert!(wrong.err.contains("00000001"), "{}", wrong.err);
    assert_eq!(
        run(&["identify", text(&path), "--expect", "cafe"]).status,
        2
    );
}

/// Runs `identify` on a device that replies to the handshake and has no build id.
fn identified_without_build(arguments: &[&str]) -> Run {
    let mut device = PtyLink::open().unwrap();
    let path = device.path().to_owned();
    let answering = std::thread::spawn(move || {
        let mut buf = [0; 8];
        let deadline = Instant::now() + Duration::from_secs(60);
        let received = device.recv(&mut buf, deadline).unwrap();
        assert_eq!(received.bytes, b"0");
        device.send(b"1ZZ").unwrap();
        while device.recv(&mut buf, deadline).is_ok() {}
    });
    let said = run(&[&["identify", text(&path)], arguments].concat());
    answering.join().unwrap();
    said
}

#[test]
fn a_device_without_a_build_id_is_a_negative_result_only_if_one_is_expected() {
    let said = identified_without_build(&[]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(
        said.out.ends_with(": team ZZ, no build id\n"),
        "{}",
        said.out
    );
    let said = identified_without_build(&["--expect", "0badcafe", "--json"]);
    assert_eq!(said.status, 1, "{}", said.err);
    assert_eq!(said.json()[0]["build"], Value::Null);
    let help = good(&["identify", "--help"]);
    let (_, statuses) = help.split_once("Exit status: ").unwrap();
    let (fine, _) = statuses.split_once("; 1 with --expect").expect(&help);
    assert!(fine.starts_with("0 the device replied"), "{help}");
}

/// Commands of the example in the help of a command, one a line.
fn example(command: &str) -> Vec<String> {
    let help = good(&[command, "--help"]);
    let (_, example) = help.split_once("Example").expect(&help);
    let lines = example.lines().map(str::trim);
    let commands = lines.filter(|line| line.starts_with("duoforge "));
    commands.map(str::to_owned).collect()
}

#[test]
fn examples_with_two_programs_do_not_start_the_second_one_before_the_path_exists() {
    for command in ["device", "monitor"] {
        let lines = example(command);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].ends_with("--pty /tmp/device"), "{lines:?}");
        assert_eq!(lines[1], "duoforge match /tmp/device pattern");
    }
}

#[test]
fn a_device_may_be_a_profile() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    let _device = served(&path, &["--twin", "--team", "ZZ", "--build-id", "0badcafe"]);
    let profiles = directory.path().join("profiles.toml");
    let table = format!("[left]\ndevice = \"{}\"\n", path.display());
    std::fs::write(&profiles, table).unwrap();
    let said = run(&["identify", "left", "--profiles", text(&profiles)]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(said.out, "left: team ZZ, build 0badcafe\n");
    let program = run(&["identify", "twin"]);
    assert_eq!(program.status, 2);
    assert!(
        program.err.contains("twin is not a device"),
        "{}",
        program.err
    );
}

#[test]
fn a_silent_and_a_garbled_board_are_told_apart() {
    let silent = PtyLink::open().unwrap();
    let said = run(&["identify", text(silent.path())]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("duoforge::device::silent") && said.err.contains("help:"),
        "{}",
        said.err
    );

    let mut garbled = PtyLink::open().unwrap();
    let path = garbled.path().to_owned();
    let answering = std::thread::spawn(move || {
        let mut buf = [0; 8];
        let deadline = Instant::now() + Duration::from_secs(60);
        let received = garbled.recv(&mut buf, deadline).unwrap();
        assert_eq!(received.bytes, b"0");
        garbled.send(b"\xff\xfe\xfd").unwrap();
        let _ = garbled.recv(&mut buf, deadline);
    });
    let said = run(&["identify", text(&path)]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("duoforge::device::garbled"),
        "{}",
        said.err
    );
    answering.join().unwrap();

    let missing = run(&["identify", "/nonexistent/board"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("not_found"), "{}", missing.err);
}
