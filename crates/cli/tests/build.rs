//! Targets and builds on the command line. Tests of complete builds are in duoforge-targets.

mod common;
#[path = "common/foreign.rs"]
mod foreign;
#[cfg(unix)]
#[path = "common/programs.rs"]
mod programs;
#[cfg(unix)]
#[path = "build/scripts.rs"]
mod scripts;

use std::fs;

use assert_cmd::Command;
use common::{good, run, text};
use foreign::assert_kept;

#[test]
fn boards_are_listed_for_people_and_for_programs() {
    let list = good(&["boards"]);
    let array = run(&["boards", "--json"]).json();
    let boards = array[0].as_array().unwrap();
    assert_eq!(list.lines().count(), boards.len());
    for (line, board) in list.lines().zip(boards) {
        for key in ["name", "title"] {
            assert!(line.contains(board[key].as_str().unwrap()), "{line}");
        }
    }
    let main = &boards[0];
    assert_eq!(main["name"], "ulx3s-85f");
    assert_eq!(main["clock"]["crystal_hz"], 25_000_000);
    assert_eq!(main["tools"]["ecp5"]["package"], "CABGA381");
    assert_eq!(main["pins"][0]["site"], "G2");
}

#[test]
fn one_board_is_shown_with_its_pins() {
    let text = good(&["boards", "ulx3s-85f"]);
    for line in [
        "clock          50 MHz, from a crystal of 25 MHz",
        "omitted        nothing",
        "player         pattern",
        "R1    reset    FIRE1, high while pressed",
        "H3    light    D7: prompt superseded",
    ] {
        assert!(text.lines().any(|found| found == line), "{text}");
    }
    let board = run(&["boards", "ulx3s-85f", "--json"]).json();
    assert_eq!(board[0]["name"], "ulx3s-85f");
}

#[test]
fn an_unknown_board_is_answered_with_a_known_one() {
    for arguments in [&["boards", "ulx3s"][..], &["build", "--board", "ulx3s"]] {
        let run = run(arguments);
        assert_eq!(run.status, 2);
        assert!(run.err.contains("duoforge::target"), "{}", run.err);
        assert!(
            run.err.contains("no board is called 'ulx3s'"),
            "{}",
            run.err
        );
        assert!(
            run.err.contains("most similar name is ulx3s-85f"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_search_is_refused_where_the_chip_has_no_room() {
    let run = run(&["build", "--board", "hx8k-breakout", "--player", "search"]);
    assert_eq!(run.status, 2);
    let message = "there is no search for hx8k-breakout";
    assert!(
        run.err.contains(message) && run.err.contains("help:"),
        "{}",
        run.err
    );
}

#[test]
fn a_missing_tool_is_told_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let output = Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(["build", "--board", "ulx3s-85f", "--out", text(&out)])
        .env("DUOFORGE_ECPPACK", directory.path().join("missing"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("duoforge::tool"), "{error}");
    assert!(error.contains("DUOFORGE_ECPPACK names '"), "{error}");
    assert!(!out.exists());
}

#[test]
fn files_of_the_user_are_neither_overwritten_nor_removed() {
    let directory = tempfile::tempdir().unwrap();
    for name in [
        "report.json",
        "build.json",
        "board.vh",
        "player/controller.v",
    ] {
        assert_kept(directory.path(), "hx8k-breakout", name);
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let out = file.join("below");
    let run = run(&["build", "--board", "hx8k-breakout", "--out", text(&out)]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("duoforge::file"), "{}", run.err);
    assert!(run.err.contains("cannot be made"), "{}", run.err);
}
