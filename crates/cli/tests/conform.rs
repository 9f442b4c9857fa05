//! `duoforge conform` on the command line.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use common::{run, text};
use serde_json::Value;

/// The pattern player in Verilator passes; fewer games are played than by default.
#[test]
fn the_board_in_simulation_passes() {
    let directory = tempfile::tempdir().unwrap();
    let junit = directory.path().join("conform.xml");
    let few = [
        "--series-games",
        "2",
        "--attempts",
        "2",
        "--host-delay",
        "300ms",
    ];
    let said = run(&[
        &["conform", "--sim", "--json", "--junit", text(&junit)],
        &few[..],
    ]
    .concat());
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let report = &said.json()[0];
    assert_eq!(
        (&report["failed"], &report["warned"]),
        (&Value::from(0), &Value::from(0))
    );
    let steps = report["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 25);
    for step in steps {
        assert_eq!(step["verdict"], "passed", "{step}");
    }
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert_eq!(xml.matches("<testcase").count(), 25, "{xml}");
    assert!(!xml.contains("<failure"), "{xml}");
}

/// A program that echoes its input.
#[test]
fn a_device_that_fails_is_shown_with_its_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let junit = directory.path().join("conform.xml");
    let said = run(&[
        "conform",
        "exec:cat",
        "--junit",
        text(&junit),
        "--only",
        "1-3",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    let failed = said.out.lines().next().unwrap();
    assert!(
        failed.contains("handshake") && failed.contains("FAILED"),
        "{failed}"
    );
    assert!(said.out.contains("device < 0"), "{}", said.out);
    assert!(said.out.contains("1 failed, 2 not run"), "{}", said.out);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(
        xml.contains("<failure") && xml.matches("<skipped").count() == 2,
        "{xml}"
    );
}

/// `duoforge-mock` is installed with the command.
#[test]
fn a_mock_fails_at_its_check() {
    let mock = format!("exec:{} two-teams", env!("CARGO_BIN_EXE_duoforge-mock"));
    let said = run(&["conform", &mock, "--only", "handshake"]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("FAILED"), "{}", said.out);
}

/// The host waits for the reset of the profile after each game.
#[test]
fn the_reset_of_a_profile_is_awaited() {
    let directory = tempfile::tempdir().unwrap();
    let profiles = directory.path().join("profiles.toml");
    let mut mock = Command::new(env!("CARGO_BIN_EXE_duoforge-mock"))
        .args(["correct", "--pty"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut path = String::new();
    let stdout = mock.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut path).unwrap();
    let device = path.trim();
    let profile = format!("[board]\ndevice = \"{device}\"\nreset = \"900ms\"\n");
    std::fs::write(&profiles, profile).unwrap();
    let file = ["--profiles", text(&profiles)];
    let checks = ["--only", "next-game,back-to-back", "--json"];
    let said = run(&[&["conform", "board"], &file[..], &checks[..]].concat());
    mock.kill().unwrap();
    mock.wait().unwrap();
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let steps = &said.json()[0]["steps"];
    assert_eq!(
        (&steps[0]["verdict"], &steps[1]["verdict"]),
        (&Value::from("passed"), &Value::from("not-reached"))
    );
    // A `9` precedes the two games, and one ends each.
    assert!(steps[0]["seconds"].as_f64().unwrap() >= 2.7, "{steps}");
    let reason = steps[1]["text"].as_str().unwrap();
    assert_eq!(reason, "the device has a declared reset after 9");
}

#[test]
fn what_cannot_be_tried_is_a_failure() {
    for (device, code) in [
        ("/dev/no-such-board", "duoforge::link::not_found"),
        ("exec:/no/such/program", "duoforge::link::not_found"),
        ("exec:/etc/passwd", "duoforge::link::permission"),
    ] {
        let said = run(&["conform", device]);
        assert_eq!(said.status, 2, "{}{}", said.out, said.err);
        assert!(said.err.contains(code), "{}", said.err);
    }
    let said = run(&["conform", "twin", "--only", "handshake,99"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("'99'"), "{}", said.err);
}

#[test]
fn former_options_are_refused_with_their_present_names() {
    for (former, present) in [
        ("--tries", "--attempts"),
        ("--slow", "--host-delay"),
        ("--games", "--series-games"),
    ] {
        let refused = run(&["conform", "twin", former, "2"]);
        assert_eq!(refused.status, 2);
        assert!(refused.err.contains(present), "{}", refused.err);
    }
    let refused = run(&["sim-shipped", "--guard"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--deadline"), "{}", refused.err);
}

#[test]
fn the_steps_are_listed() {
    let said = run(&["conform", "--list"]);
    assert_eq!((said.status, said.out.lines().count()), (0, 38));
    assert!(
        said.out.contains(" 1 handshake") && said.out.contains("(advisory)"),
        "{}",
        said.out
    );
}

/// A text bot is checked in both protocols, with one report; other players have no such checks.
#[test]
#[cfg(target_os = "linux")]
fn a_bot_is_checked_in_its_text_protocol() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bot = |script: &str| format!("bot:timebank=60s:python3 {}", root.join(script).display());
    let starter = bot("examples/bots/bot.py");
    let said = run(&["conform", &starter, "--only", "1,26-38", "--json"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let report = &said.json()[0];
    assert_eq!(report["passed"], 14, "{report}");
    assert_eq!(report["steps"][1]["name"], "bot-ready");

    let upper = format!("{} upper", bot("crates/bots/tests/data/misbehaving.py"));
    let directory = tempfile::tempdir().unwrap();
    let junit = directory.path().join("conform.xml");
    let only = ["--only", "bot-moves,bot-quit", "--junit", text(&junit)];
    let said = run(&[&["conform", &upper], &only[..]].concat());
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(
        said.out.contains("bot-moves         FAILED"),
        "{}",
        said.out
    );
    assert!(said.out.contains("has capital letters"), "{}", said.out);
    assert!(said.out.contains("bot > action move 60000"), "{}", said.out);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert_eq!(
        (
            xml.matches("<testcase").count(),
            xml.matches("<failure").count()
        ),
        (2, 1)
    );

    for (only, fault) in [
        ("3-1", "the range 3-1 has no check"),
        ("", "names no check"),
    ] {
        let refused = run(&["conform", "twin", "--only", only]);
        assert_eq!(refused.status, 2);
        assert!(refused.err.contains(fault), "{}", refused.err);
    }
    let refused = run(&["conform", "twin", "--only", "bot-quit"]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.err.contains("check 36 (bot-quit) is for text bots"),
        "{}",
        refused.err
    );
    let missing = run(&["conform", "bot:/no/such/bot", "--only", "bot-quit"]);
    assert_eq!(missing.status, 2, "{}{}", missing.out, missing.err);
}
