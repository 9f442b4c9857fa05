//! Mutants of the host's crates: cargo-mutants creates and tests them, this module records the
//! results.

mod outcomes;
mod report;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::{Workspace, cargo};
use outcomes::Lab;
use report::{Report, Row};

/// Version of cargo-mutants for the committed figures.
const VERSION: &str = "27.1.0";

/// Crates that are measured by default, without the prefix `duoforge-` of their packages.
const CRATES: [&str; 14] = [
    "rules",
    "protocol",
    "process",
    "links",
    "records",
    "gtp",
    "rating",
    "journal",
    "tournament",
    "referee",
    "players",
    "conform",
    "twin",
    "engine",
];

/// Seconds after which the tests of a mutant hang.
const TIMEOUT: &str = "300";

const DATA: &str = "docs/host-mutations.json";
const PAGE: &str = "docs/host-mutations.md";

const HELP: &str = "\
Count how many faults in the host's crates their tests catch, with cargo-mutants

Usage: cargo xtask host-mutations [OPTIONS]

Options:
  --package NAME  Measure this crate, such as `rules`; may be given more than once
                  [default: all fourteen]
  --shard I/N     Measure mutants I, I+N, I+2N and so on of each crate [default: 0/1, all]
  --tuned         Mark the rows: tests were written while looking at survivors of this shard
  --write         Put the rows into docs/host-mutations.json and docs/host-mutations.md
  --render        Write docs/host-mutations.md from the json, and measure nothing
  --help          Print this text

The tests run without documentation examples, with 32 cases for each property and 1,000 inputs for
each parser. Exit status 1 if a crate has a mutant that no test catches and no reason explains.
";

/// Options of the command.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    crates: Vec<String>,
    shard: String,
    tuned: bool,
    write: bool,
    render: bool,
}

impl Options {
    fn read(options: &[&str]) -> Result<Self> {
        let mut read = Self {
            crates: Vec::new(),
            shard: "0/1".to_owned(),
            tuned: false,
            write: false,
            render: false,
        };
        let mut rest = options.iter();
        while let Some(&option) = rest.next() {
            let mut value = || {
                rest.next()
                    .with_context(|| format!("{option} takes a value"))
            };
            match option {
                "--package" => {
                    let name = value()?.trim_start_matches("duoforge-");
                    ensure!(
                        CRATES.contains(&name),
                        "--package {name}: expected one of {}",
                        CRATES.join(", ")
                    );
                    read.crates.push(name.to_owned());
                }
                "--shard" => {
                    let shard = value()?;
                    ensure!(
                        is_shard(shard),
                        "--shard {shard}: expected I/N with I from 0 to N - 1, such as 0/4"
                    );
                    read.shard = (*shard).to_owned();
                }
                "--tuned" => read.tuned = true,
                "--write" => read.write = true,
                "--render" => read.render = true,
                _ => bail!("`host-mutations` has no option '{option}'; see --help"),
            }
        }
        if read.crates.is_empty() {
            read.crates = CRATES.map(str::to_owned).to_vec();
        }
        Ok(read)
    }
}

fn is_shard(text: &str) -> bool {
    let Some((index, number)) = text.split_once('/') else {
        return false;
    };
    match (index.parse::<u32>(), number.parse::<u32>()) {
        (Ok(index), Ok(number)) => index < number,
        _ => false,
    }
}

/// Measures crates and prints the table.
///
/// # Errors
/// If an option is invalid, if the pinned cargo-mutants is missing, if the tests fail without a
/// mutation, or if a survivor of this run has no reason.
pub fn run(workspace: &Workspace, options: &[&str]) -> Result<()> {
    if options.iter().any(|&it| it == "--help" || it == "-h") {
        print!("{HELP}");
        return Ok(());
    }
    let options = Options::read(options)?;
    let data = workspace.root().join(DATA);
    let page = workspace.root().join(PAGE);
    if options.render {
        return Report::load(&data)?.save(&data, &page);
    }
    check_version()?;
    let mut unexplained = 0;
    for name in &options.crates {
        let row = measure(workspace, name, &options)?;
        // Read after the long run: reasons may have been written in the meantime.
        let mut report = Report::load(&data)?;
        let row = report.take(VERSION, row);
        println!("{}\n{}", report::HEAD, row.line());
        for survivor in &row.survivors {
            println!("{survivor}");
        }
        unexplained += row
            .survivors
            .iter()
            .filter(|it| it.reason.is_none())
            .count();
        // Written after each crate, so that an interrupted run keeps its results.
        if options.write {
            report.save(&data, &page)?;
        }
    }
    ensure!(unexplained == 0, "{unexplained} survivors have no reason");
    Ok(())
}

