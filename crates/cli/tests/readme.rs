//! Commands and outputs in the README and the guide.

use std::collections::BTreeSet;
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

/// Pages with the commands of matches and devices.
fn pages_of_matches() -> Vec<String> {
    let tutorials = crate_directory().join("../../docs/tutorials");
    let entries = fs::read_dir(tutorials).expect("the directory of the tutorials");
    let pages = entries.map(|entry| fs::read_to_string(entry.expect("an entry").path()));
    let mut pages: Vec<_> = pages.map(|page| page.expect("a page")).collect();
    pages.extend([readme(), page("docs/guide.md")]);
    pages
}

/// Value of an option in a command line.
fn value<'a>(line: &'a str, option: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == option)?;
    words.next()
}

#[test]
fn the_path_of_a_device_in_the_background_is_awaited() {
    let mut seen = 0;
    for page in pages_of_matches() {
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            let is_device = line.starts_with("duoforge device ") && line.ends_with(" &");
            let Some(path) = value(line, "--pty").filter(|_| is_device) else {
                continue;
            };
            let next = lines.next().expect("a line after the device");
            assert!(
                next.starts_with(&format!("until [ -e {path} ]; do ")),
                "{next}"
            );
            seen += 1;
        }
    }
    assert!(seen >= 2, "only {seen} devices in the background");
}

#[test]
fn each_match_of_a_page_has_its_own_journal() {
    let mut seen = 0;
    for page in pages_of_matches() {
        let matches = page
            .lines()
            .filter(|line| line.starts_with("duoforge match "));
        let journals: Vec<_> = matches
            .filter_map(|line| value(line, "--journal"))
            .collect();
        seen += journals.len();
        let distinct: BTreeSet<_> = journals.iter().collect();
        assert_eq!(distinct.len(), journals.len(), "{journals:?}");
    }
    assert!(seen >= 2, "only {seen} journals");
}

/// Runs a step of the workflow in the tutorial, as GitHub's `bash` does.
#[cfg(unix)]
#[test]
fn the_summary_of_the_workflow_succeeds_with_and_without_each_file() {
    let tutorial = page("docs/tutorials/ci.md");
    let (_, step) = tutorial.split_once("- name: Summary").expect("the step");
    let (_, step) = step.split_once("run: |\n").expect("the script");
    let script = step
        .lines()
        .map_while(|line| line.strip_prefix("          "))
        .fold(String::new(), |text, line| text + line + "\n");
    for files in [
        &["conform.txt"][..],
        &["match.txt"],
        &["conform.txt", "match.txt"],
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for name in files {
            fs::write(directory.path().join(name), format!("{name}\n")).expect("a file");
        }
        let status = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
            .current_dir(directory.path())
            .env("GITHUB_STEP_SUMMARY", "summary.md")
            .status()
            .expect("bash starts");
        assert!(status.success(), "{files:?}: {script}");
        let summary = fs::read_to_string(directory.path().join("summary.md"));
        let shown: String = files
            .iter()
            .map(|name| format!("```\n{name}\n```\n"))
            .collect();
        assert_eq!(summary.expect("the summary"), shown);
    }
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
