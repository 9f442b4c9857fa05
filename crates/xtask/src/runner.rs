//! Runs steps one after the other and prints what came of each.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::counts::Counts;
use crate::setup;
use crate::steps::{Action, Step};
use crate::workspace::{Workspace, cargo};

/// Runs every step, also after one failed, and prints a summary with the time of each.
///
/// # Errors
/// When at least one step failed.
pub fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    let start = Instant::now();
    let mut summary = Vec::new();
    let mut failed = Vec::new();
    for step in steps {
        println!("\n== {}: {}", step.name, step.about);
        std::io::stdout().flush()?;
        let begin = Instant::now();
        let (verdict, detail) = match run_step(workspace, step) {
            Ok(detail) => ("ok", detail),
            Err(error) => {
                failed.push(step.name);
                eprintln!("error: {error:#}");
                (
                    "FAILED",
                    format!("{error:#}")
                        .lines()
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                )
            }
        };
        summary.push(format!(
            "  {:10} {verdict:6} {:>9}  {detail}",
            step.name,
            clock_time(begin.elapsed())
        ));
    }
    println!("\n== summary ({})", clock_time(start.elapsed()));
    for line in summary {
        println!("{}", line.trim_end());
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// Runs one step and returns what the summary says about it.
fn run_step(workspace: &Workspace, step: &Step) -> Result<String> {
    match step.action {
        Action::Setup => setup::run(workspace).map(|()| String::new()),
        Action::Cargo(arguments) => {
            let mut command = command(workspace, step, arguments);
            let status = command.status().context("cargo could not be started")?;
            ensure!(
                status.success(),
                "cargo {} ended with {status}",
                arguments.join(" ")
            );
            Ok(String::new())
        }
        Action::CargoTest(arguments) => run_tests(command(workspace, step, arguments)),
    }
}

fn command(workspace: &Workspace, step: &Step, arguments: &[&str]) -> Command {
    println!("$ cargo {}", arguments.join(" "));
    let mut command = Command::new(cargo());
    command
        .args(arguments)
        .envs(step.env.iter().copied())
        .current_dir(workspace.root());
    command
}

/// Passes on every line of the test binaries as it comes and counts their results.
fn run_tests(mut command: Command) -> Result<String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo could not be started")?;
    let stdout = child.stdout.take().context("cargo has no output")?;
    let mut counts = Counts::default();
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.context("the output of cargo could not be read")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        counts.read(&line);
    }
    let status = child.wait().context("cargo could not be waited for")?;
    if !status.success() {
        bail!("{counts}; cargo test ended with {status}");
    }
    Ok(counts.to_string())
}

fn clock_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{}:{:02} min", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(clock_time(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(clock_time(Duration::from_secs(605)), "10:05 min");
    }
}
