//! Definition of the command line, the source of help, manual pages and completions; dispatch of
//! commands.

use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::{
    analyse, annotate, boards, build, completions, conform, convert, device, doctor, engine, flash,
    games, identify, ladder, matches, merge, moves, perft, players, ports, replay, resume, serve,
    setup, show, sim, sim_game, sim_search, sim_shipped, state, tournament, verilog,
};
#[cfg(unix)]
use crate::commands::{demo, monitor};
use crate::failure::{Failure, Result};
use crate::output::{ColourMode, Glyphs, Style, Verdict};

/// Referee, tools and simulated devices for the Blokus Duo FPGA design contest
#[derive(Debug, Parser)]
#[command(
    name = "duoforge",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit status: 0 success; 1 negative result, such as an illegal move; \
                  2 usage error or failure\n\
                  Environment: DUOFORGE_LOG=trace prints the bytes of every line on standard error"
)]
pub struct Cli {
    /// Use of colours
    #[arg(
        long,
        global = true,
        help_heading = "Appearance",
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help = "Use of colours: auto, always or never"
    )]
    pub color: ColourMode,

    /// Characters of boards
    #[arg(
        long,
        global = true,
        help_heading = "Appearance",
        value_name = "SET",
        default_value = "auto",
        hide_possible_values = true,
        help = "Characters of boards: auto, unicode or ascii"
    )]
    pub glyphs: Glyphs,

    /// Command to run
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Style of standard output.
    pub fn style(&self) -> Style {
        Style::new(self.color, self.glyphs)
    }
}

/// Command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[cfg(unix)]
    Demo(demo::Args),
    Match(matches::Args),
    Tournament(tournament::Args),
    Resume(resume::Args),
    Serve(serve::Args),
    Engine(engine::Args),
    Players(players::Args),
    Device(device::Args),
    #[command(hide = true, disable_help_flag = true)]
    Board(Renamed),
    Sim(sim::Args),
    SimGame(sim_game::Args),
    SimSearch(sim_search::Args),
    SimShipped(sim_shipped::Args),
    Merge(merge::Args),
    Verilog(verilog::Args),
    Boards(boards::Args),
    Build(build::Args),
    Flash(flash::Args),
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    State(state::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Replay(replay::Args),
    Conform(conform::Args),
    #[cfg(unix)]
    Monitor(monitor::Args),
    Show(show::Args),
    Convert(convert::Args),
    Games(games::Args),
    Ladder(ladder::Args),
    Identify(identify::Args),
    Setup(setup::Args),
    Doctor(doctor::Args),
    Ports(ports::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

/// Arguments of a command that has a new name.
#[derive(Debug, clap::Args)]
pub struct Renamed {
    /// All arguments
    #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Renamed {
    /// Failure that names the new command.
    fn failure(&self, old: &str, new: &str) -> Failure {
        let message = format!("unknown command `{old}`: it is now called `{new}`");
        let line = format!("duoforge {new} {}", self.words.join(" "));
        Failure::new("duoforge::usage", message).help(format!("run `{}`", line.trim_end()))
    }
}

/// Runs the command of the command line.
pub fn run(cli: Cli) -> Result<Verdict> {
    let style = cli.style();
    match cli.command {
        #[cfg(unix)]
        Command::Demo(args) => demo::run(&args, style),
        Command::Match(args) => matches::run(&args, style),
        Command::Tournament(args) => tournament::run(&args),
        Command::Resume(args) => resume::run(&args, match_args, style),
        Command::Serve(args) => serve::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Players(args) => players::run(&args),
        Command::Analyse(args) => analyse::run(&args, style),
        Command::Annotate(args) => annotate::run(&args, style),
        Command::Convert(args) => convert::run(&args),
        Command::Games(args) => games::run(&args, style),
        Command::Ladder(args) => ladder::run(&args),
        Command::State(args) => state::run(&args, style),
        Command::Moves(args) => moves::run(&args, style),
        Command::Perft(args) => perft::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Conform(args) => conform::run(&args, style),
        #[cfg(unix)]
        Command::Monitor(args) => monitor::run(&args),
        Command::Show(args) => show::run(&args, style),
        Command::Device(args) => device::run(&args),
        Command::Board(args) => Err(args.failure("board", "device")),
        Command::Sim(args) => sim::run(&args),
        Command::SimGame(args) => sim_game::run(&args),
        Command::SimSearch(args) => sim_search::run(&args),
        Command::SimShipped(args) => sim_shipped::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Verilog(args) => verilog::run(&args),
        Command::Boards(args) => boards::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Flash(args) => flash::run(&args, style),
        Command::Identify(args) => identify::run(&args),
        Command::Setup(args) => setup::run(&args, style),
        Command::Doctor(args) => doctor::run(&args, style),
        Command::Ports(args) => ports::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => completions::man(args, Cli::command()),
    }
}

/// Parses the words of a command line after the program's name; `None` if they are not a match.
fn match_args(words: &[String]) -> Option<matches::Args> {
    let program = std::iter::once("duoforge");
    let cli = Cli::try_parse_from(program.chain(words.iter().map(String::as_str)));
    match cli.ok()?.command {
        Command::Match(args) => Some(args),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
