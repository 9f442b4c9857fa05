//! `duoforge setup`: installation of the programs that commands run.

use duoforge_tools::setup::{Event, Fault, Policy, Setup, Status};
use duoforge_tools::{Place, Task, directory};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Style, Verdict};

/// Install the simulators and other programs that commands run
///
/// Needs neither root nor an account: programs go into ~/.local/share/duoforge/tools, or into the
/// directory that DUOFORGE_TOOLS names, where every command finds them. Programs on PATH are used
/// if their version suits. Every download has a pinned version and hash; where everything is
/// present, nothing is downloaded.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Task whose programs are installed
    #[arg(long = "for", value_name = "TASK", default_value = "demo", value_parser = task)]
    #[arg(help = "Task whose programs are installed: demo, sim, build, proofs, flash or all")]
    pub task: Task,
    /// Install the pinned versions even if PATH has others that suit
    #[arg(long)]
    pub pinned: bool,
    /// Install nothing; only list the programs
    #[arg(long)]
    pub check: bool,
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

const AFTER_HELP: &str = "\
Tasks:
  demo    Verilator and a C++ compiler, for `demo`, `sim` and simulated players
  sim     the same and Icarus Verilog, for --backend icarus
  build   Yosys, nextpnr and the packers, for `build`
  proofs  Yosys and Yices, for the proofs of the repository
  flash   openFPGALoader
  all     all of them, socat and cargo-deny, for the tests of the repository

Exit status: 0 all programs can be used; 1 at least one is missing; 2 usage error or failure";

/// Program in JSON.
#[derive(Serialize)]
struct Row<'a> {
    tool: &'a str,
    purpose: &'a str,
    path: Option<String>,
    version: Option<&'a str>,
    fault: Option<&'a str>,
    help: Option<&'a str>,
}

/// Parses the name of a task.
fn task(name: &str) -> std::result::Result<Task, String> {
    let names = || Task::TASKS.map(Task::name).join(", ");
    Task::named(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Installs the programs.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let directory = directory::for_setup().ok_or_else(|| {
        Failure::new("duoforge::setup", "no home directory is known").help(format!(
            "{} names a directory to install into",
            directory::VARIABLE
        ))
    })?;
    let policy = match args.pinned {
        true => Policy::Pinned,
        false => Policy::Suitable,
    };
    let setup = Setup { directory, policy };
    let statuses = match args.check {
        true => setup.check(args.task.tools()),
        false => setup.run(args.task.tools(), &mut |event| match event {
            Event::Installing(packages) => note!("installing {packages}"),
            Event::Warning(error) => note!("warning: {error}"),
        }),
    };
    if args.json {
        output::json(&statuses.iter().map(row).collect::<Vec<_>>())?;
    } else {
        for status in &statuses {
            output::line(describe(status, style))?;
        }
    }
    let complete = statuses.iter().all(|status| status.found.is_ok());
    if !complete && !args.check {
        note!(
            "`duoforge setup --for {}` continues when they are there",
            args.task.name()
        );
    }
    Ok(Verdict::of(complete))
}

fn row(status: &Status) -> Row<'_> {
    let found = status.found.as_ref();
    let fault = found.err();
    Row {
        tool: status.tool.name,
        purpose: status.tool.purpose,
        path: found
            .ok()
            .map(|(place, _)| place.program().display().to_string()),
        version: found.ok().map(|(_, version)| version.as_str()),
        fault: fault.map(|fault| fault.reason.as_str()),
        help: fault.map(|fault| fault.help.as_str()),
    }
}

fn describe(status: &Status, style: Style) -> String {
    let name = status.tool.name;
    match &status.found {
        Ok((place, version)) => {
            let at = place.program().display();
            let named = match place {
                Place::Variable(_) => format!(", named by {}", status.tool.variable),
                Place::Installed(_) | Place::System(_) => String::new(),
            };
            format!("{name:<15} {version} ({at}{named})")
        }
        Err(Fault { reason, help }) => {
            let reason = style.paint("1;31", reason);
            format!("{name:<15} {reason}\n{:<15} {help}", "")
        }
    }
}
