//! Hardware tests, run one by one on mutated designs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use duoforge_tools::catalogue::VERILATOR;
use duoforge_tools::run;
use serde_json::Value;

/// Environment variable that names the directory of substitute designs; `duoforge-sim` reads it.
pub const VARIABLE: &str = "DUOFORGE_SUBSTITUTES";

/// Parts of the names of excluded tests: those that do not use Verilator's model of the emitted
/// Verilog, and those that take long because of their fast clock.
const LEFT_OUT: [&str; 6] = [
    "icarus",
    "in_rust",
    "rust_game",
    "gates::",
    "contest::games",
    "pause",
];

/// Polling interval for the exit status of a test.
const POLL: Duration = Duration::from_millis(10);

/// Test program.
#[derive(Debug)]
pub struct Suite {
    program: PathBuf,
    target: PathBuf,
    tests: Vec<String>,
}

/// Result of a test on a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The test passed.
    Passed,
    /// The test failed.
    Failed,
    /// The test did not finish within its time limit.
    Hung,
}

impl Suite {
    /// Builds the tests of the repository at `root`.
    ///
    /// # Errors
    /// If cargo fails.
    pub fn build(root: &Path) -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        // The whole workspace has the features of `cargo test --workspace`: after that command
        // nothing is compiled again, while a single package has fewer features and compiles all of
        // its dependencies a second time.
        let arguments = [
            "test",
            "--workspace",
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

    /// Returns Cargo's target directory.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns all tests whose names start with one of these prefixes, in the order of the
    /// prefixes.
    pub fn beginning<'s>(&'s self, beginnings: &[impl AsRef<str>]) -> Vec<&'s str> {
        let with = |start: &str| {
            let tests = self.tests.iter().map(String::as_str);
            let tests = tests.filter(|name| name.starts_with(start));
            tests.collect::<Vec<_>>()
        };
        let named = beginnings.iter().flat_map(|start| with(start.as_ref()));
        named.collect()
    }

    /// Returns the tests with these prefixes, without the excluded ones.
    pub fn named(&self, beginnings: &[&str]) -> Vec<&str> {
        let mut tests = self.beginning(beginnings);
        tests.retain(|name| !LEFT_OUT.iter().any(|word| name.contains(word)));
        tests
    }

    /// Returns the first designs that a test opens, with their names. Nothing is simulated: the
    /// test finds no Verilator and ends there. The directory must be empty.
    ///
    /// # Errors
    /// If the test cannot be started or opens no design.
    pub fn emitted(&self, test: &str, directory: &Path) -> Result<Vec<(String, String)>> {
        let mut command = self.command(test, directory, directory)?;
        let missing = directory.join("no-verilator");
        command.env(VERILATOR.variable, missing);
        let hour = Duration::from_secs(3600);
        self.end(&mut command, hour)?;
        let designs = designs(directory)?;
        if designs.is_empty() {
            let log = directory.join(LOG);
            bail!("{test} opens no design; see {}", log.display());
        }
        Ok(designs)
    }

    /// Runs a test with the designs of a directory. The test runs in the directory `work`, where
    /// the designs read the number of the mutant.
    ///
    /// # Errors
    /// If the test cannot be started or ends with an unexpected status.
    pub fn run(&self, test: &str, designs: &Path, work: &Path, limit: Duration) -> Result<Verdict> {
        let status = self.end(&mut self.command(test, designs, work)?, limit)?;
        match status.map(|status| status.code()) {
            None => Ok(Verdict::Hung),
            Some(Some(0)) => Ok(Verdict::Passed),
            // Exit status of the test harness after a failed test.
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
            .env("DUOFORGE_INPUTS", "all")
            .env("RUST_BACKTRACE", "0")
            .current_dir(work)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        Ok(command)
    }

    /// Waits for a test and returns its exit status, or `None` after the time limit.
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
                // The test's models exit at the end of their input.
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(POLL);
        }
    }
}

/// Copies the test program, so that a build during a campaign does not replace it. The copy is
/// named after this process, and copies of ended processes are removed.
fn copied(program: &Path, target: &Path) -> Result<PathBuf> {
    let directory = target.join("duoforge-mutants/programs");
    fs::create_dir_all(&directory)?;
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        let process = path.file_name().unwrap_or_default();
        if !Path::new("/proc").join(process).exists() {
            fs::remove_file(&path)?;
        }
    }
    let copy = directory.join(std::process::id().to_string());
    fs::copy(program, &copy).with_context(|| format!("copying {}", program.display()))?;
    Ok(copy)
}

/// File with the output of a test.
const LOG: &str = "test.log";

/// Returns the designs that tests left in a directory, with the file names of their substitutes.
///
/// # Errors
/// If the directory cannot be read.
pub fn designs(directory: &Path) -> Result<Vec<(String, String)>> {
    let mut designs = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.and_then(|name| name.strip_suffix(".emitted.v")) {
            designs.push((format!("{name}.v"), fs::read_to_string(&path)?));
        }
    }
    designs.sort();
    Ok(designs)
}
