//! `duoforge verilog`: hardware player as Verilog files.

use std::path::PathBuf;

use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::parameters::Parameters;
use duoforge_hdl::verilog::emit;
use duoforge_protocol::{BAUD_RATE, BuildId, TeamCode};

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};
use crate::players::HARDWARE_PLAYER;

/// Minimum number of cycles per bit for the receiver.
pub const OVERSAMPLING: u32 = 8;

/// Write the hardware player as Verilog
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory of the files; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Hardware player
    #[arg(long, value_name = "PLAYER", default_value_t)]
    #[arg(help = "Hardware player: pattern, search or search:KEY=VALUE,...")]
    #[arg(long_help = HARDWARE_PLAYER)]
    pub player: Chooser,
    /// Clock frequency in hertz
    #[arg(long, value_name = "HZ", default_value_t = 50_000_000)]
    pub clock_hz: u32,
    /// Baud rate of the line, in bits per second
    #[arg(long, value_name = "BAUD", default_value_t = BAUD_RATE)]
    pub baud: u32,
    /// Team code: two characters
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Build id, the reply to `????`: 8 hexadecimal digits
    #[arg(long, value_name = "ID", default_value_t)]
    pub build_id: BuildId,
}

/// Writes the files.
pub fn run(args: &Args) -> Result<Verdict> {
    let (clock, baud) = (args.clock_hz, args.baud);
    let fits = baud > 0 && clock / baud >= OVERSAMPLING && clock / baud <= u16::MAX.into();
    if !fits {
        let message = format!("{clock} Hz and {baud} baud are out of range");
        return Err(Failure::new("duoforge::usage", message).help(format!(
            "expected {OVERSAMPLING} to {} cycles per bit: the clock frequency divided by the baud rate",
            u16::MAX
        )));
    }
    let parameters = Parameters {
        baud,
        team: args.team.bytes(),
        build: args.build_id,
        ..Parameters::contest(clock)
    };
    let files = emit::write(&parameters, &args.player, &args.out)
        .map_err(|error| Failure::new("duoforge::verilog", error.to_string()))?;
    for file in &files {
        output::line(file.display().to_string())?;
    }
    let list = args.out.join(format!("{}.f", emit::TOP));
    eprintln!(
        "{} files. To check them: verilator --lint-only --language 1364-2005 -Wall --top-module {} {} -F {}",
        files.len(),
        emit::TOP,
        args.out.join("verilator.vlt").display(),
        list.display(),
    );
    Ok(Verdict::Good)
}
