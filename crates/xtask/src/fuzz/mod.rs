//! Fuzzing: arbitrary inputs for every parser, more of them than the tests have time for. With
//! `--guided`, inputs that coverage guides.

pub mod guided;
mod outcome;

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use duoforge_shards::Shard;

use crate::workspace::{self, Workspace};

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

/// Number of inputs per parser, the time limit in seconds, and the part of the inputs to read.
#[derive(Debug, PartialEq, Eq)]
struct Effort {
    inputs: u64,
    seconds: u64,
    shard: Shard,
}

/// Runs these tests in the profile with overflow checks; with `--guided`, the fuzz targets.
///
/// # Errors
/// If a parser panics, or does not read all inputs within the time limit.
pub fn run(workspace: &Workspace, options: &[&str]) -> Result<()> {
    if options.contains(&"--guided") {
        return guided::run_with(workspace, options);
    }
    let effort = Effort::read(options)?;
    let status = Command::new(workspace::cargo())
        .args(["test", "--no-fail-fast"])
        .args(PACKAGES.iter().flat_map(|package| ["--package", package]))
        .args(["--lib", "--bins", "--tests"])
        .args(["whatever_comes", "--", "--nocapture"])
        .env("DUOFORGE_INPUTS", effort.inputs.to_string())
        .env("DUOFORGE_SECONDS", effort.seconds.to_string())
        .env("DUOFORGE_SHARD", effort.shard.index().to_string())
        .env("DUOFORGE_SHARDS", effort.shard.count().to_string())
        .status()
        .context("cargo could not be started")?;
    let Effort {
        inputs,
        seconds,
        shard,
    } = effort;
    ensure!(
        status.success(),
        "not every parser read shard {shard} of {inputs} inputs within {seconds} s, see above"
    );
    println!("every parser read shard {shard} of {inputs} inputs");
    Ok(())
}

impl Effort {
    fn read(options: &[&str]) -> Result<Self> {
        let mut effort = Self {
            inputs: INPUTS,
            seconds: SECONDS,
            shard: Shard::WHOLE,
        };
        let mut options = options.iter();
        while let Some(&name) = options.next() {
            let mut value = || {
                let value = options.next();
                value.with_context(|| format!("{name} takes a value"))
            };
            let (wanted, value) = match name {
                "--inputs" => (&mut effort.inputs, value()?),
                "--seconds" => (&mut effort.seconds, value()?),
                "--shard" => {
                    effort.shard = value()?.parse()?;
                    continue;
                }
                _ => bail!(
                    "fuzz takes --inputs N, --seconds N, --shard I/N and --guided, not '{name}'"
                ),
            };
            *wanted = value
                .parse()
                .with_context(|| format!("{name} takes a number, not '{value}'"))?;
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
        let effort = |inputs, seconds, shard: &str| Effort {
            inputs,
            seconds,
            shard: shard.parse().unwrap(),
        };
        let all = effort(10_000_000, 3_600, "0/1");
        assert_eq!(Effort::read(&[]).unwrap(), all);
        let options = ["--seconds", "5", "--inputs", "70", "--shard", "2/3"];
        assert_eq!(Effort::read(&options).unwrap(), effort(70, 5, "2/3"));
    }

    #[test]
    fn other_options_and_numbers_are_refused() {
        for options in [
            &["--fast"][..],
            &["--inputs"],
            &["--inputs", "0"],
            &["--seconds", "x"],
            &["--shard", "3/3"],
        ] {
            assert!(Effort::read(options).is_err(), "{options:?}");
        }
        let unknown = Effort::read(&["--fast"]).unwrap_err().to_string();
        assert!(unknown.ends_with(", not '--fast'"), "{unknown}");
        let missing = Effort::read(&["--shard"]).unwrap_err().to_string();
        assert_eq!(missing, "--shard takes a value");
    }
}
