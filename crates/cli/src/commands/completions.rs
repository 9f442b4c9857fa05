//! `duoforge completions` and `duoforge man`: generated from the definition of the command line.

use std::io;

use clap::Command;
use clap_complete::Shell;

use crate::failure::{Failure, Result};
use crate::output::Verdict;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: duoforge completions bash | sudo tee /etc/bash_completion.d/duoforge"
)]
pub struct Args {
    /// Shell
    pub shell: Shell,
}

/// Print the manual page
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: duoforge man | man -l -")]
pub struct ManArgs {
    /// Command whose page is printed instead of the overview
    pub command: Option<String>,
}

/// Prints the completions of a command line.
pub fn run(args: Args, mut whole: Command) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole, "duoforge", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(Verdict::Good)
}

/// Prints a manual page of a command line.
pub fn man(args: ManArgs, mut whole: Command) -> Result<Verdict> {
    whole.build();
    let command = match &args.command {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let message = format!("unknown command '{name}'");
                return Err(Failure::new("duoforge::usage", message)
                    .help("`duoforge --help` lists the commands"));
            }
        },
    };
    clap_mangen::Man::new(command).render(&mut io::stdout().lock())?;
    Ok(Verdict::Good)
}
