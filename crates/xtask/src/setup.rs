//! Installs the pinned tools in `.tools/` and lists them.

use anyhow::{Result, bail, ensure};
use duoforge_tools::catalogue::{IVERILOG, VVP};
use duoforge_tools::setup::{Event, Policy, Setup, Status};
use duoforge_tools::{Place, Task, Tool, directory};

use crate::workspace::Workspace;

/// Installs the programs of the task that the options of `cargo xtask setup` name.
///
/// # Errors
/// As [`run`], and if an option or a task does not exist.
pub fn run_with(workspace: &Workspace, options: &[&str]) -> Result<()> {
    let task = match options {
        [] => Task::All,
        ["--for", name] => match Task::named(name) {
            Some(task) => task,
            None => {
                let names = Task::TASKS.map(Task::name).join(", ");
                bail!("no task is called '{name}': expected one of {names}")
            }
        },
        _ => bail!("`setup` has the option --for TASK only; see `cargo xtask help`"),
    };
    run(workspace, task.tools(), Policy::Pinned)
}

/// Installs the missing tools, then lists every tool.
///
/// # Errors
/// If a tool is missing or does not run at the end.
pub fn run(workspace: &Workspace, tools: &[Tool], policy: Policy) -> Result<()> {
    let directory = directory::named().unwrap_or_else(|| workspace.tools());
    let setup = Setup { directory, policy };
    let statuses = setup.run(tools, &mut |event| match event {
        Event::Installing(packages) => println!("installing {packages}"),
        Event::Warning(error) => eprintln!("warning: {error}"),
    });
    let mut missing = Vec::new();
    for Status { tool, found } in statuses {
        match found {
            Ok((place, version)) => {
                let place = describe(workspace, &tool, &place);
                println!("{:24} {version} ({place})", tool.name);
            }
            Err(fault) => {
                println!("{:24} {}", tool.name, fault.reason);
                println!("{:24} {}", "", fault.help);
                missing.push(tool.name);
            }
        }
    }
    ensure!(missing.is_empty(), "missing tools: {}", missing.join(", "));
    Ok(())
}

/// Returns the programs that a command of `duoforge` uses. A program that the command line names
/// in another way is reported by the command itself.
pub fn used_by(arguments: &[&str]) -> &'static [Tool] {
    const ICARUS: &[Tool] = &[IVERILOG, VVP];
    let backend = arguments.iter().enumerate().find_map(|(i, argument)| {
        let next = || arguments.get(i + 1).copied();
        match *argument {
            "--backend" => next(),
            other => other.strip_prefix("--backend="),
        }
    });
    if arguments
        .iter()
        .any(|argument| ["--help", "-h"].contains(argument))
    {
        return &[];
    }
    match (arguments.first(), backend) {
        (Some(&"build"), _) => Task::Build.tools(),
        (_, Some("icarus")) => ICARUS,
        (_, Some("rust")) => &[],
        _ => Task::Demo.tools(),
    }
}

fn describe(workspace: &Workspace, tool: &Tool, place: &Place) -> String {
    let program = place.program();
    match place {
        Place::Variable(_) => format!("{}, named by {}", program.display(), tool.variable),
        Place::Installed(_) | Place::System(_) => program
            .strip_prefix(workspace.root())
            .unwrap_or(program)
            .display()
            .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_needs_only_the_programs_that_it_uses() {
        let names = |arguments: &[&str]| -> Vec<_> {
            used_by(arguments).iter().map(|tool| tool.name).collect()
        };
        assert_eq!(names(&["demo"]), ["verilator", "c++"]);
        assert_eq!(names(&["demo", "--backend", "icarus"]), ["iverilog", "vvp"]);
        assert_eq!(names(&["demo", "--backend=rust"]), [""; 0]);
        assert_eq!(names(&["demo", "--backend"]), ["verilator", "c++"]);
        assert_eq!(names(&["build", "--help"]), [""; 0]);
        assert!(names(&["build", "--board", "ulx3s-85f"]).contains(&"nextpnr-ecp5"));
    }

    #[test]
    fn unknown_tasks_are_refused_with_the_known_ones() {
        let directory = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(directory.path());
        let error = run_with(&workspace, &["--for", "tea"]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("demo, sim, build, proofs, flash, all")
        );
        assert!(run_with(&workspace, &["--fast"]).is_err());
    }
}
