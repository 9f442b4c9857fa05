//! Standard output and error that are closed or full, errors, and Ctrl-C.
#![cfg(unix)]

mod common;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::{good, lab};

fn start(directory: &Path, arguments: &[&str], out: Stdio) -> Child {
    Command::new(env!("CARGO_BIN_EXE_duoforge-lab"))
        .current_dir(directory)
        .args(arguments)
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Runs the program with a standard output whose reader is gone.
fn unread(directory: &Path, arguments: &[&str]) -> Output {
    let mut child = start(directory, arguments, Stdio::piped());
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends")
}

/// Opens a device that is always full.
#[cfg(target_os = "linux")]
fn full() -> Stdio {
    let file = File::options().write(true).open("/dev/full");
    file.expect("the device").into()
}

/// Commands that print, with the files that they write.
fn commands(directory: &Path) -> Vec<(Vec<&'static str>, Option<&'static str>)> {
    let games = ["games", "pattern", "random", "--games", "2", "--out", "own"];
    good(directory, &games);
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/data/table-level-8.jsonl.gz");
    let play = ["match", "random", "pattern", "--pairs", "1"];
    let compare = ["compare", table, "pattern", "random", "--count", "2"];
    let list = [
        (&play[..], &["--json", "match.json"][..], Some("match.json")),
        (&compare, &["--json", "rows.json"], Some("rows.json")),
        (&compare, &[], None),
        (&compare, &["--choices", "choices"], Some("choices")),
        (&games[..5], &["--out", "games"], Some("games")),
        (&["merge", "own"], &["--out", "merged"], Some("merged")),
        (&["positions", "own"], &["--out", "some"], Some("some")),
        (
            &["book", "pattern", "--plies", "1"],
            &["--out", "b"],
            Some("b"),
        ),
        (&["openings", "--pairs", "3"], &[], None),
        (&["keys", "engine"], &[], None),
        (&["learn", "own"], &[], None),
        (&["agree", "own", "sims=2,children=2"], &[], None),
    ];
    let list = list.map(|(command, options, file)| ([command, options].concat(), file));
    list.into()
}

#[test]
fn a_closed_standard_output_ends_commands_quietly_after_their_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (arguments, file) in commands(directory) {
        let output = unread(directory, &arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert!(
            !errors.contains("panicked") && !errors.contains("error"),
            "{errors}"
        );
        if let Some(file) = file {
            let length = fs::metadata(directory.join(file)).map(|file| file.len());
            assert!(length.is_ok_and(|length| length > 0), "{file}");
        }
    }
    let choices = fs::read_to_string(directory.join("choices")).expect("a file");
    assert_eq!(choices.lines().count(), 5, "two searches in two positions");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_after_the_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (arguments, file) in commands(directory) {
        let output = start(directory, &arguments, full()).wait_with_output();
        let output = output.expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        let expected = "error: standard output cannot be written: No space left on device";
        assert!(errors.contains(expected), "{errors}");
        if let Some(file) = file {
            let length = fs::metadata(directory.join(file)).map(|file| file.len());
            assert!(length.is_ok_and(|length| length > 0), "{file}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_changes_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoforge-lab"));
        let command = command.current_dir(directory).args(arguments);
        command.stderr(full()).output().expect("it starts")
    };
    let output = run(&["match", "random", "pattern", "--pairs", "2"]);
    assert!(output.status.success());
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.contains("4 in 2 pairs"), "{report}");
    assert_eq!(run(&["merge", "none"]).status.code(), Some(2));
}

#[test]
fn errors_name_each_cause_once() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for arguments in [
        &["learn", "none"][..],
        &["merge", "none"],
        &["samples", "none", "--out", "out"],
        &["match", "pattern", "gtp:/none/program"],
        &["compare", "none", "pattern"],
    ] {
        let output = lab(directory, arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.matches("No such file").count(), 1, "{errors}");
        assert_eq!(errors.matches("none").count(), 1, "{errors}");
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
}

/// Waits for the end of a program, for half a minute at most.
fn end(child: &mut Child) -> ExitStatus {
    for _ in 0..600 {
        if let Some(status) = child.try_wait().expect("a status") {
            return status;
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("it is killed");
    panic!("the program goes on after Ctrl-C");
}

#[test]
fn an_interrupt_keeps_the_lines_that_are_written() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let games = ["games", "pattern", "random", "--games", "20"];
    good(directory, &[&games[..], &["--out", "games"]].concat());
    let searches = ["sims=2,children=2", "sims=6000", "sims=6001"];
    for (arguments, most) in [
        (&["openings", "--pairs", "100000"][..], 99_999),
        // The second search ends early, and the third does not begin.
        (&[&["agree", "games"], &searches[..]].concat(), 2),
    ] {
        let mut child = start(directory, arguments, Stdio::piped());
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, first) = mpsc::channel();
        let reader = thread::spawn(move || {
            let line = lines.next().expect("a line");
            sender.send(line).expect("the test waits");
            1 + lines.count()
        });
        if first.recv_timeout(Duration::from_secs(30)).is_err() {
            child.kill().expect("it is killed");
            panic!("{arguments:?} prints nothing");
        }
        interrupt(&child);
        assert_eq!(end(&mut child).code(), Some(130), "{arguments:?}");
        let count = reader.join().expect("the lines");
        assert!((1..=most).contains(&count), "{count} lines");
    }
}

#[test]
fn an_interrupt_ends_commands_that_keep_nothing_at_once() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let made = Command::new("mkfifo").arg(directory.join("pipe")).status();
    assert!(made.expect("mkfifo starts").success());
    for arguments in [
        &["learn", "pipe"][..],
        &["learn", "--maxn", "pipe"],
        &["positions", "pipe", "--out", "positions"],
    ] {
        let mut child = start(directory, arguments, Stdio::null());
        // The program reads the pipe, which stays open.
        let pipe = File::options().write(true).open(directory.join("pipe"));
        interrupt(&child);
        assert_eq!(end(&mut child).code(), Some(130), "{arguments:?}");
        drop(pipe);
    }
    assert!(!directory.join("positions").exists());
}

#[test]
fn a_second_interrupt_ends_the_engines_too() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let alive = directory.join("alive");
    let made = Command::new("mkfifo").arg(&alive).status();
    assert!(made.expect("mkfifo starts").success());
    // The engine holds the pipe open, and reads nothing that could end it.
    fs::write(directory.join("engine"), "exec sleep 1000 3>alive\n").expect("a script");
    let arguments = ["match", "random", "gtp:sh engine", "--pairs", "1"];
    let mut child = start(directory, &arguments, Stdio::null());
    let (sender, events) = mpsc::channel();
    thread::spawn(move || {
        let mut pipe = File::open(alive).expect("the pipe");
        sender.send("start").expect("the test waits");
        pipe.read_to_end(&mut Vec::new()).expect("no data");
        sender.send("end").expect("the test waits");
    });
    let expect = |event: &str, child: &mut Child| {
        if events.recv_timeout(Duration::from_secs(30)) != Ok(event) {
            let _ = child.kill();
            panic!("no {event} of the engine");
        }
    };
    expect("start", &mut child);
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    interrupt(&child);
    // The program has handled the first signal once its notice is there.
    while !(errors.next().expect("a notice").expect("a line")).contains("Ctrl-C again") {}
    interrupt(&child);
    assert_eq!(end(&mut child).code(), Some(130));
    expect("end", &mut child);
}
