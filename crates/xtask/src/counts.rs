//! Test counts per test binary, parsed from the output of `cargo test`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// Test counts of one binary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of tests that passed.
    pub passed: u64,
    /// Number of tests that failed.
    pub failed: u64,
    /// Number of tests that were skipped because of `#[ignore]`.
    pub ignored: u64,
}

/// Name of a test binary: the directory of the package, and the target in it. The target is `lib`,
/// `bin NAME`, `test NAME`, or `doc` for documentation examples.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binary {
    /// Directory of the package, relative to the repository.
    pub package: String,
    /// Target in the package.
    pub target: String,
}

/// Test program that cargo built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Name.
    pub binary: Binary,
    /// Executable.
    pub file: PathBuf,
    /// Directory of the package, in which the program runs.
    pub directory: PathBuf,
}

/// Test binaries that cargo built, by the names that `cargo test` prints.
#[derive(Debug, Default)]
pub struct Built {
    /// Programs in the order in which cargo named them.
    pub programs: Vec<Program>,
    /// Binaries by file name.
    files: BTreeMap<String, Binary>,
    /// Package directories by library name.
    libraries: BTreeMap<String, String>,
}

/// Parser of a run's output: the counts so far, and the binary whose output is being read.
#[derive(Debug)]
pub struct Reader {
    built: Built,
    current: Option<Binary>,
    ran: BTreeMap<Binary, Counts>,
}

impl Binary {
    fn new(package: &str, target: &str) -> Self {
        Self {
            package: package.to_owned(),
            target: target.to_owned(),
        }
    }
}

impl Program {
    /// Returns the line by which `cargo test` announces the program.
    pub fn announcement(&self) -> String {
        format!("     Running {} ({})", self.binary, self.file.display())
    }
}

impl Built {
    /// Parses the output of `cargo test --no-run --message-format json`, one object per line.
    ///
    /// # Errors
    /// If the artifact of a test lacks the fields that name it, or is outside the directory `root`.
    pub fn read(messages: &str, root: &str) -> Result<Self> {
        let mut built = Self::default();
        for line in messages.lines().filter(|line| line.starts_with('{')) {
            let message: Value = serde_json::from_str(line).context("a message of cargo")?;
            let Some(file) = message["executable"].as_str() else {
                continue;
            };
            if message["profile"]["test"] != Value::Bool(true) {
                continue;
            }
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let named = || {
                let manifest = text(&message["manifest_path"])?;
                let directory = manifest.strip_prefix(root)?.strip_suffix("Cargo.toml")?;
                let target = &message["target"];
                let (kind, name) = (text(&target["kind"][0])?, text(&target["name"])?);
                Some((directory.trim_matches('/').to_owned(), kind, name))
            };
            let (package, kind, name) =
                named().with_context(|| format!("cargo names a test without its place: {line}"))?;
            let binary = match kind.as_str() {
                "bin" | "test" | "example" | "bench" => {
                    Binary::new(&package, &format!("{kind} {name}"))
                }
                _ => {
                    built.libraries.insert(name, package.clone());
                    Binary::new(&package, "lib")
                }
            };
            built.programs.push(Program {
                binary: binary.clone(),
                file: file.into(),
                directory: Path::new(root).join(&package),
            });
            built.files.insert(file_name(file).to_owned(), binary);
        }
        Ok(built)
    }

    /// Returns the binary that a line of `cargo test` announces.
    fn announced(&self, line: &str) -> Option<Binary> {
        if let Some(library) = line.trim().strip_prefix("Doc-tests ") {
            let package = self.libraries.get(library)?;
            return Some(Binary::new(package, "doc"));
        }
        // A test may leave its last line open; the announcement then follows on the same line.
        let (_, announced) = line.rsplit_once("Running ")?;
        let (_, file) = announced.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        self.files.get(file_name(file)).cloned()
    }
}

impl Reader {
    /// Creates a parser for the output of a run of these binaries.
    pub fn new(built: Built) -> Self {
        Self {
            built,
            current: None,
            ran: BTreeMap::new(),
        }
    }

