//! The command `duoforge`: referee, tools and simulated boards for the Blokus Duo FPGA design
//! contest.

mod args;
mod commands;
mod desk;
mod doctor;
mod event;
mod failure;
mod files;
mod interrupt;
mod kept;
mod library;
mod output;
mod picture;
mod profiles;
mod screen;
mod table;
mod watch;
mod wirelog;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::output::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::set_error_style(cli.color, cli.glyphs);
    match commands::run(cli) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{:?}", miette::Report::new(failure));
            ExitCode::from(2)
        }
    }
}
