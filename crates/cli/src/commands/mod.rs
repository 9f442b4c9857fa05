//! The subcommands, one file each.

pub mod analyse;
pub mod annotate;
pub mod board;
pub mod boards;
pub mod build;
pub mod completions;
pub mod conform;
pub mod convert;
#[cfg(unix)]
pub mod demo;
pub mod doctor;
pub mod engine;
pub mod flash;
pub mod games;
pub mod identify;
pub mod matches;
#[cfg(unix)]
pub mod monitor;
pub mod moves;
pub mod perft;
pub mod ports;
pub mod project;
pub mod replay;
pub mod resume;
pub mod show;
pub mod sim;
pub mod tournament;
pub mod verilog;

use crate::args::{Cli, Command};
use crate::failure::Result;
use crate::output::Verdict;

/// Does what the command line asks for.
pub fn run(cli: Cli) -> Result<Verdict> {
    let style = cli.style();
    match cli.command {
        #[cfg(unix)]
        Command::Demo(args) => demo::run(&args, style),
        Command::Match(args) => matches::run(&args, style),
        Command::Tournament(args) => tournament::run(&args),
        Command::Resume(args) => resume::run(&args, style),
        Command::Engine(args) => engine::run(&args),
        Command::Analyse(args) => analyse::run(&args, style),
        Command::Annotate(args) => annotate::run(&args, style),
        Command::Convert(args) => convert::run(&args),
        Command::Games(args) => games::run(&args, style),
        Command::Moves(args) => moves::run(&args, style),
        Command::Perft(args) => perft::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Conform(args) => conform::run(&args, style),
        #[cfg(unix)]
        Command::Monitor(args) => monitor::run(&args),
        Command::Show(args) => show::run(&args, style),
        Command::Board(args) => board::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Verilog(args) => verilog::run(&args),
        Command::Boards(args) => boards::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Flash(args) => flash::run(&args, style),
        Command::Identify(args) => identify::run(&args),
        Command::Doctor(args) => doctor::run(&args, style),
        Command::Ports(args) => ports::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => completions::man(args),
    }
}
