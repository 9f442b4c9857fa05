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
        again.err.contains("duoforge::journal::exists"),
        "{}",
        again.err
    );
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
