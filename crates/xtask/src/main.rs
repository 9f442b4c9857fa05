//! Development tasks: `cargo xtask setup` installs the pinned tools in `.tools/`, `cargo xtask
//! test` runs every check of the repository.

mod bench_log;
#[cfg(test)]
mod claims;
mod counts;
mod figures;
mod floors;
mod fuzz;
mod host_mutations;
#[cfg(test)]
mod links;
mod nightly;
mod oldest_rust;
mod page;
mod python;
mod runner;
mod setup;
mod side_by_side;
mod steps;
mod test_run;
mod times;
mod words;
mod workspace;

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use duoforge_tools::setup::Policy;

use crate::workspace::Workspace;

const HELP: &str = "\
Development tasks of duoforge

Usage: cargo xtask <COMMAND>

Commands:
  setup               Install the pinned tools that are missing below .tools/ and list them all;
                      `setup --for TASK` those of one task: demo, sim, build, proofs, flash or all
  demo                Install the simulator, then referee a game: the simulated device against the
                      software player, over two pseudo-terminals
  build               Install synthesis, place and route, then build the bitstream of a target:
                      `build --board ulx3s-85f`; `build --help` lists the options
  test                Run every check; the summary and the exit status say which ones failed
  test --quick        Run formatting, terms and the fast tests, for the edit loop
  test --list         List the checks without running them
  test --only STEP    Run only the named check; may be given more than once
  floors              Raise the floors of the test step to the counts of the last run, in
                      crates/xtask/floors.toml; a floor is lowered by hand only
  words               Search prose and identifiers for retired terms, as the step of `test` does;
                      `words --list PATH` prints all below a path, `words --allow` lowers the
                      allowances of crates/xtask/words-allowed.toml to the present counts
  nightly             Run the checks that take too long for `test`, or need the network: all proofs,
                      also those that are not quick, all bitstreams, advisories about dependencies,
                      the oldest supported Rust, the examples of examples/ip, campaigns in shards
                      over HyperQueue and Slurm while workers are killed, 10,000 generated requests
                      to the service, and 100 kills of it; `nightly --list` and
                      `nightly --only STEP` as above
  page                Check the web page, as the step of `test` does: types of the scripts, their unit
                      tests, and tests in Chromium; `page --pictures` writes docs/images/page
  python              Build the wheel of the Python package, install it in a separate environment and
                      run its tests, as the step of `test` does
  report              Build the bitstreams of all boards and write what they take and reach to
                      docs/targets.md; `report --help` lists the options
  proofs              Prove the properties of hdl/formal and refute their mutants; `proofs --help`
                      lists the options
  mutations           Count how many faults in the emitted Verilog the hardware's tests notice;
                      `mutations --help` lists the options
  host-mutations      Count how many faults in the host's crates their tests catch;
                      `host-mutations --help` lists the options
  figures             Measure the figures that documents state, as far as that takes minutes, and write
                      docs/figures.json and the documents; `figures --only FIGURE` measures one,
                      `figures --pages` none, `figures --list` lists them
  bench-log           Print the table of the figures that commits state in their `Bench:` lines;
                      `bench-log --write` writes it to docs/bench-log.md
  fuzz                Hand arbitrary inputs to every parser, ten million each; `fuzz --inputs N` hands
                      N, `--seconds N` fails for a parser that needs longer, and `--shard I/N` hands
                      every N-th input, from input I on
  fuzz --guided       Build the fuzz targets of crates/fuzz with coverage counters and run each for a
                      minute, two at a time; `--seconds N` sets the time, `--only TARGET` runs one, and
                      `--only TARGET --input FILE` hands it one input. Exit status 1 if an input breaks
                      a property, 2 if the targets cannot be built
  help                Print this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [
            task @ ("help" | "--help" | "-h" | "python" | "floors"),
            other,
            ..,
        ] => {
            bail!("`{task}` takes no options, found '{other}'; see `cargo xtask help`")
        }
        ["setup", options @ ..] => setup::run_with(&Workspace::locate()?, options),
        ["demo" | "build", ..] => duoforge(&Workspace::locate()?, arguments),
        ["test", "--list"] => {
            steps::list(steps::STEPS);
            Ok(())
        }
        ["test", "--quick"] => runner::run(&Workspace::locate()?, steps::QUICK),
        ["test", options @ ..] => {
            check_alone("test", &["--list", "--quick"], options)?;
            let steps = steps::select("test", steps::STEPS, options)?;
            runner::run(&Workspace::locate()?, &steps)
        }
        ["nightly", "--list"] => {
            steps::list(nightly::STEPS);
            Ok(())
        }
        ["nightly", options @ ..] => {
            check_alone("nightly", &["--list"], options)?;
            let steps = steps::select("nightly", nightly::STEPS, options)?;
            runner::run(&Workspace::locate()?, &steps)
        }
        ["figures", options @ ..] => {
            check_alone("figures", &["--list"], options)?;
            figures::run(Workspace::locate()?.root(), options)
        }
        ["words", options @ ..] => words::run(Workspace::locate()?.root(), options),
        ["bench-log", options @ ..] => bench_log::run(Workspace::locate()?.root(), options),
        ["page", options @ ..] => page::run_with(&Workspace::locate()?, options),
        ["python"] => python::check(&Workspace::locate()?).map(drop),
        ["floors"] => floors::raise(Workspace::locate()?.root()),
        ["report", options @ ..] => forward("duoforge-targets", options),
        ["proofs", options @ ..] => forward("duoforge-prover", options),
        ["mutations", options @ ..] => forward("duoforge-mutants", options),
        ["host-mutations", options @ ..] => host_mutations::run(&Workspace::locate()?, options),
        ["fuzz", options @ ..] => fuzz::run(&Workspace::locate()?, options),
        [unknown, ..] => bail!("no task is called '{unknown}'; see `cargo xtask help`"),
    }
}

