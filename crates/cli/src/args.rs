//! The command line as a whole: one definition, of which help, man page and completions are made.

use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::commands::{
    analyse, annotate, board, boards, build, completions, conform, convert, doctor, engine, flash,
    games, identify, matches, moves, perft, ports, replay, resume, show, sim, tournament, verilog,
};
#[cfg(unix)]
use crate::commands::{demo, monitor};
use crate::output::{Colour, Glyphs, Style};

/// Referee, tools and simulated boards for the Blokus Duo FPGA design contest
#[derive(Debug, Parser)]
#[command(
    name = "duoforge",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit status: 0 all is well; 1 a negative result, such as an illegal move; \
                        2 wrong use or a failure"
)]
pub struct Cli {
    /// When to use colours
    #[arg(
        long,
        global = true,
        help_heading = "Appearance",
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help = "When to use colours: auto, always or never"
    )]
    pub color: Colour,

    /// Which characters boards are drawn with
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

    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// How things are drawn on standard output.
    pub fn style(&self) -> Style {
        Style::new(self.color, self.glyphs)
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[cfg(unix)]
    Demo(demo::Args),
    Match(matches::Args),
    Tournament(tournament::Args),
    Resume(resume::Args),
    Engine(engine::Args),
    Board(board::Args),
    Sim(sim::Args),
    Verilog(verilog::Args),
    Boards(boards::Args),
    Build(build::Args),
    Flash(flash::Args),
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Replay(replay::Args),
    Conform(conform::Args),
    #[cfg(unix)]
    Monitor(monitor::Args),
    Show(show::Args),
    Convert(convert::Args),
    Games(games::Args),
    Identify(identify::Args),
    Doctor(doctor::Args),
    Ports(ports::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

/// Reads a duration such as `1s`, `250ms` or `1.5s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is no duration: write for example 1s, 1.5s or 250ms");
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').ok_or_else(wrong)?, 1.0),
    };
    let value: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(value * unit).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "1", "s", "-1s", "1m", "inf s", "infs", "NaNs"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
