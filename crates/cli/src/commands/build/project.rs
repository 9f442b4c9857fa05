//! Projects for targets that need a vendor's tool.

use duoforge_targets::Target;
use duoforge_targets::build::Options;
use duoforge_targets::project::{self, Project};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};

/// Project in JSON.
#[derive(Serialize)]
struct Written<'a> {
    board: &'a str,
    title: &'a str,
    id: String,
    tool: &'a str,
    directory: String,
    command: &'a str,
    bitstream: &'a str,
    files: &'a [String],
}

/// Writes the project; returns `None` if the target needs no vendor's tool.
pub fn write(board: &Target, options: &Options, json: bool) -> Result<Option<Verdict>> {
    let Some(project) = project::write(board, options)? else {
        return Ok(None);
    };
    if json {
        output::json(&Written {
            board: &board.name,
            title: &board.title,
            id: project.id.to_string(),
            tool: project.tool,
            directory: options.directory.display().to_string(),
            command: project.command,
            bitstream: &project.bitstream,
            files: &project.files,
        })?;
    } else {
        print(board, options, &project)?;
    }
    Ok(Some(Verdict::Good))
}

/// Failure of a seed for a target whose tool does not receive it.
pub fn no_seed(board: &Target) -> Failure {
    let tool = board.tools.vendor();
    let message = format!("--seed has no effect for {}: {tool} places it", board.name);
    Failure::new("duoforge::usage", message).help("omit --seed")
}

fn print(board: &Target, options: &Options, project: &Project) -> Result<()> {
    let Project {
        id,
        files,
        modules,
        tool,
        command,
        bitstream,
    } = project;
    let directory = options.directory.display().to_string();
    output::line(format!("{}: {}", board.name, board.title))?;
    output::line(format!("{}, build {id}", board.configuration.name))?;
    output::line(format!("project      {directory}"))?;
    output::line(format!(
        "files        {}, and {modules} modules of the player",
        files.join(", ")
    ))?;
    output::line(format!(
        "There is no bitstream yet. {tool} is not part of duoforge and was not run. To make the \
         bitstream:"
    ))?;
    let directory = shell_words::quote(&directory);
    output::line(format!("\n    cd {directory} && {command}\n"))?;
    output::line(format!(
        "The result is {bitstream} in that directory; README.md explains how to load it."
    ))
}
