//! Coverage-guided fuzzing: builds the fuzz targets of `crates/fuzz` with coverage counters and runs
//! them by libFuzzer.
//!
//! The compiler flags are those of cargo-fuzz without a sanitizer, which the stable compiler
//! supports. They apply to the targets and their dependencies, but not to build scripts and
//! procedural macros. The outputs are apart from those of other builds.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::outcome::{Outcome, Verdict};
use crate::side_by_side::side_by_side;
use crate::steps::NOT_INCREMENTAL;
use crate::workspace::{Workspace, cargo};

/// Seed inputs: a directory for each target.
const SEEDS: &str = "crates/fuzz/corpus";

/// Directory of the builds, of inputs that were found, and of logs.
const OUTPUT: &str = "target/fuzz";

/// Default time of a target in seconds.
const SECONDS: u64 = 60;

/// Flags of the compiler.
const FLAGS: [&str; 8] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg",
    "fuzzing",
];

/// Limits of an input: its length in bytes, its time in seconds, and the memory of the process in
/// MiB.
const LIMITS: [&str; 3] = ["-max_len=4096", "-timeout=10", "-rss_limit_mb=512"];

/// Options of the command.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    seconds: u64,
    only: Vec<String>,
    input: Option<PathBuf>,
}

/// Fuzz target that was built.
struct Target {
    name: String,
    program: PathBuf,
}

/// Runs the targets that the options of the command name. The process exits with status 2 if they
/// cannot be built.
///
/// # Errors
/// If a target finds an input that breaks a property, or does not run as it should.
pub fn run_with(workspace: &Workspace, options: &[&str]) -> Result<()> {
    let begun = Options::read(options).and_then(|options| {
        let targets = build(workspace, &options.only)?;
        Ok((options, targets))
    });
    let (options, targets) = begun.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        std::process::exit(2);
    });
    if let Some(input) = &options.input {
        return run_input(workspace, &targets[0], input);
    }
    run_all(workspace, targets, options.seconds, 0).map(|summary| println!("{summary}"))
}

/// Builds all targets and runs each for a time in seconds, with a seed or, if that is 0, another one
/// each time. Returns a summary.
///
/// # Errors
/// If the targets cannot be built, and as [`run_with`].
pub fn check(workspace: &Workspace, seconds: u64, seed: u32) -> Result<String> {
    let targets = build(workspace, &[])?;
    run_all(workspace, targets, seconds, seed)
}

/// Builds targets: all, or those with these names.
fn build(workspace: &Workspace, only: &[String]) -> Result<Vec<Target>> {
    let known = names(&workspace.root().join(SEEDS))?;
    for name in only {
        let list = known.join(", ");
        ensure!(
            known.contains(name),
            "no target is called '{name}': expected {list}"
        );
    }
    let host = Command::new("rustc")
        .args(["--print", "host-tuple"])
        .output()
        .context("rustc could not be started")?;
    let host = String::from_utf8(host.stdout)?;
    let mut arguments = vec!["build", "--profile", "fuzz", "--package", "duoforge-fuzz"];
    // With a target given, cargo hands the flags to no build script and to no procedural macro.
    arguments.extend(["--features", "guided", "--target", host.trim()]);
    arguments.extend(["--target-dir", OUTPUT]);
    if only.is_empty() {
        arguments.push("--bins");
    }
    arguments.extend(only.iter().flat_map(|name| ["--bin", name]));
    println!("$ cargo {}", arguments.join(" "));
    let output = Command::new(cargo())
        .args(arguments)
        .args(["--message-format", "json-render-diagnostics"])
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"))
        .envs([NOT_INCREMENTAL])
        .current_dir(workspace.root())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    let status = output.status;
    ensure!(
        status.success(),
        "the fuzz targets could not be built: cargo ended with {status}"
    );
    let targets = built(&String::from_utf8_lossy(&output.stdout))?;
    let expected = if only.is_empty() {
        known.len()
    } else {
        only.len()
    };
    ensure!(
        targets.len() == expected,
        "{} targets were built: expected {expected}, one for each directory of {SEEDS}",
        targets.len()
    );
    Ok(targets)
}

