//! `duoforge identify` against boards behind pseudo-terminals.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{run, text};
use duoforge_protocol::link::{Link, PtyLink};
use tempfile::tempdir;

/// `duoforge board` on a pseudo-terminal at `path`; it ends with its first host or with this value.
struct Served(Child);

impl Served {
    fn start(path: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_duoforge"))
            .args(["board", "--once", "--pty", text(path)])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        assert_eq!(line.trim(), text(path));
        Self(child)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_board_names_its_team_and_its_build() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("board");
    for kind in ["--twin", "--sim"] {
        let _board = Served::start(&path, &[kind, "--team", "ZZ", "--build", "0badcafe"]);
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
    let folder = tempdir().unwrap();
    let path = folder.path().join("board");
    let ask = |expected| {
        let _board = Served::start(&path, &["--twin", "--build", "0badcafe"]);
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

#[test]
fn a_silent_and_a_garbled_board_are_told_apart() {
    let silent = PtyLink::open().unwrap();
    let said = run(&["identify", text(silent.path())]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("duoforge::board::silent") && said.err.contains("help:"),
        "{}",
        said.err
    );

    let mut garbled = PtyLink::open().unwrap();
    let path = garbled.path().to_owned();
    let answering = std::thread::spawn(move || {
        let mut buf = [0; 8];
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        let received = garbled.recv(&mut buf, deadline).unwrap();
        assert_eq!(received.bytes, b"0");
        garbled.send(b"\xff\xfe\xfd").unwrap();
        let _ = garbled.recv(&mut buf, deadline);
    });
    let said = run(&["identify", text(&path)]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("duoforge::board::garbled"),
        "{}",
        said.err
    );
    answering.join().unwrap();

    let missing = run(&["identify", "/nonexistent/board"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("not_found"), "{}", missing.err);
}
