//! Program `duoforge`: referee, tools and simulated devices for the Blokus Duo FPGA design contest.

/// Writes a line to standard error. A reader that has gone does not end the command.
macro_rules! note {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("{}\n", format_args!($($text)*)),
        );
    }};
}

/// Writes to standard error like [`note`], without the end of the line.
macro_rules! note_part {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!($($text)*));
    }};
}

mod command_line;
mod commands;
mod comparisons;
mod doctor;
mod failure;
mod former_option;
mod game_files;
mod interrupt;
mod junit;
mod line_trace;
mod output;
mod play;
mod players;
mod position;
mod profiles;
mod replays;
mod report_files;
mod shards;
mod terminal;
mod text_board;
mod variant;
mod wirelog;

use std::process::ExitCode;

use clap::Parser;

use crate::command_line::Cli;
use crate::output::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::set_error_style(cli.color, cli.glyphs);
    match line_trace::start().and_then(|()| command_line::run(cli)) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            note!("{:?}", miette::Report::new(failure));
            ExitCode::from(2)
        }
    }
}
