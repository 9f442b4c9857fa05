//! Commands and outputs in the README and the guide.

use std::fs;
use std::path::Path;
use std::process::Command;

fn duoforge() -> Command {
    Command::new(env!("CARGO_BIN_EXE_duoforge"))
}

fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    page("README.md")
}

fn page(name: &str) -> String {
    fs::read_to_string(crate_directory().join("../..").join(name)).expect("a page")
}

#[test]
fn the_picture_is_what_the_program_draws() {
    let assets = crate_directory().join("assets");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let drawn = directory.path().join("game.svg");
    let status = duoforge()
        .arg("replay")
        .arg(assets.join("game.txt"))
        .arg("--svg")
        .arg(&drawn)
        .output()
        .expect("it starts")
        .status;
    assert!(status.success());
    let [drawn, committed] = [drawn, assets.join("game.svg")].map(fs::read_to_string);
    assert_eq!(
        drawn.expect("a drawing"),
        committed.expect("the committed drawing")
    );
    assert!(readme().contains("crates/cli/assets/game.svg"));
}

#[test]
fn the_pictured_game_is_the_one_that_the_program_plays() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let record = directory.path().join("game.txt");
    let output = duoforge()
        .args(["match", "twin", "pattern", "--quiet", "--record"])
        .arg(&record)
        .output()
        .expect("it starts");
    assert!(output.status.success());
    let committed =
        fs::read_to_string(crate_directory().join("assets/game.txt")).expect("the game");
    assert_eq!(fs::read_to_string(record).expect("the record"), committed);
    let result = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = result
        .lines()
        .find(|line| line.starts_with("game 1:"))
        .expect("a result");
    assert!(readme().contains(line), "the README does not show {line:?}");
}

#[test]
fn every_command_of_the_readme_exists() {
    every_command_exists(&readme(), 10);
}

#[test]
fn every_command_of_the_guide_exists() {
    every_command_exists(&page("docs/guide.md"), 20);
    every_command_exists(&page("docs/performance.md"), 1);
}

#[test]
fn every_command_of_the_tutorials_exists() {
    let directory = crate_directory().join("../../docs/tutorials");
    let entries = fs::read_dir(directory).expect("the directory of the tutorials");
    let mut pages = 0;
    for entry in entries {
        let page = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        every_command_exists(&page, 1);
        pages += 1;
    }
    assert!(pages >= 2, "only {pages} tutorials");
}

/// Asserts that every line of a page that begins with the program's name is a command, and that
/// there are at least `expected` of them.
fn every_command_exists(page: &str, expected: usize) {
    let lines = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix("duoforge "));
    let mut seen = 0;
    for line in lines {
        exists(line);
        seen += 1;
    }
    assert!(seen >= expected, "only {seen} commands found");
}

#[test]
fn every_command_of_the_verification_table_exists() {
    let table = fs::read_to_string(crate_directory().join("../../docs/verification.md"));
    let table = table.expect("the table");
    let spans = table.split('`').skip(1).step_by(2);
    let commands = spans.filter_map(|span| span.strip_prefix("duoforge "));
    let mut seen = 0;
    for command in commands {
        exists(command);
        seen += 1;
    }
    assert!(seen >= 5, "only {seen} commands found");
}

/// Asserts that the program has this command with these options.
fn exists(line: &str) {
    let line = line
        .split('#')
        .next()
        .unwrap_or(line)
        .trim()
        .trim_end_matches('&')
        .trim();
    // Words in quotation marks belong to other programs.
    let own: String = line.split('"').step_by(2).collect();
    let mut words = own.split_whitespace();
    let command = words.next().expect("a subcommand");
    let help = duoforge()
        .args([command, "--help"])
        .output()
        .expect("it starts");
    assert!(help.status.success(), "duoforge {command}");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for flag in words.filter(|word| word.starts_with("--")) {
        let flag = flag.split('=').next().unwrap_or(flag);
        assert!(help.contains(flag), "duoforge {command} has no {flag}");
    }
}