fn check_version() -> Result<()> {
    let output = Command::new(cargo())
        .args(["mutants", "--version"])
        .output();
    let found = output.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    let found = found.context("cargo could not be started")?;
    ensure!(
        found == format!("cargo-mutants {VERSION}"),
        "cargo-mutants {VERSION} is needed, found '{found}': \
         cargo install --locked cargo-mutants --version {VERSION}"
    );
    Ok(())
}

/// Packages whose tests run for the mutants of a crate. Games of the referee need players.
fn testers(name: &str) -> &'static [&'static str] {
    match name {
        "referee" => &["duoforge-referee", "duoforge-players"],
        _ => &[],
    }
}

/// Runs cargo-mutants on a shard of a crate.
fn measure(workspace: &Workspace, name: &str, options: &Options) -> Result<Row> {
    let target = workspace.root().join("target/host-mutations");
    let output = target.join(name);
    fs::create_dir_all(&output)?;
    let package = format!("duoforge-{name}");
    let start = Instant::now();
    let status = Command::new(cargo())
        .args(["mutants", "--package", &package, "--shard", &options.shard])
        .args(["--sharding", "round-robin", "--no-shuffle", "--jobs", "1"])
        // The unmutated baseline runs the tests of this package alone, and a loaded machine is slow:
        // a limit derived from it ends tests that do not hang.
        .args(["--timeout", TIMEOUT])
        .args(
            testers(name)
                .iter()
                .flat_map(|package| ["--test-package", package]),
        )
        .args(["--colors", "never", "--output"])
        .arg(&output)
        .current_dir(workspace.root())
        // The mutated copy shares the compiled dependencies with earlier runs.
        .env("CARGO_TARGET_DIR", target.join("build"))
        .env("PROPTEST_CASES", "32")
        .env("DUOFORGE_INPUTS", "1000")
        .status()
        .context("cargo could not be started")?;
    // 0: all caught; 2: some missed; 3: some timed out. Any other status is not a measurement.
    ensure!(
        matches!(status.code(), Some(0 | 2 | 3)),
        "cargo mutants ended with {status}; its logs are in {}",
        output.display()
    );
    let lab = Lab::read(&output.join("mutants.out/outcomes.json"))?;
    let listed = list(workspace, &package)?;
    Ok(lab.row(name, &options.shard, listed, options.tuned, start.elapsed()))
}

/// Returns the number of mutants of a package.
fn list(workspace: &Workspace, package: &str) -> Result<usize> {
    let output = Command::new(cargo())
        .args(["mutants", "--list", "--package", package])
        .current_dir(workspace.root())
        .output()
        .context("cargo could not be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}

/// Reads a file of the repository, with its path in the error.
fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_wrong_ones_refused() {
        let all = Options::read(&[]).unwrap();
        assert_eq!((all.crates.len(), all.shard.as_str()), (14, "0/1"));
        let some = [
            "--package",
            "rules",
            "--package",
            "duoforge-gtp",
            "--shard",
            "3/4",
        ];
        let some = Options::read(&[&some[..], &["--write", "--tuned"]].concat()).unwrap();
        assert_eq!(some.crates, ["rules", "gtp"]);
        assert_eq!(
            (some.shard.as_str(), some.write, some.tuned, some.render),
            ("3/4", true, true, false)
        );
        for (wrong, text) in [
            (
                &["--package", "cli"][..],
                "--package cli: expected one of rules",
            ),
            (&["--shard", "4/4"], "--shard 4/4: expected I/N"),
            (&["--shard", "1"], "--shard 1: expected I/N"),
            (&["--shard", "x/2"], "--shard x/2: expected I/N"),
            (&["--shard"], "--shard takes a value"),
            (&["--fast"], "has no option '--fast'"),
        ] {
            let error = Options::read(wrong).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn the_page_is_what_the_data_say() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let report = Report::load(&root.join(DATA)).unwrap();
        assert_eq!(
            read(&root.join(PAGE)).unwrap(),
            report.page(),
            "cargo xtask host-mutations --render writes it"
        );
    }
}
