//! Files that a match writes in addition to its journal: they keep earlier games, and no command writes
//! over an input.
#![cfg(unix)]

mod common;

use std::fs;
#[cfg(target_os = "linux")]
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use common::events::{duoforge, ended, wait_for};
use tempfile::tempdir;

/// Runs a command line in a directory; returns the exit status and the standard error.
fn run_in(directory: &Path, line: &str) -> (i32, String) {
    let words: Vec<&str> = line.split(' ').collect();
    let output = duoforge(directory, &words).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().expect("an exit status"), err)
}

const MATCH: &str =
    "match twin random:3 -q --games 2 --journal m.journal --record m.txt --log m.jsonl";

#[test]
fn a_match_that_is_refused_changes_no_file() {
    let directory = tempdir().unwrap();
    let files = || {
        ["m.journal", "m.txt", "m.jsonl"].map(|name| fs::read(directory.path().join(name)).unwrap())
    };
    assert_eq!(run_in(directory.path(), MATCH).0, 0);
    let before = files();
    assert!(before.iter().all(|content| content.len() > 100));
    let (status, err) = run_in(directory.path(), MATCH);
    assert_eq!(status, 2);
    assert!(err.contains("duoforge::journal::exists"), "{err}");
    assert_eq!(files(), before);
    let (status, err) = run_in(
        directory.path(),
        "match twin random:3 --journal n.journal --record none/n.txt",
    );
    assert_eq!(status, 2, "{err}");
    assert!(!directory.path().join("n.journal").exists());
}

#[test]
fn a_match_that_continues_keeps_the_games_of_its_list() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let line = "match engine:ms=5,threads=1 random:3 -q --games 40 --journal m.journal --record m.txt --log m.jsonl";
    let words: Vec<&str> = line.split(' ').collect();
    let mut child = duoforge(directory.path(), &words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let listed = || fs::read_to_string(place("m.txt")).unwrap_or_default();
    wait_for(|| listed().contains("# game 3:"));
    child.kill().unwrap();
    assert_eq!(
        child.wait().unwrap().code(),
        None,
        "the match was not interrupted"
    );
    let (before, games) = (listed(), ended(&place("m.journal")));
    assert!(games.len() < 40);
    let (status, err) = run_in(directory.path(), "resume m.journal -q");
    assert_eq!(status, 0, "{err}");
    assert!(listed().starts_with(&before));
    // The process may have been killed between the journal and the list.
    let heads = listed()
        .lines()
        .filter(|line| line.starts_with("# game"))
        .count();
    assert!((39..=40).contains(&heads), "{heads}");
    assert!(listed().contains("# game 40:"));
    let log = fs::read_to_string(place("m.jsonl")).unwrap();
    assert!(log.lines().next().unwrap().contains("\"game\":1,"));
    assert!(log.contains("{\"game\":40,"));
    for line in log.lines() {
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let (status, err) = run_in(directory.path(), "resume m.journal --save m.html");
    assert_eq!(status, 2, "{err}");
}

#[test]
fn no_file_is_named_twice() {
    let directory = tempdir().unwrap();
    assert_eq!(run_in(directory.path(), MATCH).0, 0);
    fs::hard_link(
        directory.path().join("m.journal"),
        directory.path().join("hard"),
    )
    .unwrap();
    for line in [
        "match twin random:3 -q --journal one --record one",
        "match twin random:3 -q --log one --record ./one",
        "match greedy greedy --variant classic-2 -q --journal one --record one",
        "games m.journal --out m.journal",
        "games m.journal --html ./m.journal",
        "games m.journal --out hard",
    ] {
        let before = fs::read(directory.path().join("m.journal")).unwrap();
        let (status, err) = run_in(directory.path(), line);
        assert_eq!(status, 2, "{line}: {err}");
        assert!(err.contains("is named twice"), "{line}: {err}");
        assert_eq!(
            fs::read(directory.path().join("m.journal")).unwrap(),
            before
        );
    }
    // Devices may be named twice.
    let line = "match twin random:3 -q --log /dev/null --record /dev/null";
    assert_eq!(run_in(directory.path(), line).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_ends_no_match() {
    let directory = tempdir().unwrap();
    let words: Vec<&str> = MATCH.split(' ').collect();
    let status = duoforge(directory.path(), &words)
        .stdout(Stdio::null())
        .stderr(File::options().write(true).open("/dev/full").unwrap())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(ended(&directory.path().join("m.journal")).len(), 2);
}

#[test]
fn a_match_that_is_stopped_has_a_negative_result() {
    let directory = tempdir().unwrap();
    for players in ["twin random:3", "greedy greedy --variant classic-2"] {
        let line = format!("match {players} -q --games 2000");
        let words: Vec<&str> = line.split(' ').collect();
        let mut child = duoforge(directory.path(), &words).spawn().unwrap();
        // The first game has ended, so that the interrupt is caught.
        let mut out = BufReader::new(child.stdout.take().unwrap());
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
        let rest = thread::spawn(move || io::copy(&mut out, &mut io::sink()));
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(
            Command::new("kill")
                .args(interrupt)
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        rest.join().unwrap().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains("of 2000 games"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_is_written_although_its_output_is_full() {
    let directory = tempdir().unwrap();
    assert_eq!(run_in(directory.path(), MATCH).0, 0);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let words = ["ladder", "m.journal", "--save", "ladder.md"];
    let output = duoforge(directory.path(), &words)
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(directory.path().join("ladder.md").exists());
    // The result of a reader that has gone is that of the command, and no file is lost.
    for (line, status) in [
        ("conform exec:/bin/true --only 1 --junit checks.xml", 1),
        ("sim --games 1 --junit checks.xml", 0),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let mut child = duoforge(directory.path(), &words).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{line}");
        fs::remove_file(directory.path().join("checks.xml")).unwrap();
    }
    let (status, err) = run_in(directory.path(), "ladder m.journal --save none/ladder.md");
    assert_eq!(status, 2);
    assert!(err.contains("none/ladder.md cannot be written"), "{err}");
}
