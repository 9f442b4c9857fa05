//! Floors of the test step: the minimum number of tests that each test binary must pass, and the
//! maximum number that it may ignore.
//!
//! A run below the committed floors fails, so that no change of a manifest, a filter or an
//! attribute silently removes tests. `cargo xtask floors` raises floors to the counts of the last
//! run; a floor is lowered only by editing the file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::counts::{Binary, Counts};

/// File of the committed floors.
pub const FLOORS: &str = "crates/xtask/floors.toml";

/// File with the counts of the last run in which no test failed.
pub const LAST: &str = "target/test-counts.toml";

const HEAD: &str = "\
# Fewest tests that each test binary passes, and most that it ignores, by the package's directory.
# `cargo xtask test` fails below a floor. `cargo xtask floors` raises floors to the counts of the last run;
# to lower one, edit this file.
";

/// Limits of one test binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    /// Minimum number of passed tests.
    passed: u64,
    /// Maximum number of ignored tests.
    #[serde(default)]
    ignored: u64,
}

/// Limits by package directory and target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Floors(BTreeMap<String, BTreeMap<String, Floor>>);

impl Floors {
    /// Reads a file of floors.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("{} could not be read", path.display()))?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Writes a file of floors.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, self.text())
            .with_context(|| format!("{} could not be written", path.display()))
    }

    /// Returns true if a test binary has a floor.
    #[cfg(test)]
    pub fn has(&self, package: &str, target: &str) -> bool {
        self.0
            .get(package)
            .is_some_and(|targets| targets.contains_key(target))
    }

    /// Converts the counts of a run to floors.
    pub fn of(ran: &BTreeMap<Binary, Counts>) -> Self {
        let mut floors = Self::default();
        for (binary, counts) in ran {
            let package = floors.0.entry(binary.package.clone()).or_default();
            let floor = Floor {
                passed: counts.passed,
                ignored: counts.ignored,
            };
            package.insert(binary.target.clone(), floor);
        }
        floors
    }

    /// Raises every floor to the counts of a run, and adds binaries without a floor. A floor above
    /// the run's count stays, and so does the floor of a missing binary.
    pub fn raise(&mut self, run: &Self) {
        for (package, targets) in &run.0 {
            let floors = self.0.entry(package.clone()).or_default();
            for (target, &ran) in targets {
                let floor = floors.entry(target.clone()).or_insert(ran);
                floor.passed = floor.passed.max(ran.passed);
                floor.ignored = floor.ignored.min(ran.ignored);
            }
        }
    }

    /// Returns the faults of a run: nothing ran, a binary is missing or was built without giving a
    /// result, too few tests passed, or too many were ignored. A binary without a floor may not
    /// ignore any test.
    pub fn faults(&self, ran: &BTreeMap<Binary, Counts>, silent: &[Binary]) -> Vec<String> {
        let mut faults = Vec::new();
        if ran.is_empty() {
            faults.push("no test binary ran".to_owned());
        }
        if self.0.is_empty() {
            faults.push(format!("{FLOORS} holds no floor"));
        }
        for binary in silent {
            faults.push(format!("{binary}: built, but gave no result"));
        }
        let run = Self::of(ran);
        for (package, targets) in &self.0 {
            for (target, floor) in targets {
                let name = format!("{package}, {target}");
                let Some(ran) = run.0.get(package).and_then(|ran| ran.get(target)) else {
                    faults.push(format!("{name}: did not run, and has a floor"));
                    continue;
                };
                if ran.passed < floor.passed {
                    faults.push(format!(
                        "{name}: {} tests passed, expected at least {}",
                        ran.passed, floor.passed
                    ));
                }
            }
        }
        for (binary, counts) in ran {
            let floor = self.0.get(&binary.package);
            let floor = floor.and_then(|floors| floors.get(&binary.target));
            let most = floor.map_or(0, |floor| floor.ignored);
            if counts.ignored > most {
                let ignored = counts.ignored;
                faults.push(format!(
                    "{binary}: {ignored} tests ignored, expected at most {most}"
                ));
            }
        }
        faults
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (package, targets) in &self.0 {
            let _ = writeln!(text, "\n[{package:?}]");
            for (target, Floor { passed, ignored }) in targets {
                let ignored = match ignored {
                    0 => String::new(),
                    _ => format!(", ignored = {ignored}"),
                };
                let _ = writeln!(text, "{target:?} = {{ passed = {passed}{ignored} }}");
            }
        }
        text
    }
}

