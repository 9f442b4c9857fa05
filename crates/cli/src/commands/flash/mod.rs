//! `duoforge flash`: loads a bitstream into an FPGA board.

mod diagnostics;
mod usb_advice;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ArgGroup;
use duoforge_hdl::chooser::PlayerConfig;
use duoforge_targets::build::{directory, stages};
use duoforge_targets::catalogue;
use duoforge_targets::flash::progress::LoaderOutput;
use duoforge_targets::flash::{Destination, FlashError, Request, Run, Selection, built};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Result;
use crate::output::{self, Style, Verdict, seconds};

/// Load a bitstream into an FPGA board
///
/// Without --spi the bitstream is loaded into the SRAM of the FPGA and is lost at power-down. The
/// loader is openFPGALoader; `duoforge setup --for flash` installs it.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("target").args(["sram", "spi"])))]
pub struct Args {
    /// Target; `duoforge boards` lists them
    #[arg(long, value_name = "NAME")]
    pub board: String,
    /// Player whose bitstream is loaded: pattern, search or search:KEY=VALUE,... as in `duoforge
    /// build`
    #[arg(
        long,
        value_name = "PLAYER",
        default_value_t,
        conflicts_with = "bitstream"
    )]
    pub player: PlayerConfig,
    /// Load the SRAM of the FPGA; the default
    #[arg(long)]
    pub sram: bool,
    /// Write the configuration flash, which the FPGA loads at power-up
    #[arg(long)]
    pub spi: bool,
    /// Read the flash back and compare
    #[arg(long, requires = "spi", conflicts_with = "sram")]
    pub verify: bool,
    /// Bitstream [default: that of `duoforge build` for the target and the player]
    #[arg(long, value_name = "FILE")]
    pub bitstream: Option<PathBuf>,
    /// Serial number of the programmer, if several FPGA boards are connected
    #[arg(long, value_name = "NUMBER")]
    pub serial_number: Option<String>,
    /// Check all except the connected FPGA board, and print the loader's command without running it
    #[arg(long)]
    pub dry_run: bool,
}

/// Loads the bitstream.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let board = catalogue::find_with(&args.board, &args.player)?;
    let bitstream = args.bitstream.clone();
    let bitstream = bitstream.unwrap_or_else(|| directory(&board).join(stages::bitstream(&board)));
    let target = if args.spi {
        Destination::Spi
    } else {
        Destination::Sram
    };
    let request = Request {
        board: &board,
        bitstream: bitstream.clone(),
        target,
        verify: args.verify,
        serial: args.serial_number.clone(),
    };
    let fail = |error| diagnostics::explain(error, &board, &args.player, &bitstream);
    let mut run = request.prepare().map_err(fail)?;
    if args.dry_run {
        output::line(run.command_line())?;
        return Ok(Verdict::Good);
    }
    let root = Path::new("/");
    if run.choose(root).map_err(fail)? == Selection::First {
        note!("warning: {}", usb_advice::unchecked(run.programmer()));
    }
    let place = match target {
        Destination::Sram => "into the SRAM",
        Destination::Spi => "into the flash",
    };
    let built = built(&bitstream).filter(|built| built.is_of(&bitstream));
    let recorded = built.as_ref().and_then(|built| built.configuration.clone());
    // Without a record, only the default path implies the player.
    let implied = || (args.bitstream.is_none()).then(|| board.configuration.name.clone());
    let configuration = recorded.or_else(implied);
    let configuration = configuration.map_or_else(String::new, |name| format!(", {name}"));
    let file = bitstream.display();
    let title = format!("{}{configuration}: {file} {place}", board.title);
    output::line(style.paint("1", &title))?;
    let start = Instant::now();
    load(&run, root, style).map_err(fail)?;
    let took = seconds(start.elapsed());
    let lasts = match (target, args.verify) {
        (Destination::Sram, _) => "lost at power-down",
        (Destination::Spi, false) => "the FPGA loads it at power-up",
        (Destination::Spi, true) => "verified; the FPGA loads it at power-up",
    };
    output::line(format!("loaded in {took}; {lasts}"))?;
    let expect = built.and_then(|built| built.id);
    let expect = expect.map_or_else(String::new, |id| format!(" --expect {id}"));
    output::line(format!(
        "to ask the device for its build: duoforge identify DEVICE{expect}"
    ))?;
    Ok(Verdict::Good)
}

/// Runs the loader, with a progress bar on a terminal and with its lines otherwise.
fn load(run: &Run, root: &Path, style: Style) -> std::result::Result<(), FlashError> {
    let bar = match style.terminal {
        true => ProgressBar::new(100).with_style(shape()),
        false => ProgressBar::hidden(),
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    let result = run.load(root, |said| match said {
        LoaderOutput::Line(line) if style.terminal => {
            bar.println(style.paint("2", &format!("  {line}")));
        }
        // A line that cannot be printed does not stop the loader.
        LoaderOutput::Line(line) => drop(output::line(format!("  {line}"))),
        LoaderOutput::Progress { step, percent } => {
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
