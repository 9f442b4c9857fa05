//! The hardware's tests, run one by one on designs with faults.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use duoforge_tools::catalogue::VERILATOR;
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
    target: PathBuf,
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
        let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
        let tests = tests.map(str::to_owned).collect();
        let target = program.ancestors().nth(3).unwrap_or(root).to_owned();
        Ok(Self {
            program: copied(&program, &target)?,
            target,
            tests,
        })
    }

    /// Cargo's target folder.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// All tests whose names begin with one of these, in the order of the beginnings.
    pub fn beginning<'s>(&'s self, beginnings: &[impl AsRef<str>]) -> Vec<&'s str> {
        let with = |start: &str| {
            let tests = self.tests.iter().map(String::as_str);
            let tests = tests.filter(|name| name.starts_with(start));
            tests.collect::<Vec<_>>()
        };
        let named = beginnings.iter().flat_map(|start| with(start.as_ref()));
        named.collect()
    }

    /// The same without those that take long or do not open Verilator's model.
    pub fn named(&self, beginnings: &[&str]) -> Vec<&str> {
        let mut tests = self.beginning(beginnings);
        tests.retain(|name| !LEFT_OUT.iter().any(|word| name.contains(word)));
        tests
    }

    /// The first designs that a test opens, by name, without simulating anything: the test finds no
    /// Verilator and ends there. The folder is empty before.
    ///
    /// # Errors
    /// When the test cannot be started or opens no design.
    pub fn emitted(&self, test: &str, folder: &Path) -> Result<Vec<(String, String)>> {
        let mut command = self.command(test, folder, folder)?;
        let missing = folder.join("no-verilator");
        command.env(VERILATOR.variable, missing);
        let hour = Duration::from_secs(3600);
        self.end(&mut command, hour)?;
        let designs = designs(folder)?;
        if designs.is_empty() {
            let log = folder.join(LOG);
            bail!("{test} opens no design; see {}", log.display());
        }
        Ok(designs)
    }

    /// Runs a test with the designs of a folder, in a folder of its own, from which the designs read
    /// the number of the mutant.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(&self, test: &str, designs: &Path, work: &Path, limit: Duration) -> Result<Verdict> {
        let status = self.end(&mut self.command(test, designs, work)?, limit)?;
        match status.map(|status| status.code()) {
            None => Ok(Verdict::Hung),
            Some(Some(0)) => Ok(Verdict::Passed),
            // What the test harness ends with when a test fails.
            Some(Some(101)) => Ok(Verdict::Failed),
            Some(code) => bail!(
                "{test} ended with {code:?}; see {}",
                work.join(LOG).display()
            ),
        }
    }

    fn command(&self, test: &str, designs: &Path, work: &Path) -> Result<Command> {
        let log = work.join(LOG);
        let file = fs::File::create(&log).with_context(|| format!("creating {}", log.display()))?;
        let models = self.target().join("duoforge-mutants/models");
        let mut command = Command::new(&self.program);
        command
            .args([test, "--exact"])
            .env(VARIABLE, designs)
            .env("DUOFORGE_CACHE", models)
            .env("RUST_BACKTRACE", "0")
            .current_dir(work)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        Ok(command)
    }

    /// How a test ended; `None` if it did not in time.
    fn end(&self, command: &mut Command, limit: Duration) -> Result<Option<ExitStatus>> {
        let mut child = command
            .spawn()
            .with_context(|| format!("starting {}", self.program.display()))?;
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= end {
                // Its models end when their input does.
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(POLL);
        }
    }
}

/// Copies the test program, so that a build during a campaign does not replace it. The copy is named
/// after this process, and copies of ended processes are removed.
fn copied(program: &Path, target: &Path) -> Result<PathBuf> {
    let folder = target.join("duoforge-mutants/programs");
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let process = path.file_name().unwrap_or_default();
        if !Path::new("/proc").join(process).exists() {
            fs::remove_file(&path)?;
        }
    }
    let copy = folder.join(std::process::id().to_string());
    fs::copy(program, &copy).with_context(|| format!("copying {}", program.display()))?;
    Ok(copy)
}

/// What a test printed.
const LOG: &str = "test.log";

/// The designs that tests left in a folder, by the names of what stands in for them.
///
/// # Errors
/// When the folder cannot be read.
pub fn designs(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut designs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.and_then(|name| name.strip_suffix(".emitted.v")) {
            designs.push((format!("{name}.v"), fs::read_to_string(&path)?));
        }
    }
    designs.sort();
    Ok(designs)
}