/// Raises the committed floors to the counts of the last run.
///
/// # Errors
/// If there was no such run, or a file cannot be read or written.
pub fn raise(root: &Path) -> Result<()> {
    let last = root.join(LAST);
    ensure!(
        last.exists(),
        "{LAST} does not exist: run `cargo xtask test` first"
    );
    let run = Floors::load(&last)?;
    let path = root.join(FLOORS);
    let mut floors = match path.exists() {
        true => Floors::load(&path)?,
        false => Floors::default(),
    };
    let before = floors.clone();
    floors.raise(&run);
    floors.save(&path)?;
    match before == floors {
        true => println!("{FLOORS}: no floor is below the last run"),
        false => println!("{FLOORS}: raised"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(counts: &[(&str, &str, u64, u64)]) -> BTreeMap<Binary, Counts> {
        let entry = |&(package, target, passed, ignored): &(&str, &str, u64, u64)| {
            let binary = Binary {
                package: package.to_owned(),
                target: target.to_owned(),
            };
            let counts = Counts {
                passed,
                failed: 0,
                ignored,
            };
            (binary, counts)
        };
        counts.iter().map(entry).collect()
    }

    fn floors() -> Floors {
        Floors::of(&run(&[
            ("crates/rules", "lib", 10, 0),
            ("crates/rules", "test oracle", 4, 1),
            ("hdl", "lib", 0, 0),
        ]))
    }

    #[test]
    fn a_run_as_good_as_the_floors_has_no_fault() {
        let ran = run(&[
            ("crates/rules", "lib", 11, 0),
            ("crates/rules", "test oracle", 4, 0),
            ("hdl", "lib", 0, 0),
            ("hdl", "test new", 2, 0),
        ]);
        assert_eq!(floors().faults(&ran, &[]), [""; 0]);
    }

    #[test]
    fn no_test_binary_ran_is_a_fault_whatever_the_floors_are() {
        let faults = Floors::default().faults(&BTreeMap::new(), &[]);
        let expected = [
            "no test binary ran",
            "crates/xtask/floors.toml holds no floor",
        ];
        assert_eq!(faults, expected);
        let faults = floors().faults(&BTreeMap::new(), &[]);
        assert_eq!(faults[0], "no test binary ran");
        assert_eq!(faults.len(), 4);
    }

    #[test]
    fn fewer_tests_a_lost_binary_and_more_ignored_ones_are_faults() {
        let ran = run(&[
            ("crates/rules", "lib", 9, 0),
            ("crates/rules", "test oracle", 4, 2),
            ("hdl", "test new", 2, 1),
        ]);
        let silent = [Binary {
            package: "sim".to_owned(),
            target: "test lint".to_owned(),
        }];
        let expected = [
            "sim, test lint: built, but gave no result",
            "crates/rules, lib: 9 tests passed, expected at least 10",
            "hdl, lib: did not run, and has a floor",
            "crates/rules, test oracle: 2 tests ignored, expected at most 1",
            "hdl, test new: 1 tests ignored, expected at most 0",
        ];
        assert_eq!(floors().faults(&ran, &silent), expected);
    }

    #[test]
    fn floors_are_raised_and_never_lowered() {
        let mut raised = floors();
        raised.raise(&Floors::of(&run(&[
            ("crates/rules", "lib", 9, 0),
            ("crates/rules", "test oracle", 6, 2),
            ("sim", "test new", 3, 1),
        ])));
        let expected = Floors::of(&run(&[
            ("crates/rules", "lib", 10, 0),
            ("crates/rules", "test oracle", 6, 1),
            ("hdl", "lib", 0, 0),
            ("sim", "test new", 3, 1),
        ]));
        assert_eq!(raised, expected);
        raised.raise(&Floors::of(&run(&[("crates/rules", "test oracle", 6, 0)])));
        assert!(raised.text().contains("\"test oracle\" = { passed = 6 }\n"));
    }

    #[test]
    fn the_file_comes_back_as_it_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("some/floors.toml");
        floors().save(&path).unwrap();
        assert_eq!(Floors::load(&path).unwrap(), floors());
        fs::write(&path, "[hdl]\nlib = { passed = 1, skipped = 2 }\n").unwrap();
        assert!(Floors::load(&path).is_err());
    }

    #[test]
    fn the_last_run_raises_the_committed_floors() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert!(raise(root).is_err(), "there was no run");
        floors().save(&root.join(LAST)).unwrap();
        raise(root).unwrap();
        assert_eq!(Floors::load(&root.join(FLOORS)).unwrap(), floors());
    }

    #[test]
    fn the_committed_floors_are_not_empty() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let committed = Floors::load(&root.join(FLOORS)).unwrap();
        let passed: u64 = committed
            .0
            .values()
            .flatten()
            .map(|(_, it)| it.passed)
            .sum();
        assert!(passed >= 500, "{passed} tests have a floor");
        for (package, targets) in &committed.0 {
            assert!(root.join(package).is_dir(), "{package} is no directory");
            assert!(!targets.is_empty(), "{package}");
        }
    }

    #[test]
    fn each_committed_floor_names_a_test_program_that_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let committed = Floors::load(&root.join(FLOORS)).unwrap();
        for (package, targets) in &committed.0 {
            let package = root.join(package);
            let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
            for program in targets.keys().filter_map(|it| it.strip_prefix("test ")) {
                let tests = package.join("tests");
                let exists = tests.join(format!("{program}.rs")).is_file()
                    || tests.join(program).join("main.rs").is_file()
                    || manifest.contains(&format!("name = {program:?}"));
                assert!(exists, "{} has no test {program}", package.display());
            }
        }
    }
}
