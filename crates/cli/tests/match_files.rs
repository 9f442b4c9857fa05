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
use duoforge_journal::read;
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
    assert!(err.contains("duoforge::journal::finished"), "{err}");
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
    // The process may have been killed between the journal and the list, which has all games.
    let heads = listed()
        .lines()
        .filter(|line| line.starts_with("# game"))
        .count();
    assert_eq!(heads, 40);
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
        directory.path().join("hard.txt"),
    )
    .unwrap();
    let plan = "event = \"E\"\nformat = \"round-robin\"\n[[player]]\nspec = \"random:1\"\n\
                [[player]]\nspec = \"pattern\"\n";
    fs::write(directory.path().join("plan.txt"), plan).unwrap();
    fs::write(directory.path().join("list"), "53e0 a8e0\n").unwrap();
    let files = ["m.journal", "plan.txt", "list"].map(|name| directory.path().join(name));
    for line in [
        "match twin random:3 -q --journal one --record one",
        "match twin random:3 -q --log one --record ./one",
        "match greedy greedy --variant classic-2 -q --journal one --record one",
        "games m.journal --out m.journal",
        "games m.journal --html ./m.journal",
        "games m.journal --out hard.txt",
        "tournament plan.txt --journal plan.txt -q",
        "tournament plan.txt --save plan.txt -q",
        "tournament plan.txt --journal new.txt --save ./new.txt -q",
        "resume m.journal --save hard.txt",
        "ladder hard.txt --save hard.txt",
        "replay list --svg list",
        "show --file list --svg ./list",
        "annotate list --html list",
        "convert list list --ply 1",
    ] {
        let before = files.each_ref().map(|file| fs::read(file).unwrap());
        let (status, err) = run_in(directory.path(), line);
        assert_eq!(status, 2, "{line}: {err}");
        assert!(err.contains("is named twice"), "{line}: {err}");
        let after = files.each_ref().map(|file| fs::read(file).unwrap());
        assert!(after == before, "{line}");
    }
    let (status, err) = run_in(directory.path(), "ladder . --save hard.txt");
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("hard.txt is a journal, not a report"), "{err}");
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

/// Standard output that takes no bytes, or is closed, costs no finished game.
#[cfg(target_os = "linux")]
#[test]
fn a_game_is_kept_although_its_board_cannot_be_shown() {
    for players in ["pattern random:1", "greedy:1 greedy:2 --variant classic-2"] {
        let is_duo = !players.contains("--variant");
        let log = if is_duo { " --log wire.txt" } else { "" };
        let line = format!("match {players} --record games.txt --journal m.journal{log}");
        let words: Vec<&str> = line.split(' ').collect();
        for is_closed in [false, true] {
            let directory = tempdir().unwrap();
            let mut command = duoforge(directory.path(), &words);
            if !is_closed {
                command.stdout(File::options().write(true).open("/dev/full").unwrap());
            }
            let mut child = command.spawn().unwrap();
            drop(child.stdout.take());
            let status = child.wait().unwrap().code();
            assert_eq!(status, Some(if is_closed { 0 } else { 2 }), "{line}");
            let history = read(&directory.path().join("m.journal")).unwrap().history;
            let games = history.ended().count() + history.variant_games.ended().count();
            assert_eq!((games, history.finished), (1, true), "{line}");
            let listed = fs::read_to_string(directory.path().join("games.txt")).unwrap();
            assert!(listed.starts_with("# game 1: "), "{line}: {listed}");
            if is_duo {
                let log = fs::read_to_string(directory.path().join("wire.txt")).unwrap();
                assert!(log.starts_with("# game 1\n"), "{log}");
            }
        }
    }
}

