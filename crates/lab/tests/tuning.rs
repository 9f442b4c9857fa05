//! Tuning by games, run like a user does.
#![cfg(unix)]

mod common;

use std::fs;

use common::{good, lab};

const TUNE: [&str; 9] = [
    "tune",
    "search:sims=25,children=12,win_value=500",
    "win_value=80",
    "exploration",
    "--pairs",
    "3",
    "--seed",
    "5",
    "--results",
];

#[test]
fn a_run_that_was_killed_or_continued_ends_like_a_single_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let run = |name: &str, iterations: &str, jobs: &str| {
        let more = [name, "--iterations", iterations, "--jobs", jobs];
        let report = good(directory, &[&TUNE[..], &more].concat());
        (
            report,
            fs::read_to_string(directory.join(name)).expect("a file"),
        )
    };
    let (report, single) = run("single", "6", "1");
    assert_eq!(single.lines().count(), 7);
    // Each line has the values that are printed for the last one.
    let last: serde_json::Value =
        serde_json::from_str(single.lines().last().expect("a line")).expect("JSON");
    let [exploration, win_value] = ["exploration", "win_value"].map(|key| &last["values"][key]);
    assert_eq!(
        report,
        format!(
            "36 games\nsearch:sims=25,children=12,exploration={exploration},win_value={win_value}\n"
        )
    );
    assert_ne!(
        (exploration.as_u64(), win_value.as_u64()),
        (Some(40), Some(500))
    );
    // Killed in its fourth iteration, then continued by two jobs.
    let part = single.lines().take(4).collect::<Vec<_>>().join("\n");
    fs::write(directory.join("killed"), part + "\n{\"item\":3,").expect("a file");
    assert_eq!(run("killed", "6", "2"), (report.clone(), single.clone()));
    run("longer", "2", "1");
    assert_eq!(run("longer", "6", "1"), (report, single));
}

#[test]
fn wrong_keys_and_files_of_other_runs_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    good(
        directory,
        &[&TUNE[..], &["file", "--iterations", "1"]].concat(),
    );
    for (arguments, expected) in [
        (
            &["tune", "pattern", "exploration", "--results", "new"][..],
            "pattern has no keys",
        ),
        (
            &["tune", "search:sims=5", "depth", "--results", "new"],
            "unknown key `depth`",
        ),
        (
            &["tune", "search:sims=5", "exploration", "--results", "file"],
            "file",
        ),
        (
            &["tune", "search:ms=5", "exploration", "--results", "new"],
            "search:ms=5 does not repeat its games: expected a search with sims=N",
        ),
        (
            &[
                "tune",
                "engine:sims=5,threads=2",
                "exploration",
                "--results",
                "new",
            ],
            "and threads=1 for engine",
        ),
        (
            &[
                "tune",
                "search:sims=5",
                "exploration",
                "--pairs",
                "0",
                "--results",
                "new",
            ],
            "0 is not in 1..=10000000",
        ),
    ] {
        let output = lab(directory, arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
        assert!(!directory.join("new").exists());
    }
}
