//! The hardware's tests, run one by one on designs with faults.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use duoforge_tools::run;
use serde_json::Value;

/// Names the folder of the designs that stand in for the emitted ones; `duoforge-sim` reads it.
pub const VARIABLE: &str = "DUOFORGE_SUBSTITUTES";

/// Tests that know nothing of Verilator's model of the emitted Verilog, or know it at a clock so fast
/// that they take long.
const LEFT_OUT: [&str; 6] = [
    "icarus",
    "in_rust",
    "rust_game",
    "gates::",
    "contest::games",
    "pause",
];

/// How often a running test is looked at.
const POLL: Duration = Duration::from_millis(10);

/// The test program.
#[derive(Debug)]
pub struct Suite {
    program: PathBuf,
    root: PathBuf,
    tests: Vec<String>,
}

/// What a test said about a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It found nothing.
    Passed,
    /// It found a fault.
    Failed,
    /// It did not come to an end.
    Hung,
}

impl Suite {
    /// Builds the tests of the repository at `root`.
    ///
    /// # Errors
    /// When cargo fails.
    pub fn build(root: &Path) -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = [
            "test",
            "--package",
            "duoforge-sim",
            "--test",
            "hardware",
            "--no-run",
            "--message-format",
            "json",
        ];
        let text = run(Command::new(cargo).args(arguments).current_dir(root))?;
        let program = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message["target"]["name"] == "hardware")
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .context("cargo names no test program")?;
        let list = run(Command::new(&program).arg("--list"))?;
        let tests = list
            .lines()
            .filter_map(|line| line.strip_suffix(": test"))
            .filter(|name| !LEFT_OUT.iter().any(|word| name.contains(word)))
            .map(str::to_owned)
            .collect();
        Ok(Self {
            program,
            root: root.to_owned(),
            tests,
        })
    }

    /// Cargo's target folder.
    pub fn target(&self) -> &Path {
        let folders = self.program.ancestors();
        folders.into_iter().nth(3).unwrap_or(&self.root)
    }

    /// The tests whose names begin with one of these, in the order of the beginnings.
    pub fn named(&self, beginnings: &[&str]) -> Vec<&str> {
        let with = |start: &&str| {
            let start = (*start).to_owned();
            let tests = self.tests.iter().map(String::as_str);
            tests.filter(move |name| name.starts_with(&start))
        };
        beginnings.iter().flat_map(with).collect()
    }

    /// Runs a test with the designs of a folder.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(&self, test: &str, designs: &Path, limit: Duration) -> Result<Verdict> {
        let log = designs.join("test.log");
        let file = fs::File::create(&log).with_context(|| format!("creating {}", log.display()))?;
        let mut child = Command::new(&self.program)
            .args([test, "--exact"])
            .env(VARIABLE, designs)
            .env(
                "DUOFORGE_CACHE",
                self.target().join("duoforge-mutants/models"),
            )
            .env("RUST_BACKTRACE", "0")
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("starting {}", self.program.display()))?;
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = child.try_wait()? {
                return match status.code() {
                    Some(0) => Ok(Verdict::Passed),
                    // What the test harness ends with when a test fails.
                    Some(101) => Ok(Verdict::Failed),
                    _ => bail!("{test} ended with {status}; see {}", log.display()),
                };
            }
            if Instant::now() >= end {
                // Its models end when their input does.
                child.kill()?;
                child.wait()?;
                return Ok(Verdict::Hung);
            }
            thread::sleep(POLL);
        }
    }
}
