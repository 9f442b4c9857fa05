//! Child processes with real shells: their ends, their descendants and their standard error.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_process::{Child, End};

/// Ample time for a shell on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Grace of programs that do not exit by themselves.
const SHORT: Duration = Duration::from_millis(50);

/// Number of kept bytes of standard error.
const TAIL: usize = 2000;

/// Starts a shell script with all three pipes.
fn shell(script: &str) -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Child::start(&mut command, TAIL).unwrap()
}

/// Reads one line of the program's output.
fn line(child: &mut Child) -> String {
    let mut line = String::new();
    let mut output = BufReader::new(child.take_output().unwrap());
    output.read_line(&mut line).unwrap();
    line.trim().to_owned()
}

/// True if a process runs: it exists and is not a zombie.
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + LONG;
    while !condition() {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_program_takes_its_descendants_along() {
    let mut child = shell("sh -c 'sleep 600 & echo $!; wait' & wait");
    let (program, grandchild) = (child.id().to_string(), line(&mut child));
    assert!(runs(&program) && runs(&grandchild));
    let end = child.end(SHORT).unwrap();
    assert_eq!((end.status.signal(), end.killed), (Some(9), true));
    until(|| !runs(&program) && !runs(&grandchild));
}

#[test]
fn a_dropped_program_takes_its_descendants_along() {
    let mut child = shell("sh -c 'sleep 600 & echo $!; wait' & wait");
    let (program, grandchild) = (child.id().to_string(), line(&mut child));
    drop(child);
    until(|| !runs(&program) && !runs(&grandchild));
}

/// The rest of the group is killed with the exit of its leader.
#[test]
fn descendants_do_not_outlive_a_program_that_exits() {
    let mut child = shell("sleep 600 >/dev/null 2>&1 & echo $!; read -r _; exit 4");
    let mut input = child.take_input().unwrap();
    let grandchild = line(&mut child);
    assert_eq!(child.wait(Duration::ZERO).unwrap(), None);
    assert!(runs(&grandchild));
    input.write_all(b"go\n").unwrap();
    let status = child.wait(LONG).unwrap().unwrap();
    assert_eq!(status.code(), Some(4));
    until(|| !runs(&grandchild));
}

#[test]
fn exit_status_and_signal_are_returned_and_kept() {
    let mut exits = shell("exit 7");
    let end = exits.end(LONG).unwrap();
    assert_eq!((end.status.code(), end.killed), (Some(7), false));
    assert_eq!(exits.end(LONG).unwrap(), end);
    assert_eq!(exits.wait(LONG).unwrap(), Some(end.status));

    let End { status, killed } = shell("kill -TERM $$; sleep 600").end(LONG).unwrap();
    assert_eq!((status.signal(), killed), (Some(15), false));
    assert_eq!(status.to_string(), "signal: 15 (SIGTERM)");
}

/// A real-time signal has no name.
#[test]
fn any_signal_ends_a_program() {
    let end = shell("kill -40 $$; sleep 600").end(LONG).unwrap();
    assert_eq!((end.status.signal(), end.killed), (Some(40), false));
}

#[test]
fn a_program_that_ignores_other_signals_is_killed_after_the_grace() {
    let mut child = shell("trap '' HUP INT TERM; echo ready; while :; do sleep 600; done");
    assert_eq!(line(&mut child), "ready");
    let begun = Instant::now();
    let end = child.end(Duration::from_millis(300)).unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert_eq!((end.status.signal(), end.killed), (Some(9), true));
}

/// The program writes more than a pipe holds, and nothing of it is read here.
#[test]
fn a_flood_on_standard_error_neither_blocks_nor_grows() {
    let mut child = shell(
        "i=0; while [ $i -lt 5000 ]; do echo 'a line of some fifty letters, to fill the pipe' >&2
           i=$((i+1)); done; echo last words >&2; exit 1",
    );
    let end = child.end(LONG).unwrap();
    assert_eq!((end.status.code(), end.killed), (Some(1), false));
    let tail = child.tail();
    assert!(
        tail.ends_with("last words") && tail.starts_with("a line"),
        "{tail}"
    );
    assert!((TAIL / 2..=TAIL).contains(&tail.len()), "{}", tail.len());
}

#[test]
fn standard_error_can_be_read_while_the_program_runs() {
    let child = shell("echo thinking >&2; sleep 600");
    until(|| child.tail() == "thinking");
}

/// A descendant in another session keeps the pipe open; the tail does not wait for it.
#[test]
fn a_descendant_that_left_the_group_does_not_hold_up_the_tail() {
    let mut child = shell("setsid sh -c 'echo $$; exec sleep 600' & read -r _; echo bye >&2");
    let escaped = line(&mut child);
    drop(child.take_input());
    assert!(!child.end(LONG).unwrap().killed);
    let begun = Instant::now();
    assert_eq!(child.tail(), "bye");
    assert!(begun.elapsed() < LONG / 2);
    let killed = Command::new("kill").args(["-9", &escaped]).status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_group_can_be_killed_from_another_thread() {
    let mut child = shell("sleep 600");
    let group = child.group();
    let killing = thread::spawn(move || {
        thread::sleep(SHORT);
        group.kill();
    });
    let status = child.wait(LONG).unwrap().unwrap();
    assert_eq!(status.signal(), Some(9));
    killing.join().unwrap();
}

#[test]
fn a_program_without_pipes_has_no_tail() {
    let mut command = Command::new("sh");
    let mut child = Child::start(command.args(["-c", "exit 2"]), TAIL).unwrap();
    assert!(child.take_input().is_none() && child.take_output().is_none());
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(2));
    assert_eq!(child.tail(), "");
}

#[test]
fn a_program_that_does_not_exist_is_an_error() {
    let error = Child::start(&mut Command::new("/no/such/program"), TAIL).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}
