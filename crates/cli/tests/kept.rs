//! Matches with journals.
#![cfg(unix)]

mod common;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::events::{duoforge, ended, wait_for};
use common::{run, text};
use duoforge_journal::{Kind, read};
use tempfile::tempdir;

#[test]
fn a_match_keeps_the_same_journal() {
    let directory = tempdir().unwrap();
    let journal = directory.path().join("friday.journal");
    let arguments = [
        "match",
        "twin",
        "random:3",
        "--games",
        "2",
        "-q",
        "--journal",
        text(&journal),
    ];
    let played = run(&arguments);
    assert_eq!(played.status, 0, "{}", played.err);
    let history = read(&journal).unwrap().history;
    assert!(history.finished && history.header.kind == Kind::Match);
    assert_eq!(history.ended().count(), 2);
    assert!(history.games.values().all(|game| game.moves.len() > 10));
    // A journal is never overwritten.
    let again = run(&arguments);
    assert_eq!(again.status, 2);
    assert!(
        again.err.contains("duoforge::journal::finished"),
        "{}",
        again.err
    );
}

#[test]
fn a_finished_match_and_another_match_are_refused_for_different_reasons() {
    let directory = tempdir().unwrap();
    let refusal = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let output = duoforge(directory.path(), &words).output().unwrap();
        // Messages are wrapped, with a line at their left.
        let err = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        (output.status.code(), err)
    };
    let same = "match random:1 random:2 -q --journal m.journal";
    assert_eq!(refusal(same).0, Some(0));
    let before = fs::read(directory.path().join("m.journal")).unwrap();
    for (line, expected) in [
        (
            same,
            [
                "duoforge::journal::finished",
                "m.journal: the match is finished",
                "`duoforge games JOURNAL` lists its games",
                "--journal with another file plays the match again",
            ],
        ),
        (
            "match random:1 random:3 -q --journal m.journal",
            [
                "duoforge::journal::exists",
                "m.journal already exists, and is the journal of another match or event",
                "--journal names another file",
                "`duoforge resume JOURNAL` continues the event of a journal",
            ],
        ),
    ] {
        let (status, err) = refusal(line);
        assert_eq!(status, Some(2), "{err}");
        for text in expected {
            assert!(err.contains(text), "{text}: {err}");
        }
    }
    assert_eq!(
        fs::read(directory.path().join("m.journal")).unwrap(),
        before
    );
}

/// A journal stores the command line as text, and a name that is not UTF-8 would be changed by it.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_refuses_a_command_line_that_it_cannot_store() {
    use std::os::unix::ffi::OsStrExt as _;
    let directory = tempdir().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"b\xff\xe9d");
    let place = directory.path().join(odd);
    fs::create_dir(&place).unwrap();
    let words = ["match", "random:1", "random:2", "-q", "--record"];
    let mut command = duoforge(directory.path(), &words);
    command.arg(place.join("k.txt"));
    let output = command.arg("--journal").arg("k.journal").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).replace('│', " ");
    let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{err}");
    for text in [
        "b\u{fffd}\u{fffd}d/k.txt",
        "is not UTF-8",
        "leave out --journal",
    ] {
        assert!(err.contains(text), "{text}: {err}");
    }
    assert!(!directory.path().join("k.journal").exists());
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    // Without a journal, any name is permitted.
    let mut command = duoforge(directory.path(), &words);
    let output = command.arg(place.join("k.txt")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(place.join("k.txt").exists());
}

#[test]
fn a_match_that_was_killed_goes_on_with_its_command_line() {
    let directory = tempdir().unwrap();
    let journal = directory.path().join("friday.journal");
    let mut killed = false;
    let arguments = "match twin random:3 --games 60 --first alternate -q --journal friday.journal";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    for delay in [5_u64, 50, 100, 150] {
        let mut child = duoforge(directory.path(), &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(|| fs::metadata(&journal).is_ok_and(|file| file.len() > 0));
        thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        killed |= status.code().is_none();
        if status.code().is_some() {
            break;
        }
    }
    assert!(killed, "nothing was interrupted");
    let before = ended(&journal);
    let finished = read(&journal).unwrap().history.finished;
    if !finished {
        let output = duoforge(directory.path(), &["resume"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        let table = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(table.contains("twin"), "{table}");
    }
    let history = read(&journal).unwrap().history;
    assert!(history.finished);
    assert_eq!(history.ended().count(), 60);
    let after = ended(&journal);
    assert!(before.iter().all(|(game, known)| after[game] == *known));
    // Now the match is finished.
    let output = duoforge(directory.path(), &["resume", "friday.journal"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("duoforge::journal::finished"), "{text}");
}
