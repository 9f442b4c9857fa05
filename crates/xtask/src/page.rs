//! Checks of the web page: types of its scripts, their unit tests, and tests in Chromium.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use duoforge_tools::find::on_path;

use crate::steps::NOT_INCREMENTAL;
use crate::workspace::{Workspace, cargo};

/// Directory of the page's tests, with the pinned npm packages.
const TESTS: &str = "crates/web/tests/page";

/// Arguments with which cargo builds `duoforge`: a test of its package needs it. The features of the
/// dependencies are those of `cargo test --workspace`, so that nothing is compiled twice.
const BUILD: [&str; 5] = ["test", "--workspace", "--no-run", "--test", "serve"];

/// Oldest version of Node.js that loads the page's modules.
const NODE: [u32; 2] = [20, 19];

/// Names under which distributions install Chromium. The program without windows comes first, since
/// it takes less processor time.
const CHROMIUM: [&str; 3] = ["chromium-headless-shell", "chromium", "chromium-browser"];

/// Packages of Chromium. Not every distribution has the first one.
const PACKAGES: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Runs the checks, or with `--pictures` writes the pictures of docs/images/page.
///
/// # Errors
/// If an option does not exist, a program is missing, or a check fails.
pub fn run_with(workspace: &Workspace, options: &[&str]) -> Result<()> {
    match options {
        [] => check(workspace),
        ["--pictures"] => {
            let page = Page::prepare(workspace)?;
            page.npm(&["run", "pictures"])
        }
        _ => bail!("`page` has the option --pictures only; see `cargo xtask help`"),
    }
}

/// Runs the checks.
///
/// # Errors
/// If a program is missing, or a check fails.
pub fn check(workspace: &Workspace) -> Result<()> {
    let page = Page::prepare(workspace)?;
    for script in ["types", "unit", "page"] {
        page.npm(&["run", script])?;
    }
    Ok(())
}

/// Programs and packages that the checks need, all present.
struct Page {
    tests: PathBuf,
    chromium: PathBuf,
    duoforge: PathBuf,
}

impl Page {
    /// Finds the programs, installs the pinned packages if they differ, and builds `duoforge`.
    fn prepare(workspace: &Workspace) -> Result<Self> {
        let chromium = match env::var_os("CHROMIUM") {
            Some(named) => PathBuf::from(named),
            None => chromium()?,
        };
        node_is_new_enough()?;
        let root = workspace.root();
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |dir| root.join(dir));
        let page = Self {
            tests: root.join(TESTS),
            chromium,
            duoforge: target.join("debug/duoforge"),
        };
        if !page.is_installed() {
            page.npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        }
        let status = Command::new(cargo())
            .args(BUILD)
            .envs([NOT_INCREMENTAL])
            .current_dir(root)
            .status()
            .context("cargo could not be started")?;
        ensure!(
            status.success(),
            "cargo {} ended with {status}",
            BUILD.join(" ")
        );
        Ok(page)
    }

    /// Returns true if the installed packages are those of the lock file: npm writes its own list
    /// after each installation.
    fn is_installed(&self) -> bool {
        let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        let lock = changed(&self.tests.join("package-lock.json"));
        let installed = changed(&self.tests.join("node_modules/.package-lock.json"));
        installed.is_some() && installed >= lock
    }

    fn npm(&self, arguments: &[&str]) -> Result<()> {
        println!("$ npm {}", arguments.join(" "));
        let status = Command::new("npm")
            .args(arguments)
            .current_dir(&self.tests)
            .env("CHROMIUM", &self.chromium)
            .env("DUOFORGE", &self.duoforge)
            .status()
            .context("npm could not be started: install Node.js with npm")?;
        ensure!(
            status.success(),
            "npm {} ended with {status}",
            arguments.join(" ")
        );
        Ok(())
    }
}

/// Returns Chromium. Installs the distribution's package if it is missing, where `apt-get` is on PATH
/// and the user is root.
fn chromium() -> Result<PathBuf> {
    if browser().is_none() && is_root() && on_path("apt-get").is_some() {
        ensure!(apt_get(&["update", "--quiet"])?, "apt-get update failed");
        for package in PACKAGES {
            let options = ["install", "--yes", "--quiet", "--no-install-recommends"];
            if apt_get(&[&options[..], &[package]].concat())? {
                break;
            }
        }
    }
    browser().context(
        "chromium is not on PATH: install the distribution's package `chromium`, for example \
         `sudo apt-get install chromium`, or name the program in the variable CHROMIUM",
    )
}

/// Runs `apt-get`; returns true if it succeeds.
fn apt_get(arguments: &[&str]) -> Result<bool> {
    println!("$ apt-get {}", arguments.join(" "));
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("apt-get could not be started")?;
    Ok(status.success())
}

/// Returns true if `id` reports the user root.
fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Returns the Chromium on PATH.
fn browser() -> Option<PathBuf> {
    CHROMIUM.iter().find_map(on_path)
}

fn node_is_new_enough() -> Result<()> {
    let [major, minor] = NODE;
    let output = Command::new("node")
        .arg("--version")
        .output()
        .with_context(|| {
            format!("node is not on PATH: install Node.js {major}.{minor} or later")
        })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = version(&text);
    ensure!(
        version.is_some_and(|found| found >= NODE),
        "node is {}: expected {major}.{minor} or later",
        text.trim()
    );
    Ok(())
}

/// Reads major and minor version, such as of `v20.19.1`.
fn version(text: &str) -> Option<[u32; 2]> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    let mut next = || numbers.next()?.parse().ok();
    Some([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("v20.19.1\n"), Some([20, 19]));
        assert!(version("v20.20.2").unwrap() >= NODE);
        assert!(version("v22.3.0").unwrap() >= NODE);
        assert!(version("v9.99.0").unwrap() < NODE);
        assert_eq!(version("20.19"), None);
        assert_eq!(version("v20"), None);
    }

    #[test]
    fn unknown_options_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(directory.path());
        let error = run_with(&workspace, &["--skip"]).unwrap_err();
        assert!(error.to_string().contains("--pictures"), "{error}");
    }

    #[test]
    fn packages_older_than_their_lock_file_are_not_used() {
        let directory = tempfile::tempdir().unwrap();
        let page = Page {
            tests: directory.path().to_owned(),
            chromium: PathBuf::new(),
            duoforge: PathBuf::new(),
        };
        std::fs::write(page.tests.join("package-lock.json"), "{}").unwrap();
        assert!(!page.is_installed());
        std::fs::create_dir(page.tests.join("node_modules")).unwrap();
        std::fs::write(page.tests.join("node_modules/.package-lock.json"), "{}").unwrap();
        assert!(page.is_installed());
    }
}
