//! Files of the command line: inputs stay, refused commands write nothing, and a failed write ends
//! the work.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::{good, lab};

/// Runs a command that must fail; returns its standard error.
fn refused(directory: &Path, arguments: &[&str]) -> String {
    let output = lab(directory, arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    errors
}

#[test]
fn outputs_that_are_inputs_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let games = ["games", "pattern", "random", "--games", "3"];
    good(directory, &[&games[..], &["--out", "games"]].concat());
    let settings = "threads=1,early_stop=0,endgame_mobility=0,sims=5";
    let self_play = ["self-play", settings, "--games", "1", "--out", "searched"];
    good(directory, &self_play);
    good(directory, &["positions", "games", "--out", "positions"]);
    fs::create_dir(directory.join("below")).expect("a directory");
    for name in ["games", "searched", "positions"] {
        let before = fs::read(directory.join(name)).expect("a file");
        let [linked, hard] = ["linked", "hard"].map(|link| format!("{name}-{link}"));
        symlink(name, directory.join(&linked)).expect("a link");
        fs::hard_link(directory.join(name), directory.join(&hard)).expect("a link");
        let dots = format!("below/../{name}");
        let command = match name {
            "games" => &["positions", "games"][..],
            "searched" => &["samples", "searched"],
            _ => &["evaluate", "positions", "gtp:false"],
        };
        for out in [name, &linked, &hard, &dots] {
            let errors = refused(directory, &[command, &["--out", out]].concat());
            let expected = format!("error: --out {out} is the input {name}: expected another file");
            assert_eq!(errors.trim_end(), expected);
            let after = fs::read(directory.join(name)).expect("a file");
            assert!(before == after, "{out}");
        }
    }
    let excluded = ["positions", "games", "--exclude", "positions"];
    refused(
        directory,
        &[&excluded[..], &["--out", "positions"]].concat(),
    );
    refused(directory, &["merge", "games", "--out", "below/../games"]);
    // The unfinished output of `distil` and `samples` would replace its input.
    for (command, input) in [("distil", "games"), ("samples", "searched")] {
        let part = format!("{command}.part");
        fs::copy(directory.join(input), directory.join(&part)).expect("a copy");
        let before = fs::read(directory.join(&part)).expect("a file");
        let errors = refused(directory, &[command, &part, "--out", command]);
        let expected = format!("{part} is the input {part}: expected another file");
        assert!(
            errors.starts_with("error: the unfinished output "),
            "{errors}"
        );
        assert!(errors.trim_end().ends_with(&expected), "{errors}");
        assert!(before == fs::read(directory.join(&part)).expect("a file"));
    }
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/data/table-level-8.jsonl.gz");
    fs::copy(table, directory.join("table.gz")).expect("a table");
    let compare = ["compare", "table.gz", "pattern", "--json", "table.gz"];
    refused(directory, &compare);
}

#[test]
fn outputs_that_are_one_file_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    fs::write(directory.join("list"), "53e0 a8e0\n").expect("a file");
    let play = ["match", "pattern", "random", "--pairs", "1"];
    let listed = [&play[..], &["--openings", "list:list"]].concat();
    for (options, expected) in [
        (
            ["--json", "one", "--record", "./one"],
            "--json one and --record ./one are one file: expected two files",
        ),
        (
            ["--results", "one", "--json", "one"],
            "--results one and --json one are one file",
        ),
        (
            ["--json", "one", "--record", "list"],
            "--record list is the input list: expected another file",
        ),
    ] {
        let errors = refused(directory, &[&listed[..], &options].concat());
        assert!(errors.contains(expected), "{errors}");
        assert!(!directory.join("one").exists());
    }
    // A device is not overwritten.
    good(
        directory,
        &[&play[..], &["--json", "/dev/null", "--record", "/dev/null"]].concat(),
    );
}

#[test]
fn a_refused_command_leaves_the_files_of_earlier_ones() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let results = [
        "match",
        "random",
        "pattern",
        "--pairs",
        "1",
        "--results",
        "other",
    ];
    good(directory, &results);
    let other = fs::read(directory.join("other")).expect("a file");
    fs::write(directory.join("record"), "53e0\n").expect("a file");
    fs::write(directory.join("json"), "{}\n").expect("a file");
    let options = ["--pairs", "1", "--record", "record", "--json", "json"];
    for (player, results, expected) in [
        ("gtp:/no/such/program", "new", "B cannot be opened"),
        ("pattern", "other", "other belongs to another campaign: a"),
        ("pattern", "none/new", "none/new cannot be opened"),
    ] {
        let more = ["match", "pattern", player, "--results", results];
        let errors = refused(directory, &[&more[..], &options].concat());
        assert!(errors.contains(expected), "{errors}");
        let read = |name: &str| fs::read_to_string(directory.join(name)).expect("a file");
        assert_eq!(read("record"), "53e0\n");
        assert_eq!(read("json"), "{}\n");
        assert_eq!(read("other").as_bytes(), other);
        assert!(!directory.join("new").exists());
    }
    let missing = ["match", "pattern", "random", "--json", "none/json"];
    let errors = refused(directory, &[&missing[..], &options[..4]].concat());
    assert!(
        errors.contains("none/json cannot be written") && !errors.contains("pairs"),
        "{errors}"
    );
    let games = ["games", "pattern", "gtp:/no/such/program", "--out", "new"];
    refused(directory, &games);
    let book = ["book", "gtp:/no/such/program", "--out", "new"];
    refused(directory, &book);
    assert!(!directory.join("new").exists() && !directory.join("new.recipe").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_ends_the_match() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    fs::write(directory.join("list"), "53e0 a8e0\n".repeat(400)).expect("a file");
    let play = ["match", "random", "random", "--pairs", "400"];
    let play = [&play[..], &["--openings", "list:list"]].concat();
    let errors = refused(directory, &[&play[..], &["--record", "/dev/full"]].concat());
    assert!(
        errors.contains("/dev/full cannot be written: No space left"),
        "{errors}"
    );
    let pairs = errors.matches("of 400 pairs").count();
    assert!(pairs < 100, "{pairs}");

    // The file of results may have one block.
    let limited = Command::new("sh")
        .current_dir(directory)
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_duoforge-lab"))
        .args([&play[..], &["--results", "results"]].concat())
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{errors}");
    assert!(errors.contains("results cannot be written"), "{errors}");
    let pairs = errors.matches("of 400 pairs").count();
    assert!(pairs < 100, "{pairs}");
}
