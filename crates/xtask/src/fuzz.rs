//! Fuzzing: arbitrary inputs for every parser, more of them than the tests have time for.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// Packages with parsers of external input. Their tests are named `whatever_comes_as_...`.
const PACKAGES: [&str; 7] = [
    "duoforge-protocol",
    "duoforge-gtp",
    "duoforge-records",
    "duoforge-journal",
    "duoforge-players",
    "duoforge-tournament",
    "duoforge",
];

/// Default number of inputs per parser.
pub const INPUTS: u64 = 10_000_000;

/// Default time limit per parser, in seconds.
const SECONDS: u64 = 3_600;

/// Number of inputs per parser, and the time limit in seconds.
#[derive(Debug, PartialEq, Eq)]
struct Effort {
    inputs: u64,
    seconds: u64,
}

/// Runs these tests in the profile with overflow checks.
///
/// # Errors
/// If a parser panics, or does not read all inputs within the time limit.
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
    let Effort { inputs, seconds } = effort;
    ensure!(
        status.success(),
        "not every parser read {inputs} inputs within {seconds} s, see above"
    );
    println!("every parser read {inputs} inputs");
    Ok(())
}

impl Effort {
    fn read(options: &[&str]) -> Result<Self> {
        let mut effort = Self {
            inputs: INPUTS,
            seconds: SECONDS,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_set_inputs_and_seconds() {
        let effort = |inputs, seconds| Effort { inputs, seconds };
        assert_eq!(Effort::read(&[]).unwrap(), effort(10_000_000, 3_600));
        let options = ["--seconds", "5", "--inputs", "70"];
        assert_eq!(Effort::read(&options).unwrap(), effort(70, 5));
    }

    #[test]
    fn other_options_and_numbers_are_refused() {
        for options in [
            &["--fast"][..],
            &["--inputs"],
            &["--inputs", "0"],
            &["--seconds", "x"],
        ] {
            assert!(Effort::read(options).is_err(), "{options:?}");
        }
    }
}
