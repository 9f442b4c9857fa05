//! Runs single tests of the hardware's suite.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use duoforge_sim::substitute;

/// The test binary `hardware` of the simulators' package.
#[derive(Debug, Clone)]
pub struct Suite {
    binary: PathBuf,
    folder: PathBuf,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It did not end within its limit.
    Hung,
}

impl Suite {
    /// Builds it.
    ///
    /// # Errors
    /// When cargo fails.
    pub fn build() -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["test", "--package", "duoforge-sim", "--test", "hardware"])
            .args(["--no-run", "--message-format", "json"])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("cargo could not be started")?;
        ensure!(output.status.success(), "the tests cannot be built");
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut built = messages.filter(|message| {
            message["target"]["name"] == "hardware" && message["executable"].is_string()
        });
        let message = built.next().context("cargo named no test binary")?;
        let path = |value: &serde_json::Value| value.as_str().map(PathBuf::from);
        let manifest = path(&message["manifest_path"]).context("cargo named no package")?;
        Ok(Self {
            binary: path(&message["executable"]).context("cargo named no test binary")?,
            folder: manifest
                .parent()
                .context("a manifest without a folder")?
                .to_owned(),
        })
    }

    /// Runs one test with substitutes from a folder.
    ///
    /// # Errors
    /// When it cannot be started or does not exist.
    pub fn run(&self, test: &str, substitutes: &Path, limit: Duration) -> Result<Verdict> {
        let mut child = Command::new(&self.binary)
            .args(["--exact", test, "--quiet"])
            .current_dir(&self.folder)
            .env(substitute::VARIABLE, substitutes)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the tests could not be started")?;
        let end = Instant::now() + limit;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if Instant::now() > end {
                child.kill()?;
                child.wait()?;
                return Ok(Verdict::Hung);
            }
            thread::sleep(Duration::from_millis(5));
        };
        let output = std::io::read_to_string(child.stdout.take().context("no output")?)?;
        ensure!(
            !output.contains("running 0 tests"),
            "there is no test {test}"
        );
        Ok(match status.success() {
            true => Verdict::Passed,
            false => Verdict::Failed,
        })
    }
}
