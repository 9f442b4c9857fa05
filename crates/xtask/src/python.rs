//! Checks of the Python package: its wheel, built by maturin, installed and tested by pytest.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use duoforge_tools::directory;
use duoforge_tools::python::{self, OLDEST, is_recent};

use crate::workspace::Workspace;

/// Directory of the package.
const PACKAGE: &str = "crates/python";

/// Pinned packages of the checks, relative to the directory of the package.
const REQUIREMENTS: &str = "tests/requirements.txt";

/// Fewest tests of pytest that pass.
const MIN_TESTS: u64 = 146;

/// Builds the wheel, installs it in a separate environment, and runs its tests; returns a text
/// for the summary.
///
/// # Errors
/// If Python is missing or too old, a package cannot be installed, or a check fails.
pub fn check(workspace: &Workspace) -> Result<String> {
    let checks = Checks::prepare(workspace)?;
    let wheel = checks.build()?;
    checks.install(&wheel)?;
    checks.test()
}

/// Environment with the pinned packages.
struct Checks {
    package: PathBuf,
    /// Virtual environment.
    environment: PathBuf,
    /// Target directory of the wheel. Its features and its Python differ from those of the
    /// workspace, so that a common directory would compile both again and again.
    target: PathBuf,
}

impl Checks {
    /// Creates the environment unless it has the pinned packages.
    fn prepare(workspace: &Workspace) -> Result<Self> {
        let root = workspace.root();
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |dir| root.join(dir));
        let tools = directory::named().unwrap_or_else(|| workspace.tools());
        let checks = Self {
            package: root.join(PACKAGE),
            environment: tools.join("python-package"),
            target: target.join("python"),
        };
        if !checks.is_installed() {
            checks.create()?;
        }
        Ok(checks)
    }

    fn python(&self) -> PathBuf {
        self.environment.join("bin/python3")
    }

    /// Copy of the requirements that are installed, written after the installation.
    fn stamp(&self) -> PathBuf {
        self.environment.join("requirements.txt")
    }

    /// Returns true if the environment runs and has the pinned packages.
    fn is_installed(&self) -> bool {
        let pinned = fs::read(self.package.join(REQUIREMENTS)).ok();
        let installed = fs::read(self.stamp()).ok();
        let runs = || {
            let output = python(&self.python()).arg("--version").output();
            output.is_ok_and(|output| output.status.success())
        };
        installed.is_some() && installed == pinned && runs()
    }

    fn create(&self) -> Result<()> {
        let host = host()?;
        let mut venv = python(&host);
        venv.args(["-m", "venv", "--clear"]).arg(&self.environment);
        run(&mut venv).context(
            "the virtual environment could not be created: install the distribution's package \
             `python3-venv`",
        )?;
        let requirements = self.package.join(REQUIREMENTS);
        let mut install = self.pip(&["install", "--require-hashes", "--only-binary", ":all:"]);
        install.arg("--requirement").arg(&requirements);
        run(&mut install).context("the pinned packages could not be installed")?;
        fs::copy(&requirements, self.stamp())
            .with_context(|| format!("{} could not be written", self.stamp().display()))?;
        Ok(())
    }

    fn pip(&self, arguments: &[&str]) -> Command {
        let mut command = python(&self.python());
        let (subcommand, options) = arguments.split_at(1);
        command
            .args(["-m", "pip"])
            .args(subcommand)
            .args(["--quiet", "--no-input", "--disable-pip-version-check"])
            .args(options);
        command
    }

    /// Builds the wheel and returns its path.
    fn build(&self) -> Result<PathBuf> {
        let wheels = self.target.join("wheels");
        if wheels.is_dir() {
            fs::remove_dir_all(&wheels)
                .with_context(|| format!("{} could not be removed", wheels.display()))?;
        }
        let mut maturin = python(&self.python());
        maturin
            .args(["-m", "maturin", "build", "--profile", "dev", "--locked"])
            .arg("--manifest-path")
            .arg(self.package.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&self.target)
            .arg("--out")
            .arg(&wheels)
            .arg("--interpreter")
            .arg(self.python());
        run(&mut maturin).context("the wheel could not be built")?;
        let entries = fs::read_dir(&wheels)
            .with_context(|| format!("{} could not be read", wheels.display()))?;
        let mut paths = entries.flatten().map(|entry| entry.path());
        let wheel = paths.find(|path| path.extension().is_some_and(|it| it == "whl"));
        wheel.context("maturin built no wheel")
    }

    fn install(&self, wheel: &Path) -> Result<()> {
        let mut install = self.pip(&["install", "--no-deps", "--no-index", "--force-reinstall"]);
        run(install.arg(wheel)).context("the wheel could not be installed")
    }

    /// Runs the tests and returns the last line of pytest.
    fn test(&self) -> Result<String> {
        let mut pytest = python(&self.python());
        pytest
            .args(["-m", "pytest", "--durations", "5"])
            .current_dir(&self.package);
        print(&pytest);
        let mut child = pytest
            .stdout(Stdio::piped())
            .spawn()
            .context("pytest could not be started")?;
        let output = child.stdout.take().context("pytest has no output")?;
        let mut last = String::new();
        for line in BufReader::new(output).lines() {
            let line = line.context("the output of pytest could not be read")?;
            println!("{line}");
            if !line.trim().is_empty() {
                last = line.trim_matches([' ', '=']).to_owned();
            }
        }
        let status = child.wait().context("pytest could not be waited for")?;
        ensure!(status.success(), "{last}; pytest ended with {status}");
        let fault = fault(&last);
        ensure!(fault.is_none(), "{last}; {}", fault.unwrap_or_default());
        Ok(last)
    }
}