/// Returns the names of the directories with seed inputs.
fn names(seeds: &Path) -> Result<Vec<String>> {
    let context = || format!("{} could not be read", seeds.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(seeds).with_context(context)? {
        let name = entry.with_context(context)?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Returns the programs that cargo names, one JSON object per line.
fn built(messages: &str) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("a message of cargo")?;
        let (name, program) = (&message["target"]["name"], &message["executable"]);
        if let (Some(name), Some(program)) = (name.as_str(), program.as_str()) {
            targets.push(Target {
                name: name.to_owned(),
                program: program.into(),
            });
        }
    }
    targets.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(targets)
}

/// Runs targets, two at a time, and prints the result of each. Returns a summary.
fn run_all(workspace: &Workspace, targets: Vec<Target>, seconds: u64, seed: u32) -> Result<String> {
    let count = targets.len();
    println!("{}", Outcome::HEAD);
    let results = Mutex::new((0, Vec::new()));
    side_by_side(targets, |target| {
        let outcome = run(workspace, &target, seconds, seed)?;
        let verdict = outcome.verdict();
        let mut results = results.lock().expect("no worker panics");
        match verdict {
            Verdict::Good => println!("{}", outcome.line(&target.name)),
            Verdict::Bad(fault) => {
                println!("{}: {fault}", target.name);
                results.1.push(target.name);
            }
        }
        results.0 += outcome.inputs;
        Ok(())
    })?;
    let (inputs, failed) = results.into_inner().expect("no worker panics");
    ensure!(
        failed.is_empty(),
        "failed: {}, see above",
        failed.join(", ")
    );
    Ok(format!("{inputs} inputs for {count} targets"))
}

/// Runs a target for a time on its seed inputs and on those that earlier runs found.
fn run(workspace: &Workspace, target: &Target, seconds: u64, seed: u32) -> Result<Outcome> {
    let found = Path::new(OUTPUT).join("corpus").join(&target.name);
    let seeds = Path::new(SEEDS).join(&target.name);
    fs::create_dir_all(workspace.root().join(&found))?;
    let time = format!("-max_total_time={seconds}");
    let seed = format!("-seed={seed}");
    let arguments = [&time, &seed, "-print_final_stats=1", "-reload=0"].map(PathBuf::from);
    start(
        workspace,
        target,
        &[&arguments[..], &[found, seeds]].concat(),
    )
}

/// Hands one input to a target.
fn run_input(workspace: &Workspace, target: &Target, input: &Path) -> Result<()> {
    let input = std::path::absolute(input)?;
    ensure!(input.is_file(), "{} is not a file", input.display());
    let outcome = start(workspace, target, &[input])?;
    if let Some(fault) = outcome.fault() {
        bail!("{}: {fault}", target.name);
    }
    println!("{}: the input breaks no property", target.name);
    Ok(())
}

/// Starts a target in the root of the repository, and waits for its end. Its output is in a log.
fn start(workspace: &Workspace, target: &Target, arguments: &[PathBuf]) -> Result<Outcome> {
    let root = workspace.root();
    let directory = |name: &str| -> Result<String> {
        let directory = Path::new(OUTPUT).join(name);
        fs::create_dir_all(root.join(&directory))?;
        Ok(directory.display().to_string())
    };
    let log = format!("{}/{}.log", directory("logs")?, target.name);
    let crashes = directory(&format!("crashes/{}", target.name))?;
    let file = File::create(root.join(&log)).with_context(|| format!("{log} cannot be written"))?;
    let status = Command::new(&target.program)
        .args(LIMITS)
        .arg(format!("-artifact_prefix={crashes}/"))
        .args(arguments)
        .env("RUST_BACKTRACE", "0")
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .status()
        .with_context(|| format!("{} could not be started", target.program.display()))?;
    let text = fs::read(root.join(&log)).with_context(|| format!("{log} cannot be read"))?;
    let mut outcome = Outcome::read(&String::from_utf8_lossy(&text));
    outcome.ended = (!status.success()).then(|| format!("{status}, see {log}"));
    if let Some(path) = &outcome.artifact {
        let bytes = fs::read(root.join(path)).with_context(|| format!("{path} cannot be read"))?;
        outcome.input = Some(bytes);
        outcome.again = format!(
            "cargo xtask fuzz --guided --only {} --input {path}",
            target.name
        );
    }
    Ok(outcome)
}

impl Options {
    fn read(options: &[&str]) -> Result<Self> {
        let mut read = Self {
            seconds: SECONDS,
            only: Vec::new(),
            input: None,
        };
        let mut options = options.iter().filter(|&&option| option != "--guided");
        while let Some(&name) = options.next() {
            let mut value = || {
                let value = options.next();
                value.with_context(|| format!("{name} takes a value"))
            };
            match name {
                "--seconds" => {
                    let number = value()?;
                    read.seconds = number.parse().ok().filter(|&n| n > 0).with_context(|| {
                        format!("--seconds takes a number above 0, not '{number}'")
                    })?;
                }
                "--only" => read.only.push((*value()?).to_owned()),
                "--input" => read.input = Some(value()?.into()),
                _ => bail!(
                    "fuzz --guided takes --seconds N, --only TARGET and --input FILE, not '{name}'"
                ),
            }
        }
        ensure!(
            read.input.is_none() || read.only.len() == 1,
            "--input needs the target of the input: --only TARGET"
        );
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_set_time_targets_and_input() {
        let read = |options: &[&str]| Options::read(options).unwrap();
        let all = Options {
            seconds: 60,
            only: Vec::new(),
            input: None,
        };
        assert_eq!(read(&["--guided"]), all);
        let options = [
            "--guided",
            "--only",
            "host",
            "--seconds",
            "5",
            "--input",
            "x",
        ];
        let one = Options {
            seconds: 5,
            only: vec!["host".to_owned()],
            input: Some("x".into()),
        };
        assert_eq!(read(&options), one);
        for options in [
            &["--inputs", "5"][..],
            &["--seconds", "0"],
            &["--seconds"],
            &["--input", "x"],
        ] {
            assert!(Options::read(options).is_err(), "{options:?}");
        }
    }

    #[test]
    fn cargo_names_the_programs() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"a\"},\"executable\":null}\n\
                        {\"target\":{\"name\":\"trees\"},\"executable\":\"/x/trees\"}\n\
                        {\"target\":{\"name\":\"host\"},\"executable\":\"/x/host\"}\n";
        let targets = built(messages).unwrap();
        let names: Vec<&str> = targets.iter().map(|target| &*target.name).collect();
        assert_eq!(names, ["host", "trees"]);
    }
}
