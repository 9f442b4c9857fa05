//! The subcommands, one file each.

pub mod completions;
pub mod matches;
pub mod moves;
pub mod perft;
pub mod ports;
pub mod replay;
pub mod show;

use crate::args::{Cli, Command};
use crate::failure::Result;
use crate::output::Verdict;

/// Does what the command line asks for.
pub fn run(cli: Cli) -> Result<Verdict> {
    let style = cli.style();
    match cli.command {
        Command::Match(args) => matches::run(&args, style),
        Command::Moves(args) => moves::run(&args, style),
        Command::Perft(args) => perft::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Show(args) => show::run(&args, style),
        Command::Ports(args) => ports::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => completions::man(args),
    }
}
