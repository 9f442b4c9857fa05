//! Matches and training games in shards, run like a user does: merged results equal those of a
//! single run.
#![cfg(unix)]

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{good, lab};

/// Runs a campaign whole and in three shards, one of them killed; returns the merged report.
fn merged(directory: &Path, campaign: &[&str], option: &str) -> String {
    let run = |name: &str, more: &[&str]| {
        good(directory, &[campaign, &[option, name], more].concat());
        fs::read(directory.join(name)).expect("results")
    };
    let single = run("single", &[]);
    let shards = ["0", "1", "2"];
    for shard in shards {
        let whole = run(shard, &["--shard", &format!("{shard}/3")]);
        fs::write(directory.join(shard), &whole[..whole.len() - 3]).expect("a file");
        assert_eq!(run(shard, &["--shard", &format!("{shard}/3")]), whole);
    }
    let report = good(directory, &["merge", "2", "0", "1", "--out", "merged"]);
    assert!(fs::read(directory.join("merged")).expect("results") == single);
    let gap = lab(directory, &["merge", "0", "2"]);
    let errors = String::from_utf8_lossy(&gap.stderr).into_owned();
    assert_eq!(gap.status.code(), Some(2), "{errors}");
    assert!(errors.contains("shard 1/3"), "{errors}");
    report
}

#[test]
fn a_match_of_three_shards_is_that_of_one_run() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let campaign = [
        "match",
        "search:sims=40",
        "pattern",
        "--pairs",
        "5",
        "--seed",
        "4",
    ];
    let report = merged(
        directory,
        &[&campaign[..], &["--jobs", "2"]].concat(),
        "--results",
    );
    assert!(report.contains("10 in 5 pairs"), "{report}");
    // The same match without shards has the same score.
    let plain = good(directory, &campaign);
    for name in ["score", "margin", "first"] {
        let line = |text: &str| {
            text.lines()
                .find(|line| line.starts_with(name))
                .map(str::to_owned)
        };
        assert!(line(&report).is_some(), "{report}");
        assert_eq!(line(&report), line(&plain));
    }
}

#[test]
fn a_match_from_listed_openings_has_the_games_of_the_random_ones() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let list = good(directory, &["openings", "--pairs", "3", "--seed", "4"]);
    assert_eq!(list.lines().count(), 3);
    // A list of openings cannot hold the empty board.
    let empty = lab(directory, &["openings", "--openings", "empty"]);
    assert_eq!(empty.status.code(), Some(2));
    fs::write(directory.join("list"), &list).expect("a file");
    let games = |name: &str, more: &[&str]| {
        let campaign = ["match", "random", "pattern", "--pairs", "3", "--seed", "4"];
        good(directory, &[&campaign, more, &["--results", name]].concat());
        let text = fs::read_to_string(directory.join(name)).expect("results");
        let pairs: Vec<_> = text.lines().skip(1).map(str::to_owned).collect();
        assert_eq!(pairs.len(), 3);
        pairs
    };
    let listed = games("listed", &["--openings", "list:list"]);
    assert_eq!(listed, games("drawn", &[]));
    for (pair, opening) in listed.iter().zip(list.lines()) {
        assert!(pair.contains(&format!("\"{opening} ")), "{pair}");
    }
}

#[test]
fn a_match_is_completed_only_with_the_lines_of_its_list() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let list = good(directory, &["openings", "--pairs", "3", "--seed", "4"]);
    let lines: Vec<_> = list.lines().collect();
    let play = |list: &str, name: &str, shard: &str| {
        let openings = format!("list:{list}");
        let options = ["--openings", &openings, "--results", name, "--shard", shard];
        let campaign = ["match", "random", "pattern", "--pairs", "2"];
        let output = lab(directory, &[&campaign[..], &options].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    // The third line is not played.
    fs::write(directory.join("list"), &list).expect("a file");
    fs::write(directory.join("same"), lines[..2].join("\n")).expect("a file");
    fs::write(directory.join("other"), [lines[0], lines[2]].join("\n")).expect("a file");
    assert_eq!(play("list", "a", "0/2").0, Some(0));
    assert_eq!(play("same", "a", "0/2").0, Some(0));
    let (status, errors) = play("other", "a", "0/2");
    assert_eq!(status, Some(2), "{errors}");
    assert!(
        errors.contains("a belongs to another campaign: openings"),
        "{errors}"
    );
    assert_eq!(play("other", "b", "1/2").0, Some(0));
    assert_eq!(lab(directory, &["merge", "a", "b"]).status.code(), Some(2));
}

#[test]
fn matches_with_one_opponent_are_compared_pair_by_pair() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let play = |player: &str, seed: &str, file: &str, shard: &str| {
        let campaign = ["match", player, "random", "--pairs", "4", "--seed", seed];
        let options = ["--results", file, "--shard", shard];
        good(directory, &[&campaign[..], &options].concat());
    };
    play("random", "4", "old", "0/1");
    play("pattern", "4", "new-0", "0/2");
    play("pattern", "4", "new-1", "1/2");
    let rows = |files: &[&str]| -> Vec<Vec<String>> {
        let text = good(directory, &[&["difference"], files].concat());
        let rows = text.lines().skip(2);
        rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect())
            .collect()
    };
    // Both shards are one match, in whatever order.
    let all = rows(&["old", "new-1", "new-0"]);
    let names: Vec<_> = all.iter().map(|row| &row[1..3]).collect();
    assert_eq!(names, [["random", "4"], ["pattern", "4"]]);
    assert_eq!(all[0][7..9], ["4", "+0.000 +- 0.000"]);
    // The merged report has the score and the margin of the row.
    let report = good(directory, &["merge", "new-0", "new-1"]);
    let score = format!("score    {}", all[1][3]);
    assert!(report.contains(&score), "{report}\n{score}");
    // One shard has two of the pairs, numbers 1 and 3.
    let part = rows(&["new-1", "old"]);
    assert_eq!((&*part[0][2], &*part[1][2], &*part[1][7]), ("2", "4", "2"));
    play("pattern", "5", "other", "0/1");
    let output = lab(directory, &["difference", "old", "other"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("pattern has seed 5, expected 4"),
        "{errors}"
    );
}

