//! `duoforge verilog`: the hardware as Verilog files.

use std::path::PathBuf;

use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::parameters::Parameters;
use duoforge_hdl::verilog::emit;
use duoforge_protocol::{BAUD_RATE, BuildId, TeamCode};

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};

/// Fewest clocks a bit that the receiver can sample.
pub const OVERSAMPLING: u32 = 8;

/// Write the board as Verilog
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder for the files; it is made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What chooses placements: pattern, search or search:KEY=VALUE,...
    ///
    /// Keys of a search: lanes (1, 2 or 4 playout cores), nodes (up to 1023), children (up to 32),
    /// threshold, sims, ms, seed and others; a wrong one is told with all that there are. Default keys:
    /// lanes=4,nodes=511,children=32,threshold=240,ms=880, the search that ships for the ULX3S-85F.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    pub player: Chooser,
    /// Frequency of the board's clock, in hertz
    #[arg(long, value_name = "HZ", default_value_t = 50_000_000)]
    pub clock_hz: u32,
    /// Speed of the serial line, in bits a second
    #[arg(long, value_name = "BAUD", default_value_t = BAUD_RATE)]
    pub baud: u32,
    /// Team code, the two characters of the answer to 0
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Build id, which the board names when it is asked with `????`
    #[arg(long, value_name = "ID", default_value_t)]
    pub build: BuildId,
}

/// Writes them.
pub fn run(args: &Args) -> Result<Verdict> {
    let (clock, baud) = (args.clock_hz, args.baud);
    let fits = baud > 0 && clock / baud >= OVERSAMPLING && clock / baud <= u16::MAX.into();
    if !fits {
        let message = format!("a clock of {clock} Hz does not suit a line of {baud} baud");
        return Err(Failure::new("duoforge::usage", message).help(format!(
            "a bit has to last {OVERSAMPLING} to {} clocks",
            u16::MAX
        )));
    }
    let parameters = Parameters {
        baud,
        team: args.team.bytes(),
        build: args.build,
        ..Parameters::contest(clock)
    };
    let files = emit::write(&parameters, &args.player, &args.out)
        .map_err(|error| Failure::new("duoforge::verilog", error.to_string()))?;
    for file in &files {
        output::line(file.display().to_string())?;
    }
    let list = args.out.join(format!("{}.f", emit::TOP));
    eprintln!(
        "{} files. Check them with: verilator --lint-only --language 1364-2005 -Wall --top-module {} {} -F {}",
        files.len(),
        emit::TOP,
        args.out.join("verilator.vlt").display(),
        list.display(),
    );
    Ok(Verdict::Good)
}
