//! `duoforge verilog`: hardware player as Verilog files.

mod bench;
mod fusesoc;
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::Prefix;
use duoforge_hdl::verilog::emit::{self, WAIVER_FILE, WriteError};
use duoforge_protocol::{BAUD_RATE, BuildId, TeamCode};

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};
use crate::players::HARDWARE_PLAYER;

/// Minimum number of cycles per bit for the receiver.
pub const OVERSAMPLING: u32 = 8;

/// Minimum baud rate. A reply begins up to 950 ms after its prompt, and its four letters take 40 bits.
const LEAST_BAUD: u32 = 800;

/// Maximum deviation of the line's rate, in percent. Hosts and FPGA boards have the rest of the 3 %
/// for which the receiver is proved.
const MAX_RATE_ERROR_PERCENT: f64 = 2.0;

/// Write the hardware player as Verilog
///
/// The directory receives one file per module, a list of them (.f), waivers for Verilator's lint, a
/// manifest of ports, parameters, clock and reset (.json), a FuseSoC core (.core) and a test bench
/// of the handshake (_tb.v).
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory of the files; it is created if it does not exist, and Verilog files in it that were
    /// not generated are kept
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Hardware player
    #[arg(long, value_name = "PLAYER", default_value_t)]
    #[arg(help = "Hardware player: pattern, search or search:KEY=VALUE,...")]
    #[arg(long_help = HARDWARE_PLAYER)]
    pub player: PlayerConfig,
    /// Prefix of all module names, so that they do not collide with others in a larger design
    #[arg(long, value_name = "NAME_", default_value_t, hide_default_value = true)]
    pub prefix: Prefix,
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
    let fits = baud >= LEAST_BAUD && clock / baud >= OVERSAMPLING && clock / baud < u16::MAX.into();
    if !fits {
        let message = format!("{clock} Hz and {baud} baud are out of range");
        return Err(Failure::new("duoforge::usage", message).help(format!(
            "expected {LEAST_BAUD} baud or more, and {OVERSAMPLING} to {} cycles per bit: the clock \
             frequency divided by the baud rate",
            u16::MAX - 1
        )));
    }
    let parameters = PlayerParameters {
        baud,
        team: args.team.bytes(),
        build: args.build_id,
        ..PlayerParameters::contest(clock)
    };
    check_rate(&parameters)?;
    let written = emit::write_prefixed(&parameters, &args.player, &args.prefix, &args.out)
        .map_err(|error| {
            let failure = Failure::new("duoforge::verilog", error.to_string());
            match error {
                WriteError::Foreign(path) if path.ends_with(WAIVER_FILE) => {
                    failure.help("write into another directory")
                }
                WriteError::Foreign(_) => {
                    failure.help("write into another directory, or use --prefix for other names")
                }
                _ => failure,
            }
        })?;
    let top = &written.top.name;
    let (prefix, player) = (args.prefix.to_string(), args.player.to_string());
    let manifest = manifest::Manifest::new(&written, prefix, player, &parameters);
    let manifest = serde_json::to_string_pretty(&manifest)
        .map_err(|error| Failure::bug(format!("the manifest: {error}")))?;
    let others = [
        (format!("{top}.json"), manifest + "\n"),
        (fusesoc::file(top), fusesoc::text(&written)),
        (bench::file(top), bench::text(top, &parameters)),
    ];
    let mut files = written.files.clone();
    for (name, text) in others {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(|error| Failure::file("written", &path, &error))?;
        files.push(path);
    }
    for file in &files {
        output::line(file.display().to_string())?;
    }
    note!(
        "{} files. To check them: verilator --lint-only --language 1364-2005 -Wall --top-module {top} {} -F {}",
        files.len(),
        quoted(&args.out.join(WAIVER_FILE)),
        quoted(&args.out.join(format!("{top}.f"))),
    );
    Ok(Verdict::Good)
}

/// Checks that whole cycles approximate a bit well enough.
pub fn check_rate(parameters: &PlayerParameters) -> Result<()> {
    let error = parameters.rate_error_percent();
    if error <= MAX_RATE_ERROR_PERCENT {
        return Ok(());
    }
    let PlayerParameters { clock_hz, baud, .. } = parameters;
    let divisor = parameters.divisor();
    let message = format!(
        "a clock of {clock_hz} Hz makes {baud} baud with an error of {error:.1} %: expected at most \
         {MAX_RATE_ERROR_PERCENT} %"
    );
    Err(Failure::new("duoforge::usage", message).help(format!(
        "a bit lasts {divisor} whole cycles: {} Hz makes exactly {baud} baud",
        u64::from(divisor) * u64::from(*baud)
    )))
}

/// Returns a path as a word of a shell.
fn quoted(path: &Path) -> String {
    shell_words::quote(&path.display().to_string()).into_owned()
}