#[test]
fn the_record_of_a_completed_match_has_all_games() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let campaign = ["match", "random", "pattern", "--pairs", "3"];
    let files = ["--results", "results", "--record", "record"];
    let run = || {
        good(directory, &[&campaign[..], &files].concat());
        let text = fs::read_to_string(directory.join("record")).expect("a file");
        let mut games: Vec<_> = text.lines().map(str::to_owned).collect();
        games.sort();
        games
    };
    let games = run();
    assert_eq!(games.len(), 6);
    assert_eq!(run(), games);
    let results = fs::read_to_string(directory.join("results")).expect("a file");
    let part: Vec<_> = results.lines().take(2).collect();
    fs::write(directory.join("results"), part.join("\n") + "\n").expect("a file");
    assert_eq!(run(), games);
}

#[test]
fn training_games_of_three_shards_are_those_of_one_run() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let campaign = ["games", "random", "pattern", "--games", "8", "--drawn", "2"];
    let report = merged(directory, &campaign, "--out");
    assert_eq!(report, "8 training games, seed 1\n");
    // The merged file is read as games.
    let agreement = good(
        directory,
        &["agree", "merged", "sims=5,children=8", "--step", "40"],
    );
    assert!(agreement.contains("sims=5"), "{agreement}");
}

#[test]
fn each_position_of_games_is_distilled_once() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let games = ["games", "pattern", "random", "--games", "3", "--drawn", "0"];
    good(directory, &[&games[..], &["--out", "games"]].concat());
    let text = fs::read_to_string(directory.join("games")).expect("games");
    let mut positions = HashSet::new();
    for line in text.lines().skip(1) {
        let moves = line.split("\"moves\":\"").nth(1).expect("moves");
        let moves: Vec<_> = moves.split('"').next().expect("moves").split(' ').collect();
        for (ply, _) in moves
            .iter()
            .enumerate()
            .filter(|(_, code)| **code != "0000")
        {
            positions.insert(moves[..ply].join(" "));
        }
    }
    let written = good(directory, &["distil", "games", "games", "--out", "samples"]);
    let count = positions.len();
    assert_eq!(written, format!("{count} positions in samples\n"));
    let size = fs::metadata(directory.join("samples"))
        .expect("a file")
        .len();
    assert_eq!(size, 91 * 148 + count as u64 * 2_984);
    let refused = lab(directory, &["distil", "games", "--out", "games"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(fs::read_to_string(directory.join("games")).is_ok_and(|after| after == text));
}

/// The layout of the samples is that of `crates/lab/src/self_play/samples.rs`.
#[test]
fn samples_of_three_shards_are_all_searched_positions() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let settings = "threads=1,early_stop=0,endgame_mobility=0,sims=30";
    let campaign = ["self-play", settings, "--games", "4", "--seed", "6"];
    let report = merged(directory, &campaign, "--out");
    assert_eq!(report, "4 games of self-play, seed 6\n");
    let games = fs::read_to_string(directory.join("merged")).expect("games");
    let searches = games.matches("\"ply\":").count();
    assert!(searches > 60, "{searches}");
    let written = good(directory, &["samples", "2", "0", "1", "--out", "samples"]);
    assert_eq!(written, format!("{searches} positions in samples\n"));
    let size = fs::metadata(directory.join("samples"))
        .expect("a file")
        .len();
    assert_eq!(size, 91 * 148 + searches as u64 * 2_984);
    good(directory, &["samples", "merged", "--out", "again"]);
    let read = |name: &str| fs::read(directory.join(name)).expect("samples");
    assert!(read("samples") == read("again"));
    // A command that fails leaves the file of an earlier one.
    let illegal = games.replacen("\"moves\":\"", "\"moves\":\"53e0 53e0 ", 1);
    fs::write(directory.join("illegal"), illegal).expect("a file");
    let failed = lab(directory, &["samples", "illegal", "--out", "again"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(read("samples") == read("again"));
    for (settings, part) in [
        ("threads=1", "set sims=N"),
        ("threads=2,sims=30", "set threads=1"),
    ] {
        let refused = lab(directory, &["self-play", settings, "--out", "none"]);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn results_that_are_no_games_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let campaign = [
        "match",
        "random",
        "pattern",
        "--pairs",
        "1",
        "--results",
        "a",
    ];
    good(directory, &campaign);
    let path: PathBuf = directory.join("a");
    let text = fs::read_to_string(&path).expect("results");
    let (before, after) = text.split_once("\"scores\":[[").expect("scores");
    let (_, after) = after.split_once("]]").expect("scores");
    let forged = format!("{before}\"scores\":[[9,9],[9,9]]{after}");
    for (text, expected) in [
        (forged, "the score is"),
        (
            text.replace("\"games\":[\"", "\"games\":[\"53e0 53e0 "),
            "53e0 is illegal",
        ),
        (
            text.replace("lab-match", "sim"),
            "campaign sim is not one of lab-match, lab-games",
        ),
    ] {
        fs::write(&path, text).expect("a file");
        let output = lab(directory, &["merge", "a"]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}
