//! Programs that converse in lines, and the limits of the operating system, with real shells.
#![cfg(target_os = "linux")]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

use duoforge_process::{Limits, LineChild, LineError, MAX_LINE};

/// Ample time for a shell on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Grace of programs that do not exit by themselves.
const SHORT: Duration = Duration::from_millis(50);

/// Size of the log.
const LOG: usize = 1000;

fn shell(script: &str) -> LineChild {
    let mut command = Command::new("sh");
    LineChild::start(command.args(["-c", script]), LOG).unwrap()
}

fn receive(child: &mut LineChild) -> Result<String, LineError> {
    child.receive(Instant::now() + LONG).map(|line| line.text)
}

#[test]
fn lines_go_both_ways_and_the_log_is_not_later_than_the_line_after_it() {
    let mut child = shell("while read -r line; do echo \"got $line\" >&2; echo \"$line!\"; done");
    for text in ["one", "two"] {
        child
            .send(&format!("{text}\n"), Instant::now() + LONG)
            .unwrap();
        assert_eq!(receive(&mut child).unwrap(), format!("{text}!"));
        assert_eq!(child.take_log(), format!("got {text}\n").as_bytes());
    }
    let end = child.end(LONG).unwrap();
    assert_eq!((end.status.code(), end.killed), (Some(0), false));
}

#[test]
fn the_last_line_needs_no_line_feed() {
    let mut child = shell("echo first; printf last; echo why >&2; exit 3");
    assert_eq!(receive(&mut child).unwrap(), "first");
    assert_eq!(receive(&mut child).unwrap(), "last");
    assert!(matches!(receive(&mut child), Err(LineError::Closed)));
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(3));
    assert_eq!(child.take_log(), b"why\n");
}

#[test]
fn a_flood_of_errors_is_counted_and_dropped() {
    let mut child = shell("yes x | head -c 5000000 >&2; echo done");
    assert_eq!(receive(&mut child).unwrap(), "done");
    child.end(LONG).unwrap();
    assert_eq!(child.take_log().len(), LOG);
    assert_eq!(child.dropped(), 5_000_000 - LOG as u64);
}

#[test]
fn a_program_that_does_not_read_cannot_stop_the_sender() {
    let mut child = shell("exec sleep 600");
    let begun = Instant::now();
    let text = format!("{}\n", "x".repeat(1 << 20));
    let sent = child.send(&text, begun + SHORT);
    assert!(matches!(sent, Err(LineError::Timeout)), "{sent:?}");
    assert!((SHORT..LONG).contains(&begun.elapsed()));
    let end = child.end(SHORT).unwrap();
    assert!(end.killed);
}

#[test]
fn a_program_that_says_nothing_is_waited_for_until_the_deadline() {
    let mut child = shell("exec sleep 600");
    let begun = Instant::now();
    let line = child.receive(begun + SHORT);
    assert!(matches!(line, Err(LineError::Timeout)), "{line:?}");
    assert!((SHORT..LONG).contains(&begun.elapsed()));
}

/// A descendant keeps the pipes open; the end of the program closes them all the same.
#[test]
fn a_program_has_ended_though_its_descendants_run() {
    let mut child = shell("sleep 600 & echo started; exit 4");
    assert_eq!(receive(&mut child).unwrap(), "started");
    assert!(matches!(receive(&mut child), Err(LineError::Closed)));
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(4));
}

#[test]
fn lines_that_wait_are_taken_without_waiting() {
    let mut child = shell("echo one; echo two; echo three >&2; exec sleep 600");
    assert_eq!(receive(&mut child).unwrap(), "one");
    let deadline = Instant::now() + LONG;
    let mut lines = Vec::new();
    while lines.is_empty() && Instant::now() < deadline {
        lines = child.take_waiting().unwrap();
    }
    assert_eq!(lines[0].text, "two");
    assert!(child.take_waiting().unwrap().is_empty());
}

#[test]
fn long_lines_are_cut_and_control_characters_replaced() {
    let mut child = shell("head -c 10000 /dev/zero | tr '\\0' a; printf '\\na\\033[1mb\\tc\\r\\n'");
    assert_eq!(receive(&mut child).unwrap(), "a".repeat(MAX_LINE));
    assert_eq!(receive(&mut child).unwrap(), "a\u{fffd}[1mb c");
}

/// Program under limits, with its exit status and its output.
fn limited(limits: Limits, words: &[&str]) -> (std::process::ExitStatus, String) {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let output = limits.command(&words).unwrap().output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status, String::from_utf8(text).unwrap())
}

#[test]
fn limits_are_those_of_the_operating_system() {
    let limits = Limits {
        memory: Some(100 << 20),
        cpu: Some(Duration::from_millis(2_500)),
        processes: Some(12_345),
    };
    let (status, text) = limited(limits, &["cat", "/proc/self/limits"]);
    assert!(status.success());
    let row = |name: &str| {
        let row = text
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        let values: Vec<_> = row.split_whitespace().take(2).collect();
        values.join(" ")
    };
    assert_eq!(row("Max address space"), "104857600 104857600");
    assert_eq!(row("Max cpu time"), "3 4");
    assert_eq!(row("Max processes"), "12345 12345");
    assert_eq!(row("Max core file size"), "0 0");
    let (_, text) = limited(Limits::default(), &["cat", "/proc/self/limits"]);
    assert!(
        text.contains("Max address space         unlimited"),
        "{text}"
    );
}

#[test]
fn an_allocation_beyond_the_memory_limit_fails() {
    let limits = Limits {
        memory: Some(32 << 20),
        ..Limits::default()
    };
    let copy = |size| ["dd", "if=/dev/zero", "of=/dev/null", "count=1", size];
    assert!(limited(limits, &copy("bs=1M")).0.success());
    let (status, text) = limited(limits, &copy("bs=64M"));
    assert!(
        !status.success() && text.contains("memory exhausted"),
        "{text}"
    );
}

#[test]
fn a_program_beyond_its_cpu_time_ends_by_a_signal() {
    let limits = Limits {
        cpu: Some(Duration::from_secs(1)),
        ..Limits::default()
    };
    let (status, _) = limited(limits, &["sh", "-c", "while :; do :; done"]);
    let xcpu = nix::sys::signal::Signal::SIGXCPU as i32;
    assert_eq!(status.signal(), Some(xcpu));
}

#[test]
fn programs_that_cannot_be_started_are_errors_of_the_caller() {
    let error = |word: &str| {
        let words = [word.to_owned()];
        Limits::default().command(&words).unwrap_err().kind()
    };
    use std::io::ErrorKind as Kind;
    assert_eq!(error("/no/such/program"), Kind::NotFound);
    assert_eq!(error("no-such-program-anywhere"), Kind::NotFound);
    assert_eq!(error("/etc"), Kind::NotFound);
    assert_eq!(error("/etc/passwd"), Kind::PermissionDenied);
    let none = Limits::default().command(&[]).unwrap_err();
    assert_eq!(none.kind(), Kind::InvalidInput);
}

/// Arguments are not words of the shell that sets the limits.
#[test]
fn arguments_arrive_as_they_are() {
    let arguments = ["printf", "%s|", "two words", "$HOME", "a;b", "'"];
    let (_, text) = limited(Limits::default(), &arguments);
    assert_eq!(text, "two words|$HOME|a;b|'|");
}
