//! Arbitrary inputs for every parser, more of them than the tests have time for.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// The packages with parsers of what comes from outside. Each has tests named `whatever_comes_as_...`.
const PACKAGES: [&str; 7] = [
    "duoforge-protocol",
    "duoforge-gtp",
    "duoforge-records",
    "duoforge-journal",
    "duoforge-arena",
    "duoforge-tournament",
    "duoforge",
];

/// How much is tried.
struct Effort {
    inputs: u64,
    seconds: u64,
}

/// Runs those tests, in the profile that has checks of overflow.
pub fn run(options: &[&str]) -> Result<()> {
    let effort = Effort::read(options)?;
    let status = Command::new(workspace::cargo())
        .args(["test", "--no-fail-fast"])
        .args(PACKAGES.iter().flat_map(|package| ["--package", package]))
        .args(["--lib", "--bins", "--tests"])
        .args(["whatever_comes", "--", "--nocapture"])
        .env("DUOFORGE_INPUTS", effort.inputs.to_string())
        .env("DUOFORGE_SECONDS", effort.seconds.to_string())
        .status()
        .context("cargo could not be started")?;
    std::process::exit(status.code().unwrap_or(2));
}

impl Effort {
    fn read(options: &[&str]) -> Result<Self> {
        let mut effort = Self {
            inputs: 10_000_000,
            seconds: 3_600,
        };
        let mut options = options.iter();
        while let Some(&name) = options.next() {
            let wanted = match name {
                "--inputs" => &mut effort.inputs,
                "--seconds" => &mut effort.seconds,
                _ => bail!("fuzz takes --inputs N and --seconds N, not '{name}'"),
            };
            let number = options
                .next()
                .with_context(|| format!("{name} takes a number"))?;
            *wanted = number
                .parse()
                .with_context(|| format!("{name} takes a number, not '{number}'"))?;
            ensure!(*wanted > 0, "{name} takes a number above 0");
        }
        Ok(effort)
    }
}