/// A disk that is full after the first game: its list and its wire log are devices that take no
/// bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_continues_completes_its_files() {
    for (players, log) in [
        ("pattern random:1", "wire.txt"),
        ("pattern random:1", "wire.jsonl"),
        ("greedy:1 greedy:2 --variant classic-2", ""),
    ] {
        let directory = tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        let of = |journal: &str, list: &str| {
            let log = if log.is_empty() || journal == "calm" {
                String::new()
            } else {
                format!(" --log {log}")
            };
            format!(
                "match {players} -q --games 3 --first alternate --journal {journal} --record {list}{log}"
            )
        };
        assert_eq!(run_in(directory.path(), &of("calm", "calm.txt")).0, 0);
        for name in ["games.txt", log] {
            if !name.is_empty() {
                std::os::unix::fs::symlink("/dev/full", place(name)).unwrap();
            }
        }
        let (status, err) = run_in(directory.path(), &of("m.journal", "games.txt"));
        assert_eq!(status, 2, "{err}");
        for name in ["games.txt", log] {
            if !name.is_empty() {
                fs::remove_file(place(name)).unwrap();
            }
        }
        // The disk has space again.
        let (status, err) = run_in(directory.path(), "resume m.journal -q");
        assert_eq!(status, 0, "{err}");
        let listed = |name: &str| fs::read_to_string(place(name)).unwrap();
        let (list, calm) = (listed("games.txt"), listed("calm.txt"));
        assert_eq!(list.matches("# game ").count(), 3, "{list}");
        let game = |list: &str| list.split_once("# game 2").unwrap().0.to_owned();
        assert_eq!(game(&list), game(&calm));
        let (first, second) = match log {
            "" => continue,
            "wire.txt" => ("# game 1: missing, ", "\n# game 2\n"),
            _ => ("{\"game\":1,\"missing\":true}\n", "\n{\"game\":2,\"names\""),
        };
        let log = listed(log);
        assert!(log.starts_with(first) && log.contains(second), "{log}");
        assert!(err.contains("are missing: 1\n"), "{err}");
    }
}

/// A process that is killed while it writes a wire log leaves a part of a game.
#[cfg(target_os = "linux")]
#[test]
fn a_wire_log_is_cut_back_to_its_last_complete_game() {
    for name in ["wire.txt", "wire.jsonl"] {
        let directory = tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        let line = format!(
            "match pattern random:1 -q --games 4 --journal m.journal --log {name} --record games.txt"
        );
        // The list can take no bytes, so that the match stops after each game.
        std::os::unix::fs::symlink("/dev/full", place("games.txt")).unwrap();
        assert_eq!(run_in(directory.path(), &line).0, 2);
        let first = fs::read_to_string(place(name)).unwrap();
        assert_eq!(run_in(directory.path(), "resume m.journal -q").0, 2);
        let both = fs::read_to_string(place(name)).unwrap();
        assert!(both.starts_with(&first), "{both}");
        let cut = first.len() + (both.len() - first.len()) / 2;
        fs::write(place(name), &both[..cut]).unwrap();
        fs::remove_file(place("games.txt")).unwrap();
        let (status, err) = run_in(directory.path(), "resume m.journal -q");
        assert_eq!(status, 0, "{err}");
        assert!(err.contains("are missing: 2\n"), "{err}");
        let log = fs::read_to_string(place(name)).unwrap();
        let rest = log.strip_prefix(&first).unwrap();
        let (missing, third) = rest.split_once('\n').unwrap();
        let (two, three) = match name {
            "wire.txt" => ("# game 2: missing, ", "# game 3\n"),
            _ => ("{\"game\":2,\"missing\":true}", "{\"game\":3,"),
        };
        assert!(missing.starts_with(two), "{missing}");
        assert!(third.starts_with(three), "{third}");
        let listed = fs::read_to_string(place("games.txt")).unwrap();
        assert_eq!(listed.matches("# game ").count(), 4, "{listed}");
        if name == "wire.jsonl" {
            let (status, err) = run_in(directory.path(), "monitor --log wire.jsonl");
            assert_eq!(status, 0, "{err}");
        }
    }
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

/// The command of a program may have line breaks, and a comment has one line.
#[test]
fn a_name_of_several_lines_is_one_line_of_a_list_and_a_log() {
    let directory = tempdir().unwrap();
    let player = "exec:sh -c \"true\nfalse\"";
    let words = "match PLAYER random:1 -q --record r.txt --log r.log";
    let words: Vec<_> = words
        .split(' ')
        .map(|word| if word == "PLAYER" { player } else { word })
        .collect();
    let played = duoforge(directory.path(), &words).output().unwrap();
    assert_eq!(played.status.code(), Some(1));
    for name in ["r.txt", "r.log"] {
        let text = fs::read_to_string(directory.path().join(name)).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        assert!(lines.iter().any(|line| line.contains("false")), "{text}");
        assert!(
            !lines.iter().any(|line| line.starts_with("false")),
            "{text}"
        );
    }
}
