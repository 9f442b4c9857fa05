//! Exit of the program of the mocks, by what ends its link.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::command;
use duoforge_conform::identify;
use duoforge_conform::mock::MockKind;
use duoforge_links::SerialLink;

fn mock(kind: MockKind) -> Command {
    let words = command(kind, Duration::from_secs(1));
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stderr(Stdio::piped());
    command
}

#[test]
fn a_mock_ends_with_its_host() {
    let mut child = mock(MockKind::Correct)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"0").unwrap();
    let mut reply = [0; 3];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut reply)
        .unwrap();
    assert_eq!(&reply, b"1MK");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The host closes its end to read from; the mock notices it at its next reply.
#[test]
fn a_mock_ends_when_its_host_reads_no_more() {
    let mut child = mock(MockKind::Correct)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // A program that another test starts holds the pipe open until it executes, so a first reply
    // may still find a reader.
    let deadline = Instant::now() + Duration::from_secs(20);
    while stdin.write_all(b"0").is_ok() {
        assert!(Instant::now() < deadline, "the mock goes on");
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A directory cannot be read, and a full device cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn other_errors_of_the_link_are_reported() {
    let unreadable = mock(MockKind::Correct)
        .stdin(File::open("/").unwrap())
        .output()
        .unwrap();
    let mut child = mock(MockKind::Correct)
        .stdin(Stdio::piped())
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"0").unwrap();
    let unwritable = child.wait_with_output().unwrap();
    for output in [unreadable, unwritable] {
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("duoforge-mock: stdio: "), "{error}");
    }
}

/// A mock on a pseudo-terminal has one host after the other.
#[test]
fn a_mock_on_a_pseudo_terminal_waits_for_the_next_host() {
    let mut child = mock(MockKind::Correct)
        .arg("--pty")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut path = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut path)
        .unwrap();
    for _ in 0..3 {
        let mut link = SerialLink::open(path.trim()).unwrap();
        let team = identify(&mut link).unwrap().team;
        assert_eq!(team.to_string(), "MK");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