/// Checks that no option which permits no other one is combined.
///
/// # Errors
/// If such an option is one of several.
fn check_alone(task: &str, alone: &[&str], options: &[&str]) -> Result<()> {
    if options.len() < 2 {
        return Ok(());
    }
    match options.iter().find(|option| alone.contains(option)) {
        None => Ok(()),
        Some(option) => {
            bail!("`{task} {option}` takes no other options; see `cargo xtask help`")
        }
    }
}

/// Runs the program of another package with the given options, and exits with its status.
fn forward(package: &str, options: &[&str]) -> Result<()> {
    let status = Command::new(workspace::cargo())
        .args(["run", "--quiet", "--package", package, "--"])
        .args(options)
        .status()
        .context("cargo could not be started")?;
    std::process::exit(status.code().unwrap_or(2));
}

/// Installs the tools that a command of `duoforge` uses, runs it with the given arguments, and
/// exits with its status.
fn duoforge(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    setup::run(workspace, setup::used_by(arguments), Policy::Suitable)?;
    forward("duoforge", arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_task_and_the_option() {
        for (arguments, message) in [
            (
                &["test", "--quick", "--only", "fmt"][..],
                "`test --quick` takes no other options",
            ),
            (
                &["test", "--only", "fmt", "--list"],
                "`test --list` takes no other options",
            ),
            (
                &["nightly", "--list", "--only", "proofs"],
                "`nightly --list` takes no other options",
            ),
            (
                &["figures", "--list", "--only", "reply"],
                "`figures --list` takes no other options",
            ),
            (&["test", "--fast"], "`test` has no option '--fast'"),
            (
                &["nightly", "--quick", "--only", "proofs"],
                "`nightly` has no option '--quick'",
            ),
            (&["python", "--x"], "`python` takes no options, found '--x'"),
            (&["floors", "--x"], "`floors` takes no options, found '--x'"),
            (&["help", "test"], "`help` takes no options, found 'test'"),
            (&["tests"], "no task is called 'tests'"),
        ] {
            let error = run(arguments).expect_err("refused");
            assert_eq!(
                error.to_string(),
                format!("{message}; see `cargo xtask help`")
            );
        }
    }
}
