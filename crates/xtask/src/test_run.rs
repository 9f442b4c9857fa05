//! Order in which the test programs of `cargo xtask test` run.
//!
//! Programs that compute for minutes run side by side, since each of them leaves processors idle:
//! a place and route has one thread, and a test binary waits for its longest test. All other
//! programs run one by one afterwards, because some of them measure times.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::counts::{Program, Reader};
use crate::workspace::cargo;

/// Programs that run side by side, the longest first: directory of the package, and target. None of
/// them measures a time.
const SIDE_BY_SIDE: &[(&str, &str)] = &[
    ("tests", "test hardware"),
    ("crates/targets", "test report"),
    ("crates/targets", "test projects"),
    ("tests", "test hardware_lint"),
    ("crates/mutants", "test today"),
    ("tests", "test shipped"),
    ("crates/prover", "test quick"),
    ("crates/mutants", "test sample"),
    ("crates/targets", "test tops"),
    ("crates/prover", "test verdicts"),
    ("crates/cli", "test campaigns"),
    ("crates/rules", "test variants"),
    ("crates/targets", "test tools"),
    ("crates/lab", "test campaigns"),
    ("crates/lab", "lib"),
    ("crates/engine", "test settled"),
    ("crates/engine", "lib"),
    ("sim", "test agree"),
    ("sim", "test waves"),
];

/// Programs that `--quick` omits in addition: each takes longer than five seconds.
const SLOW: &[(&str, &str)] = &[
    ("crates/cli", "test conform"),
    ("crates/cli", "test identify"),
    ("crates/cli", "test kept"),
    ("crates/cli", "test project"),
    ("crates/cli", "test regret"),
    ("crates/cli", "test simulated"),
    ("crates/cli", "test tournament"),
    ("crates/cli", "test verilog_player"),
    ("crates/conform", "test mocks"),
    ("crates/players", "test misbehaviour"),
    ("sim", "test failures"),
    ("tests", "test board_on_its_own_clock"),
    ("tests", "test boards_on_bad_lines"),
    ("tests", "test boards_on_serial_lines"),
];

/// Number of programs that run side by side.
const WORKERS: usize = 2;

/// Programs that ended with a failure, and the times of all.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Names of the programs that failed.
    pub failed: Vec<String>,
    /// Times of all programs.
    pub times: Vec<(String, Duration)>,
}

/// Returns true if the list holds the program.
fn listed(list: &[(&str, &str)], program: &Program) -> bool {
    let binary = &program.binary;
    let name = (binary.package.as_str(), binary.target.as_str());
    list.contains(&name)
}

/// Returns the programs that `--quick` runs.
pub fn quick(mut programs: Vec<Program>) -> Vec<Program> {
    programs.retain(|program| !listed(SIDE_BY_SIDE, program) && !listed(SLOW, program));
    programs
}

/// Runs all programs, and passes their output to the reader.
///
/// # Errors
/// A program that cannot be started.
pub fn run(programs: &[Program], reader: &mut Reader) -> Result<Outcome> {
    let (mut first, rest): (Vec<_>, Vec<_>) = programs
        .iter()
        .partition(|program| listed(SIDE_BY_SIDE, program));
    let place = |program: &&Program| {
        let names = SIDE_BY_SIDE.iter();
        let of = |name: &&(&str, &str)| listed(&[**name], program);
        names
            .enumerate()
            .find(|(_, name)| of(name))
            .map(|(place, _)| place)
    };
    first.sort_by_key(place);
    let queue = Mutex::new(VecDeque::from(first));
    let shared = Mutex::new((reader, Outcome::default()));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| scope.spawn(|| side(&queue, &shared)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    let (reader, mut outcome) = shared
        .into_inner()
        .unwrap_or_else(|error| error.into_inner());
    for program in rest {
        let announcement = program.announcement();
        println!("{announcement}");
        reader.read(&announcement);
        let show = |line: &str| {
            println!("{line}");
            reader.read(line);
        };
        let (good, time) = start(program, show)?;
        outcome.add(program, good, time);
    }
    Ok(outcome)
}

/// Worker that takes programs from the queue. The output of a program is shown when it ends.
fn side(queue: &Mutex<VecDeque<&Program>>, shared: &Mutex<(&mut Reader, Outcome)>) -> Result<()> {
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(|error| error.into_inner());
        queue.pop_front()
    };
    while let Some(program) = next() {
        let mut lines = vec![program.announcement()];
        let (good, time) = start(program, |line| lines.push(line.to_owned()))?;
        let mut shared = shared.lock().unwrap_or_else(|error| error.into_inner());
        for line in lines {
            println!("{line}");
            shared.0.read(&line);
        }
        shared.1.add(program, good, time);
    }
    Ok(())
}

/// Runs a program as `cargo test` does, in the directory of its package, and passes each line of
/// its output to `show`. Returns true if it succeeded, and its time.
fn start(program: &Program, mut show: impl FnMut(&str)) -> Result<(bool, Duration)> {
    let begin = Instant::now();
    // One pipe keeps the order of both streams.
    let (output, input) = std::io::pipe().context("there is no pipe for a test")?;
    let mut child = {
        let mut command = Command::new(&program.file);
        command
            .current_dir(&program.folder)
            .env("CARGO", cargo())
            .env("CARGO_MANIFEST_DIR", &program.folder)
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
    }

    /// Prints the programs that took longest.
    pub fn print_slowest(&self, count: usize) {
        let mut times: Vec<_> = self.times.iter().collect();
        times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        println!("\nslowest test programs:");
        for (name, time) in times.into_iter().take(count) {
            println!("  {:>8.1} s  {name}", time.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::counts::Binary;
    use crate::floors::{FLOORS, Floors};

    fn program(folder: &str, target: &str) -> Program {
        Program {
            binary: Binary {
                package: folder.to_owned(),
                target: target.to_owned(),
            },
            file: "/bin/true".into(),
            folder: "/".into(),
        }
    }

    #[test]
    fn every_listed_program_has_a_floor() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let floors = Floors::load(&root.join(FLOORS)).unwrap();
        for (package, target) in SIDE_BY_SIDE.iter().chain(SLOW) {
            assert!(floors.has(package, target), "{package}, {target}");
        }
    }

    #[test]
    fn quick_omits_what_takes_long() {
        let programs = ["test hardware", "test arrows"].map(|target| program("tests", target));
        let left: Vec<_> = quick(programs.to_vec());
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].binary.target, "test arrows");
    }
}