/// Returns a fault of a successful run of pytest by its last line: too few tests, or tests that did
/// not run.
fn fault(summary: &str) -> Option<String> {
    let count = |word: &str| {
        let counts = summary.split(", ").flat_map(|part| part.split(" in "));
        let mut counts = counts.filter_map(|part| part.split_once(' '));
        let number = counts.find(|(_, kind)| *kind == word);
        number.map_or(Some(0), |(number, _)| number.parse::<u64>().ok())
    };
    for word in ["skipped", "deselected", "xfailed"] {
        if count(word) != Some(0) {
            return Some(format!("expected no {word} test"));
        }
    }
    let passed = count("passed");
    (passed < Some(MIN_TESTS)).then(|| format!("expected at least {MIN_TESTS} passed tests"))
}

/// Returns the Python that the variable PYTHON names, or the first one on PATH that is new enough.
fn host() -> Result<PathBuf> {
    if let Some(named) = env::var_os("PYTHON") {
        let named = PathBuf::from(named);
        ensure!(
            is_recent(&named),
            "PYTHON={} is not a Python of version {OLDEST} or later",
            named.display()
        );
        return Ok(named);
    }
    python::host().with_context(|| {
        format!(
            "no Python of version {OLDEST} or later is on PATH: install the distribution's \
             packages `python3` and `python3-venv`, or name the program in the variable PYTHON"
        )
    })
}

/// Returns a command of a Python that writes no compiled modules.
fn python(program: &Path) -> Command {
    let mut command = python::command(program);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn print(command: &Command) {
    let words = command.get_args().map(|word| word.to_string_lossy());
    let words: Vec<_> = words.collect();
    println!("$ python3 {}", words.join(" "));
}

/// Runs a command and passes its output on.
fn run(command: &mut Command) -> Result<()> {
    print(command);
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("{program} could not be started"))?;
    ensure!(status.success(), "{program} ended with {status}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_are_missing_or_left_out_are_faults() {
        let enough = format!("{MIN_TESTS} passed in 8.31s");
        assert_eq!(fault(&enough), None);
        assert_eq!(
            fault(&format!("{MIN_TESTS} passed, 3 warnings in 0.31s")),
            None
        );
        let fewer = format!("{} passed in 8.31s", MIN_TESTS - 1);
        assert!(fault(&fewer).unwrap().contains("at least"));
        assert!(fault("no tests ran in 0.01s").is_some());
        for left_out in ["1 skipped", "2 deselected", "1 xfailed"] {
            let line = format!("{MIN_TESTS} passed, {left_out} in 8.31s");
            assert!(fault(&line).unwrap().contains("expected no"), "{line}");
        }
    }

    #[test]
    fn packages_of_other_versions_are_not_used() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let checks = Checks {
            package: root.join("package"),
            environment: root.join("environment"),
            target: root.join("target"),
        };
        fs::create_dir_all(root.join("package/tests")).unwrap();
        fs::create_dir_all(root.join("environment/bin")).unwrap();
        fs::write(checks.package.join(REQUIREMENTS), "pytest==2").unwrap();
        assert!(!checks.is_installed(), "nothing is installed");
        std::os::unix::fs::symlink("/bin/true", checks.python()).unwrap();
        fs::write(checks.stamp(), "pytest==1").unwrap();
        assert!(!checks.is_installed(), "another version");
        fs::write(checks.stamp(), "pytest==2").unwrap();
        assert!(checks.is_installed());
        fs::remove_file(checks.python()).unwrap();
        assert!(!checks.is_installed(), "Python is gone");
    }
}