    /// Parses one line: the announcement of a binary, or a line `test result: ...`.
    pub fn read(&mut self, line: &str) {
        if let Some(binary) = self.built.announced(line) {
            self.current = Some(binary);
            return;
        }
        let (Some(result), Some(binary)) = (
            line.trim().strip_prefix("test result: "),
            self.current.as_ref(),
        ) else {
            return;
        };
        // Documentation examples of one library may run in several groups, each with its own
        // result.
        let counts = self.ran.entry(binary.clone()).or_default();
        let words: Vec<&str> = result.split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1].trim_end_matches(';') {
                "passed" => counts.passed += number,
                "failed" => counts.failed += number,
                "ignored" => counts.ignored += number,
                _ => {}
            }
        }
    }

    /// Returns the counts by binary, and the binaries that were built but gave no result.
    pub fn finish(self) -> (BTreeMap<Binary, Counts>, Vec<Binary>) {
        let silent = |binary: &Binary| !self.ran.contains_key(binary);
        let silent = self.built.files.into_values().filter(silent).collect();
        (self.ran, silent)
    }
}

/// Returns the last component of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Formats the sum over all binaries.
pub fn summary(ran: &BTreeMap<Binary, Counts>) -> String {
    let sum = |part: fn(&Counts) -> u64| ran.values().map(part).sum::<u64>();
    let mut text = format!(
        "{} passed; {} failed",
        sum(|counts| counts.passed),
        sum(|counts| counts.failed)
    );
    let ignored = sum(|counts| counts.ignored);
    if ignored > 0 {
        text += &format!("; {ignored} ignored");
    }
    format!("{text} in {} test binaries", ran.len())
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.package, self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "/home/me/duoforge";

    fn artifact(directory: &str, kind: &str, name: &str, file: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"{ROOT}/{directory}/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":true}},"executable":"{ROOT}/target/debug/deps/{file}"}}"#
        )
    }

    fn built() -> Built {
        let messages = [
            artifact("crates/rules", "lib", "duoforge_rules", "duoforge_rules-0a"),
            artifact("crates/rules", "test", "arbitrary", "arbitrary-1b"),
            artifact("hdl", "test", "arbitrary", "arbitrary-2c"),
            artifact("crates/cli", "bin", "duoforge", "duoforge-3d"),
            r#"{"reason":"compiler-artifact","profile":{"test":false},"executable":"/x/duoforge"}"#
                .to_owned(),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        Built::read(&messages.join("\n"), ROOT).unwrap()
    }

    fn ran(lines: &[&str]) -> (BTreeMap<Binary, Counts>, Vec<Binary>) {
        let mut reader = Reader::new(built());
        for line in lines {
            reader.read(line);
        }
        reader.finish()
    }

    fn counts(passed: u64, failed: u64, ignored: u64) -> Counts {
        Counts {
            passed,
            failed,
            ignored,
        }
    }

    #[test]
    fn results_belong_to_the_binary_that_was_announced() {
        let (ran, silent) = ran(&[
            "     Running unittests src/lib.rs (target/debug/deps/duoforge_rules-0a)",
            "",
            "running 3 tests",
            "test tests::a ... ok",
            "",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "     Running tests/arbitrary.rs (target/debug/deps/arbitrary-2c)",
            "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out",
            "a line that a test left openRunning tests/arbitrary.rs (/elsewhere/deps/arbitrary-1b)",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "   Doc-tests duoforge_rules",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ]);
        let expected = [
            (Binary::new("crates/rules", "doc"), counts(3, 0, 0)),
            (Binary::new("crates/rules", "lib"), counts(3, 0, 1)),
            (
                Binary::new("crates/rules", "test arbitrary"),
                counts(5, 0, 0),
            ),
            (Binary::new("hdl", "test arbitrary"), counts(4, 2, 0)),
        ];
        assert_eq!(ran, BTreeMap::from(expected));
        assert_eq!(silent, [Binary::new("crates/cli", "bin duoforge")]);
        assert_eq!(
            summary(&ran),
            "15 passed; 2 failed; 1 ignored in 4 test binaries"
        );
    }

    #[test]
    fn results_of_no_known_binary_do_not_count() {
        let (ran, silent) = ran(&[
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "     Running tests/other.rs (target/debug/deps/other-99)",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "   Doc-tests elsewhere",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ]);
        assert_eq!(ran, BTreeMap::new());
        assert_eq!(silent.len(), 4);
    }

    #[test]
    fn a_binary_that_cannot_be_placed_is_an_error() {
        let elsewhere = artifact("x", "test", "t", "t-0").replace(ROOT, "/elsewhere");
        assert!(Built::read(&elsewhere, ROOT).is_err());
        assert!(Built::read("{ no JSON", ROOT).is_err());
    }
}
