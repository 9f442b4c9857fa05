//! Checks that the table of `docs/verification.md` names existing checks and commands, and that
//! every claim has a row.

use std::fs;
use std::path::{Path, PathBuf};

use crate::figures::{DOCUMENTS, group, names_of};

/// Section of the rows without a check.
const PENDING: &str = "Checks being added";

/// Row of the table.
#[derive(Debug)]
struct Row {
    section: String,
    cells: [String; 4],
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns all rows of all tables, without heads and rules.
fn rows(document: &str) -> Vec<Row> {
    let mut section = String::new();
    let mut rows = Vec::new();
    for line in document.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        }
        let Some(line) = line.strip_prefix("| ") else {
            continue;
        };
        if line.starts_with("claim | ") {
            continue;
        }
        let cells: Vec<_> = line
            .trim_end_matches(" |")
            .split(" | ")
            .map(str::to_owned)
            .collect();
        let cells = cells
            .try_into()
            .unwrap_or_else(|cells| panic!("a row has four cells: {cells:?}"));
        let section = section.clone();
        rows.push(Row { section, cells });
    }
    rows
}

/// Returns the code spans of a cell.
fn spans(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns the titles of a document and its sections.
fn titles(document: &str) -> Vec<&str> {
    let mut code = false;
    let outside = |line: &&str| {
        code ^= line.starts_with("```");
        !code && line.starts_with('#')
    };
    let lines = document.lines().filter(outside);
    lines
        .map(|line| line.trim_start_matches('#').trim())
        .collect()
}

/// Returns true if the file, or a source in the directory, defines a test or test function with
/// this name. Names that macros derive from a prefix count by the prefix.
fn is_defined(place: &Path, name: &str) -> bool {
    if place.is_dir() {
        let entries = fs::read_dir(place).expect("a directory that can be read");
        let mut entries = entries.map(|entry| entry.expect("an entry").path());
        return entries.any(|path| {
            let source = path.extension().is_some_and(|it| it == "rs");
            (source || path.is_dir()) && is_defined(&path, name)
        });
    }
    let text = fs::read_to_string(place).unwrap_or_default();
    text.lines().any(|line| {
        let line = line.trim();
        line.strip_prefix("fn ")
            .or_else(|| line.strip_prefix("def "))
            .or(Some(line).filter(|line| line.contains(": ") && line.ends_with(';')))
            .is_some_and(|rest| rest.starts_with(name))
    })
}

/// Returns an error text if a code span of the table names nothing that exists.
fn fault(span: &str) -> Option<String> {
    // Variables before a command belong to it.
    let is_variable = |word: &&str| word.contains('=') && !word.starts_with('-');
    let words: Vec<&str> = span.split_whitespace().skip_while(is_variable).collect();
    let after = |option: &str| {
        let place = words.iter().position(|word| *word == option)?;
        words.get(place + 1).copied()
    };
    let exists = match words.as_slice() {
        ["cargo", "xtask", command, ..] => crate::HELP.contains(&format!("\n  {command} ")),
        ["cargo", "test", ..] => {
            let package = after("-p").unwrap_or_default().replace("duoforge", "cli");
            let directory = match package.strip_prefix("cli-") {
                Some(name) if root().join(name).is_dir() => name.to_owned(),
                Some(name) => format!("crates/{name}"),
                None => format!("crates/{package}"),
            };
            let test = after("--test").unwrap_or_default();
            root()
                .join(format!("{directory}/tests/{test}.rs"))
                .is_file()
                || root()
                    .join(format!("{directory}/tests/{test}/main.rs"))
                    .is_file()
        }
        ["cargo", "bench", ..] => {
            let bench = after("--bench").unwrap_or_default();
            root().join(format!("benches/benches/{bench}.rs")).is_file()
                || root()
                    .join(format!("benches/benches/{bench}/main.rs"))
                    .is_file()
        }
        // Separate tests check the commands of these programs.
        ["duoforge" | "duoforge-lab", _, ..] => true,
        [one] => match one.split_once("::") {
            Some((place, name)) => is_defined(&root().join(place), name),
            None => one.contains('/') && root().join(one).exists(),
        },
        _ => false,
    };
    (!exists).then(|| format!("`{span}` names nothing"))
}

#[test]
fn every_row_names_checks_that_exist() {
    let rows = rows(&read("docs/verification.md"));
    assert!(rows.len() >= 50, "only {} rows", rows.len());
    let mut faults = Vec::new();
    for row in &rows {
        let [claim, checks, bound, place] = &row.cells;
        if row.section == PENDING {
            let waits = checks.starts_with("pending: ") && bound == "pending" && place == "pending";
            assert!(waits, "{claim}: it does not wait for its check");
            continue;
        }
        assert!(!bound.is_empty(), "{claim}: no bound");
        assert!(!spans(place).is_empty(), "{claim}: no command");
        let named = spans(checks).len() + spans(bound).len();
        assert!(named > 0, "{claim}: no check");
        let commands = spans(place).into_iter();
        faults.extend(spans(checks).into_iter().chain(commands).filter_map(fault));
        let named = spans(bound).into_iter().filter(|span| span.contains("::"));
        faults.extend(named.filter_map(fault));
    }
    assert_eq!(faults, [""; 0]);
}

#[test]
fn a_name_that_does_not_exist_is_a_fault() {
    for good in [
        "crates/xtask/src/claims.rs::a_name_that_does_not_exist_is_a_fault",
        "crates/xtask/src::a_name_that_does_not_exist",
        "tests/tests/hardware/board::icarus_games",
        "hdl/formal/parser",
        "docs/proofs.md",
        "cargo xtask test",
        "A_VARIABLE=1 cargo test -p duoforge --test readme name",
        "cargo test -p duoforge-tests --test hardware",
        "cargo bench -p duoforge-benches --bench rules",
        "cargo bench -p duoforge-benches --bench host",
        "duoforge sim --gates",
    ] {
        assert_eq!(fault(good), None);
    }
    for bad in [
        "crates/xtask/src/claims.rs::no_such_test",
        "crates/nothing::a_name_that_does_not_exist_is_a_fault",
        "hdl/formal/nothing",
        "nothing",
        "cargo xtask nothing",
        "cargo test -p duoforge --test nothing",
        "cargo test -p duoforge-nothing --test readme",
        "cargo bench -p duoforge-benches --bench nothing",
        "make all",
        "",
    ] {
        assert!(fault(bad).is_some(), "{bad}");
    }
}

/// Every section of the README has a group of claims, and every figure of a page is a claim.
#[test]
fn every_section_of_the_readme_and_every_figure_has_rows() {
    let (readme, table) = (read("README.md"), read("docs/verification.md"));
    let rows = rows(&table);
    for title in titles(&readme) {
        let has_rows = rows.iter().any(|row| row.section == title);
        assert!(has_rows, "no row is about the section {title:?}");
    }
    let claimed: Vec<_> = names_of(&table);
    for page in DOCUMENTS {
        for name in names_of(&read(page)) {
            let group = group(&name);
            let has_row = claimed.iter().any(|it| it.starts_with(group));
            assert!(has_row, "{page}: no row states a figure of {group}");
        }
    }
}

#[test]
fn every_proof_is_named() {
    let table = read("docs/verification.md");
    for entry in fs::read_dir(root().join("hdl/formal")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(table.contains(&format!("`hdl/formal/{name}`")), "{name}");
        }
    }
}
