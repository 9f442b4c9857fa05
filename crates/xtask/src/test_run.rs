//! Runs the test programs of `cargo xtask test`, two at a time and the longest first, and meanwhile
//! those that mostly wait.
//!
//! A single program leaves processors idle: a place and route has one thread, a conformance check
//! waits for its limits, and every program waits for its longest test. The longest programs begin,
//! so that no long one is left over at the end, and the many short ones fill the gaps. A test that
//! measures a time must therefore allow for a busy machine.

use std::cmp::Reverse;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::counts::{Binary, Program, Reader};
use crate::side_by_side::side_by_side_with;
use crate::times::{self, Times};
use crate::workspace::cargo;

/// Programs that ended with a failure, and the times of all.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Names of the programs that failed.
    pub failed: Vec<String>,
    /// Times of all programs, and of the examples of the documentation.
    pub times: Vec<(String, Duration)>,
    /// Times of the programs for the order of the next run.
    ran: Vec<(Binary, Duration)>,
}

/// Returns the programs that `--quick` runs.
pub fn quick(mut programs: Vec<Program>) -> Vec<Program> {
    programs.retain(|program| times::listed(&program.binary).is_none());
    programs
}

/// Returns the programs in the order in which they begin.
fn ordered<'p>(programs: &'p [Program], times: &Times) -> Vec<&'p Program> {
    let mut order: Vec<_> = programs.iter().collect();
    order.sort_by_key(|program| Reverse(times.expected(&program.binary)));
    order
}

/// Runs all programs, and passes their output to the reader. `last` names the file with the times
/// of earlier runs, which this run brings up to date. The programs get the environment variables
/// `env` of the build, so that a test that calls cargo compiles nothing again.
///
/// # Errors
/// A program that cannot be started, or times that cannot be written.
pub fn run(
    programs: &[Program],
    env: &[(&str, &str)],
    last: &Path,
    reader: &mut Reader,
) -> Result<Outcome> {
    let mut times = Times::load(last);
    let shared = Mutex::new((reader, Outcome::default()));
    let order = ordered(programs, &times).into_iter();
    let (waiting, others): (Vec<_>, Vec<_>) = order.partition(|it| times::is_waiting(&it.binary));
    side_by_side_with(others, waiting, |program| {
        let mut lines = vec![program.announcement()];
        let (good, time) = start(program, env, |line| lines.push(line.to_owned()))?;
        // The output of a program is shown when it ends.
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines {
            println!("{line}");
            shared.0.read(&line);
        }
        shared.1.add(program, good, time);
        Ok(())
    })?;
    let (_, outcome) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (binary, time) in &outcome.ran {
        times.note(binary, *time);
    }
    times.save(last)?;
    Ok(outcome)
}

/// Runs a program as `cargo test` does, in the directory of its package, and passes each line of
/// its output to `show`. Returns true if it succeeded, and its time.
fn start(
    program: &Program,
    env: &[(&str, &str)],
    mut show: impl FnMut(&str),
) -> Result<(bool, Duration)> {
    let begin = Instant::now();
    // One pipe keeps the order of both streams.
    let (output, input) = std::io::pipe().context("there is no pipe for a test")?;
    let mut child = {
        let mut command = Command::new(&program.file);
        command
            .current_dir(&program.directory)
            .env("CARGO", cargo())
            .env("CARGO_MANIFEST_DIR", &program.directory)
            .envs(env.iter().copied())
            .stdout(input.try_clone()?)
            .stderr(input);
        let name = program.file.display();
        command
            .spawn()
            .with_context(|| format!("{name} could not be started"))?
    };
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("the output of a test could not be read")?;
        show(&String::from_utf8_lossy(&line));
    }
    let status = child.wait().context("a test could not be waited for")?;
    Ok((status.success(), begin.elapsed()))
}

impl Outcome {
    fn add(&mut self, program: &Program, good: bool, time: Duration) {
        let name = program.binary.to_string();
        if !good {
            self.failed.push(name.clone());
        }
        self.times.push((name, time));
        self.ran.push((program.binary.clone(), time));
    }

    /// Prints the programs that took longest.
    pub fn print_slowest(&self, count: usize) {
        let mut times: Vec<_> = self.times.iter().collect();
        times.sort_by_key(|(_, time)| Reverse(*time));
        println!("\nslowest test programs:");
        for (name, time) in times.into_iter().take(count) {
            println!("  {:>8.1} s  {name}", time.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Built;

    fn program(directory: &str, target: &str, file: &str) -> Program {
        Program {
            binary: Binary {
                package: directory.to_owned(),
                target: target.to_owned(),
            },
            file: file.into(),
            directory: "/".into(),
        }
    }

    fn names(programs: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<Program> {
        let programs = programs.into_iter();
        programs
            .map(|target| program("tests", target.as_ref(), "/bin/true"))
            .collect()
    }

    #[test]
    fn quick_omits_what_takes_long() {
        let left = quick(names(["test hardware", "test arrows"]));
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].binary.target, "test arrows");
    }

    #[test]
    fn the_longest_programs_begin() {
        let programs = names(["test arrows", "test shipped", "test hardware", "lib"]);
        let mut times = Times::default();
        let order = |times: &Times| {
            let order = ordered(&programs, times);
            let targets = order
                .into_iter()
                .map(|program| program.binary.target.clone());
            targets.collect::<Vec<_>>()
        };
        let first = ["test hardware", "test shipped", "test arrows", "lib"];
        assert_eq!(order(&times), first);
        times.note(&programs[3].binary, Duration::from_secs(300));
        let later = ["test hardware", "lib", "test shipped", "test arrows"];
        assert_eq!(order(&times), later);
    }

    #[test]
    fn every_program_runs_once_and_its_time_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let last = directory.path().join("target/times.toml");
        let mut programs = names((0..9).map(|i| format!("test t{i}")));
        programs.push(program("tests", "test bad", "/bin/false"));
        let mut reader = Reader::new(Built::default());
        let outcome = run(&programs, &[], &last, &mut reader).unwrap();
        assert_eq!(outcome.failed, ["tests, test bad"]);
        let mut ran: Vec<_> = outcome.ran.iter().map(|(binary, _)| binary).collect();
        ran.sort();
        ran.dedup();
        assert_eq!(ran.len(), programs.len());
        let text = std::fs::read_to_string(&last).unwrap();
        assert_eq!(text.lines().count(), programs.len() + 1, "{text}");
    }
}
