//! Programs that converse in lines, and the limits of the operating system, with real shells.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::thread;
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

/// Starts a shell script whose `$1` is the path of a file that does not exist yet.
fn shell_with_file(script: &str, file: &Path) -> LineChild {
    let mut command = Command::new("sh");
    LineChild::start(command.args(["-c", script, "sh"]).arg(file), LOG).unwrap()
}

/// Waits for a condition.
fn until(mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONG;
    while !condition() {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a process has exited; its status may not have been collected.
fn until_exited(id: &str) {
    let path = format!("/proc/{}/stat", id.trim());
    until(|| fs::read_to_string(&path).map_or(true, |stat| stat.contains(") Z ")));
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

/// A descendant that left the group of the program may keep its ends of the pipes open.
#[test]
fn a_descendant_of_another_session_does_not_delay_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let script =
        "setsid sh -c 'echo $$ >\"$1.part\"; mv \"$1.part\" \"$1\"; exec sleep 600' sh \"$1\" &
                  while ! test -e \"$1\"; do sleep 0.01; done; echo last; exit 3";
    let mut child = shell_with_file(script, &file);
    assert_eq!(receive(&mut child).unwrap(), "last");
    let end = receive(&mut child);
    let descendant = fs::read_to_string(&file).unwrap();
    let killed = Command::new("kill")
        .arg(descendant.trim())
        .status()
        .unwrap();
    assert!(matches!(end, Err(LineError::Closed)), "{end:?}");
    let sent = child.send("more\n", Instant::now() + LONG);
    assert!(matches!(sent, Err(LineError::Closed)), "{sent:?}");
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(3));
    assert!(killed.success(), "the descendant has its own session");
}

/// A program that is killed in the middle of a line has not written that line.
#[test]
fn a_line_without_a_line_feed_is_dropped_at_the_end() {
    let mut child = shell("echo first; printf last; echo why >&2; exit 3");
    assert_eq!(receive(&mut child).unwrap(), "first");
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

/// A line that is there counts, even if the deadline has passed.
#[test]
fn a_line_or_an_end_that_is_there_needs_no_time() {
    let directory = tempfile::tempdir().unwrap();
    for (script, line) in [
        ("echo one; : >\"$1\"; exec sleep 600", Some("one")),
        ("exec >&-; : >\"$1\"; exec sleep 600", None),
    ] {
        let file = directory.path().join(line.unwrap_or("closed"));
        let mut child = shell_with_file(script, &file);
        until(|| file.exists());
        match (child.receive(Instant::now()), line) {
            (Ok(found), Some(line)) => assert_eq!(found.text, line),
            (Err(LineError::Closed), None) => {}
            (found, line) => panic!("{found:?}, not {line:?}"),
        }
    }
}

#[test]
fn nothing_can_be_sent_to_a_program_that_has_ended() {
    let mut child = shell("exec <&-; echo closed; exec sleep 600");
    assert_eq!(receive(&mut child).unwrap(), "closed");
    for _ in 0..2 {
        let sent = child.send("too late\n", Instant::now() + LONG);
        assert!(matches!(sent, Err(LineError::Closed)), "{sent:?}");
    }
}

/// Standard error is read with every line, also if the line was read before.
#[test]
fn the_log_is_read_with_a_line_that_waits() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("written");
    let script = "printf 'one\\ntwo\\n'; read -r _; echo why >&2; : >\"$1\"; exec sleep 600";
    let mut child = shell_with_file(script, &file);
    assert_eq!(receive(&mut child).unwrap(), "one");
    child.send("go on\n", Instant::now() + LONG).unwrap();
    until(|| file.exists());
    assert_eq!(receive(&mut child).unwrap(), "two");
    assert_eq!(child.take_log(), b"why\n");
}

/// The program writes more than a pipe holds once its input is closed, and then exits by itself.
#[test]
fn a_program_may_write_much_at_its_end() {
    let mut child = shell("read -r _; yes x | head -c 500000 >&2; exit 5");
    let end = child.end(LONG).unwrap();
    assert_eq!((end.status.code(), end.killed), (Some(5), false));
    let bytes = child.take_log().len() as u64 + child.dropped();
    assert_eq!(bytes, 500_000);
}

#[test]
fn the_log_of_a_program_that_has_exited_is_complete() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("id");
    let mut child = shell_with_file("echo bye >&2; echo $$ >\"$1\"; exit 3", &file);
    let mut id = String::new();
    until(|| {
        id = fs::read_to_string(&file).unwrap_or_default();
        id.ends_with('\n')
    });
    until_exited(&id);
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(3));
    assert_eq!(child.take_log(), b"bye\n");
}

/// The program closes its output first, and writes to its standard error at its end.
#[test]
fn the_log_goes_on_after_the_end_of_the_output() {
    let mut child = shell("exec >&-; read -r _; echo bye >&2; exit 3");
    assert!(matches!(receive(&mut child), Err(LineError::Closed)));
    assert_eq!(child.end(LONG).unwrap().status.code(), Some(3));
    assert_eq!(child.take_log(), b"bye\n");
}

/// A descendant in another session keeps the pipes open; the end does not wait for it.
#[test]
fn a_descendant_that_left_the_group_does_not_hold_up_the_end() {
    let mut child = shell("setsid sh -c 'echo $$; exec sleep 600' & read -r _; exit 6");
    let escaped = receive(&mut child).unwrap();
    let begun = Instant::now();
    let end = child.end(LONG).unwrap();
    assert_eq!((end.status.code(), end.killed), (Some(6), false));
    assert!(begun.elapsed() < LONG / 2);
    let killed = Command::new("kill").args(["-9", &escaped]).status();
    assert!(killed.unwrap().success());
}

/// Once the pipes are closed there is nothing to wait for. A busy machine may be slow at times.
#[test]
fn the_end_of_a_program_takes_no_longer_than_its_pipes_are_open() {
    let is_quick = || {
        let mut child = shell("exit 0");
        assert!(matches!(receive(&mut child), Err(LineError::Closed)));
        let begun = Instant::now();
        child.end(LONG).unwrap();
        begun.elapsed() < Duration::from_millis(400)
    };
    assert!((0..10).any(|_| is_quick()));
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

/// A long line is cut at its length, not at the pieces in which it arrives.
#[test]
fn a_long_line_in_two_pieces_is_cut_at_its_length() {
    let mut child = shell("printf %03000d 0; echo half >&2; read -r _; printf '%03000d\\n' 0");
    until(|| {
        assert_eq!(child.take_waiting().unwrap(), []);
        !child.take_log().is_empty()
    });
    child.send("go on\n", Instant::now() + LONG).unwrap();
    assert_eq!(receive(&mut child).unwrap(), "0".repeat(MAX_LINE));
}

#[test]
fn a_thousand_lines_wait_and_no_more() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("written");
    let mut child = shell_with_file("seq 1500; : >\"$1\"; exec sleep 600", &file);
    until(|| file.exists());
    let lines = child.take_waiting().unwrap();
    let numbers: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
    let expected: Vec<_> = (1..=1000).map(|number: u32| number.to_string()).collect();
    assert_eq!(numbers, expected);
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
