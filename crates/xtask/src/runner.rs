//! Runs steps in sequence and prints their results.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::counts::{self, Built, Reader};
use crate::floors::{self, Floors};
use crate::fuzz::guided;
use crate::oldest_rust;
use crate::page;
use crate::python;
use crate::setup;
use crate::steps::{Action, Step};
use crate::test_run;
use crate::times;
use crate::words;
use crate::workspace::{Workspace, cargo};

/// Runs every step, also after a failure, and prints a summary with the wall time and the processor
/// time of each.
///
/// # Errors
/// If at least one step failed.
pub fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    let start = Instant::now();
    let mut summary = Vec::new();
    let mut failed = Vec::new();
    for step in steps {
        println!("\n== {}: {}", step.name, step.about);
        std::io::stdout().flush()?;
        let (begin, busy) = (Instant::now(), processor_time());
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
            "  {:10} {verdict:6} {:>9}  {:>9}  {detail}",
            step.name,
            clock_time(begin.elapsed()),
            clock_time(processor_time().saturating_sub(busy)),
        ));
    }
    println!(
        "\n== summary ({}, {} of processor time)",
        clock_time(start.elapsed()),
        clock_time(processor_time())
    );
    for line in summary {
        println!("{}", line.trim_end());
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// Runs one step and returns its text for the summary.
fn run_step(workspace: &Workspace, step: &Step) -> Result<String> {
    match step.action {
        Action::Setup => setup::run_with(workspace, &[]).map(|()| String::new()),
        Action::Words => words::check(workspace.root()),
        Action::Page => page::check(workspace).map(|()| String::new()),
        Action::Python => python::check(workspace),
        Action::Fuzz { seconds, seed } => guided::check(workspace, seconds, seed),
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
        Action::Tool(tool, arguments) => {
            println!("$ {} {}", tool.name, arguments.join(" "));
            let mut command = tool.command()?;
            command
                .args(arguments)
                .envs(step.env.iter().copied())
                .current_dir(workspace.root());
            let status = command
                .status()
                .with_context(|| format!("{} could not be started", tool.name))?;
            ensure!(status.success(), "{} ended with {status}", tool.name);
            Ok(String::new())
        }
        Action::OldestRust => oldest_rust::check(workspace),
        Action::Script(path) => {
            println!("$ {path}");
            let mut command = Command::new("sh");
            command
                .arg(path)
                .envs(step.env.iter().copied())
                .current_dir(workspace.root());
            let status = command
                .status()
                .with_context(|| format!("{path} could not be started"))?;
            ensure!(status.success(), "{path} ended with {status}");
            Ok(String::new())
        }
        Action::CargoTest(arguments) => run_tests(workspace, step, arguments),
        Action::QuickTest(arguments) => run_quick(workspace, step, arguments),
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

/// Number of the slowest test programs to print.
const SLOWEST: usize = 12;

/// Builds the test binaries, runs them and the examples of the documentation, shows every line of
/// output, and checks the counts of their results against the committed floors.
fn run_tests(workspace: &Workspace, step: &Step, arguments: &[&str]) -> Result<String> {
    let built = build_tests(workspace, step, arguments)?;
    let programs = built.programs.clone();
    let mut reader = Reader::new(built);
    let mut outcome = test_run::run(&programs, step.env, &last_times(workspace), &mut reader)?;
    if !arguments.iter().any(|argument| TARGETS.contains(argument)) {
        let examples = [arguments, &["--doc"]].concat();
        let begin = Instant::now();
        let name = "examples of the documentation".to_owned();
        if !run_examples(workspace, step, &examples, &mut reader)? {
            outcome.failed.push(name.clone());
        }
        outcome.times.push((name, begin.elapsed()));
    }
    outcome.print_slowest(SLOWEST);
    let (ran, silent) = reader.finish();
    let counts = counts::summary(&ran);
    let failed = outcome.failed.join("; ");
    ensure!(failed.is_empty(), "{counts}; failed: {failed}");
    let root = workspace.root();
    Floors::of(&ran).save(&root.join(floors::LAST))?;
    let faults = Floors::load(&root.join(floors::FLOORS))?.faults(&ran, &silent);
    ensure!(
        faults.is_empty(),
        "{counts}; not what {} demands:\n  {}",
        floors::FLOORS,
        faults.join("\n  ")
    );
    Ok(counts)
}

/// Builds the test binaries and runs the fast ones.
fn run_quick(workspace: &Workspace, step: &Step, arguments: &[&str]) -> Result<String> {
    let built = build_tests(workspace, step, arguments)?;
    let all = built.programs.len();
    let programs = test_run::quick(built.programs.clone());
    let mut reader = Reader::new(built);
    let outcome = test_run::run(&programs, step.env, &last_times(workspace), &mut reader)?;
    outcome.print_slowest(SLOWEST);
    let counts = counts::summary(&reader.finish().0);
    let failed = outcome.failed.join("; ");
    ensure!(failed.is_empty(), "{counts}; failed: {failed}");
    Ok(format!("{counts}, of {all}"))
}

/// Returns the file with the times of earlier runs.
fn last_times(workspace: &Workspace) -> PathBuf {
    workspace.root().join(times::LAST)
}

/// Options of cargo that select targets, and thus omit the examples of the documentation.
const TARGETS: [&str; 6] = [
    "--lib",
    "--bins",
    "--tests",
    "--examples",
    "--benches",
    "--all-targets",
];

/// Runs the examples of the documentation; returns true if all of them are right.
fn run_examples(
    workspace: &Workspace,
    step: &Step,
    arguments: &[&str],
    reader: &mut Reader,
) -> Result<bool> {
    // Cargo announces a library on one stream and the examples report on the other: one pipe keeps
    // the order.
    let (output, input) = std::io::pipe().context("there is no pipe for cargo")?;
    let mut child = {
        let mut command = command(workspace, step, arguments);
        command
            .env("CARGO_TERM_COLOR", "never")
            .stdout(input.try_clone()?)
            .stderr(input);
        command.spawn().context("cargo could not be started")?
    };
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("the output of cargo could not be read")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        reader.read(&line);
    }
    let status = child.wait().context("cargo could not be waited for")?;
    Ok(status.success())
}

/// Builds the test binaries and returns their names.
fn build_tests(workspace: &Workspace, step: &Step, arguments: &[&str]) -> Result<Built> {
    let arguments = [
        arguments,
        &["--no-run", "--message-format", "json-render-diagnostics"],
    ]
    .concat();
    let mut command = command(workspace, step, &arguments);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    ensure!(
        output.status.success(),
        "the tests could not be built: cargo ended with {}",
        output.status
    );
    let root = workspace.root().to_string_lossy();
    Built::read(&String::from_utf8_lossy(&output.stdout), &root)
}

/// Returns the processor time of all processes below this one that have ended; zero where the system
/// does not count it.
fn processor_time() -> Duration {
    let time = |value: TimeVal| {
        let (seconds, micros) = (value.tv_sec(), value.tv_usec());
        Duration::new(
            u64::try_from(seconds).unwrap_or(0),
            u32::try_from(micros).unwrap_or(0) * 1_000,
        )
    };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    usage.map_or(Duration::ZERO, |usage| {
        time(usage.user_time()) + time(usage.system_time())
    })
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
    use std::fs;
    use std::path::Path;

    use super::*;

    const STEP: Step = Step {
        name: "test",
        about: "",
        env: &[],
        action: Action::Setup,
    };

    /// Creates a package with tests in its library, its documentation and a test target.
    fn package(root: &Path) -> Workspace {
        let files = [
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"inner\"]\nresolver = \"3\"\n",
            ),
            (
                "inner/Cargo.toml",
                "[package]\nname = \"some-package\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
            ),
            (
                "inner/src/lib.rs",
                "/// ```\n/// assert_eq!(some_package::one(), 1);\n/// ```\npub fn one() -> u8 { 1 }\n\
                 #[test]\nfn a() {}\n#[test]\n#[ignore]\nfn b() {}\n",
            ),
            (
                "inner/tests/outer.rs",
                "use std::io::{Write, stdout};\n#[test]\nfn leaves_its_line_open() {\n\
                 stdout().write_all(b\"open\").unwrap();\nstdout().flush().unwrap();\n}\n",
            ),
        ];
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Workspace::at(root)
    }

    fn run_with(workspace: &Workspace, floors: &str, arguments: &[&str]) -> Result<String> {
        let path = workspace.root().join(floors::FLOORS);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, floors).unwrap();
        run_tests(
            workspace,
            &STEP,
            &[&["test", "--offline"], arguments].concat(),
        )
    }

    #[test]
    fn a_real_run_is_held_against_the_floors() {
        let directory = tempfile::tempdir().unwrap();
        // Cargo prints canonical paths.
        let root = directory.path().canonicalize().unwrap();
        let workspace = package(&root);
        let floors = "[inner]\nlib = { passed = 1, ignored = 1 }\ndoc = { passed = 1 }\n\
                      'test outer' = { passed = 1 }\n";
        let summary = run_with(&workspace, floors, &["--workspace"]).unwrap();
        assert_eq!(summary, "3 passed; 0 failed; 1 ignored in 3 test binaries");
        let last = Floors::load(&root.join(floors::LAST)).unwrap();
        assert_eq!(last, Floors::load(&root.join(floors::FLOORS)).unwrap());

        let fewer = run_with(&workspace, floors, &["--workspace", "--lib"]).unwrap_err();
        let fewer = fewer.to_string();
        assert!(fewer.contains("inner, test outer: did not run"), "{fewer}");
        assert!(fewer.contains("inner, doc: did not run"), "{fewer}");
        assert!(!fewer.contains("inner, lib"), "{fewer}");

        let none = run_with(&workspace, floors, &["--workspace", "--bins"]).unwrap_err();
        assert!(none.to_string().contains("no test binary ran"), "{none}");
    }

    #[test]
    fn the_work_of_children_is_processor_time() {
        let before = processor_time();
        let count = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
        let status = Command::new("sh").args(["-c", count]).status().unwrap();
        assert!(status.success());
        assert!(processor_time() > before);
    }

    #[test]
    fn times_read_well() {
        assert_eq!(clock_time(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(clock_time(Duration::from_secs(605)), "10:05 min");
    }
}
