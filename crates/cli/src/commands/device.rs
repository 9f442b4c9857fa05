//! `duoforge device`: serves a device of this process on a pseudo-terminal or a TCP port.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_links::{LinkError, Served, Stop, TcpAcceptor, serve};
use duoforge_protocol::{BuildId, REPLY_LIMIT, TeamCode};
use duoforge_sim::device::{DevicePlayer, SimDevice};
use duoforge_sim::impaired_device::{Cable, ImpairedDevice};
use duoforge_sim::{Backend, Options};
use duoforge_twin::{Policy, Twin};

use crate::commands::verilog::{OVERSAMPLING, check_rate};
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdict};
use crate::players::{HARDWARE_PLAYER, VERILOG_PLAYER};

/// Polling interval of Ctrl-C while waiting for a connection.
const POLL: Duration = Duration::from_millis(100);

/// Serve a simulated device on a pseudo-terminal or a TCP port
///
/// Any host program can open it like a physical device. Its path or address is the only line on
/// standard output. When a host disconnects, waits for the next one; Ctrl-C stops the server.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(
    after_help = "Example in two terminals; begin the second command when the first one has printed its path:
  duoforge device --sim --pty /tmp/device
  duoforge match /tmp/device pattern"
)]
pub struct Args {
    /// Serve a hardware player in simulation: verilator, icarus or rust
    #[arg(long, value_name = "BACKEND", group = "what")]
    #[arg(num_args = 0..=1, default_missing_value = "verilator")]
    pub sim: Option<Backend>,
    /// Hardware player of --sim
    #[arg(long, value_name = "PLAYER", requires = "sim", default_value_t)]
    #[arg(
        help = "Hardware player of --sim: pattern, search, search:KEY=VALUE,... or \
                  verilog=DIR,top=NAME"
    )]
    #[arg(long_help = format!("{HARDWARE_PLAYER}\n\n{VERILOG_PLAYER}"))]
    pub player: DevicePlayer,
    /// Serve the twin of the pattern player
    #[arg(long, group = "what", conflicts_with_all = ["player", "LineArgs"])]
    pub twin: bool,
    /// Use a pseudo-terminal, with a symbolic link to it at PATH; the default without --tcp
    #[arg(long, value_name = "PATH", num_args = 0..=1, conflicts_with = "tcp")]
    pub pty: Option<Option<PathBuf>>,
    /// Use this TCP address, such as 127.0.0.1:10000; port 0 selects a free port
    #[arg(long, value_name = "HOST:PORT")]
    pub tcp: Option<String>,
    /// Team code of the device
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Build id of the device: 8 hexadecimal digits
    #[arg(long, value_name = "ID", default_value_t)]
    pub build_id: BuildId,
    /// End after the first host has disconnected
    #[arg(long)]
    pub once: bool,
    /// Impairment of the line to a simulated device
    #[command(flatten)]
    pub line: LineArgs,
}

/// Impairment of the line to a simulated device.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Line of --sim")]
pub struct LineArgs {
    /// Clock frequency of the device in hertz; that of a contest target, 50000000, is slow to
    /// simulate
    #[arg(long, value_name = "HZ", requires = "sim")]
    pub clock_hz: Option<u32>,
    /// Baud rate of the host relative to the device, in percent; negative is slower
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "sim",
        allow_negative_numbers = true
    )]
    #[arg(default_value_t = 0.0, value_parser = percent(-50.0, 50.0))]
    pub baud_error: f64,
    /// Maximum displacement of each edge, in percent of a bit
    #[arg(long, value_name = "PERCENT", requires = "sim")]
    #[arg(default_value_t = 0.0, value_parser = percent(0.0, 50.0))]
    pub jitter: f64,
    /// Average number of noise pulses of 0.1 bit per 100 bytes that the device receives
    #[arg(long, value_name = "PULSES", requires = "sim")]
    #[arg(default_value_t = 0.0, value_parser = percent(0.0, 1000.0))]
    pub noise: f64,
    /// Percentage of prompts before which the line breaks
    #[arg(long, value_name = "PERCENT", requires = "sim")]
    #[arg(default_value_t = 0.0, value_parser = percent(0.0, 100.0))]
    pub breaks: f64,
    /// Seed of jitter, noise and breaks
    #[arg(long, value_name = "SEED", requires = "sim", default_value_t = 1)]
    pub line_seed: u64,
}

impl LineArgs {
    fn cable(&self) -> Cable {
        Cable {
            speed: 1.0 + self.baud_error / 100.0,
            jitter: self.jitter / 100.0,
            pulses: self.noise / 100.0,
            breaks: self.breaks / 100.0,
            seed: self.line_seed,
            ..Cable::default()
        }
    }
}

/// Returns a parser of numbers in a range.
fn percent(from: f64, to: f64) -> impl Fn(&str) -> std::result::Result<f64, String> + Clone {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| (from..=to).contains(number));
        number.ok_or_else(|| format!("expected a number from {from} to {to}"))
    }
}

/// Serves the device.
pub fn run(args: &Args) -> Result<Verdict> {
    let Some(backend) = args.sim else {
        let mut twin = Twin::new(args.team, Policy::default()).with_build(args.build_id);
        wait_for_hosts(args, &mut twin)?;
        return Ok(Verdict::Good);
    };
    if matches!(args.player, DevicePlayer::Verilog(_)) && args.line.clock_hz.is_some() {
        let message = "--clock-hz does not apply to a player in Verilog";
        return Err(Failure::new("duoforge::usage", message)
            .help("give the clock of the design as in verilog=DIR,top=NAME,clock_hz=50000000"));
    }
    let parameters = PlayerParameters {
        team: args.team.bytes(),
        build: args.build_id,
        ..args
            .line
            .clock_hz
            .map_or_else(|| args.player.parameters(), PlayerParameters::contest)
    };
    if parameters.clock_hz / parameters.baud < OVERSAMPLING {
        let least = OVERSAMPLING * parameters.baud;
        let message = format!(
            "--clock-hz {} is out of range: expected at least {least}",
            parameters.clock_hz
        );
        return Err(Failure::new("duoforge::usage", message).help(format!(
            "the receiver needs at least {OVERSAMPLING} cycles per bit, at {} baud",
            parameters.baud
        )));
    }
    if args.line.clock_hz.is_some() {
        check_rate(&parameters)?;
    }
    let board = SimDevice::open_player(backend, &parameters, &args.player, &Options::default());
    let mut board = ImpairedDevice::new(board?, args.line.cable());
    wait_for_hosts(args, &mut board)?;
    let delays = board.delays();
    if delays.answers > 0 {
        note!(
            "{} replies; the slowest ended {:.3} ms after the last stop bit of its prompt; the \
             limit is {} ms.",
            delays.answers,
            delays.slowest.as_secs_f64() * 1000.0,
            REPLY_LIMIT.as_millis()
        );
    }
    Ok(Verdict::Good)
}

/// Serves the device until Ctrl-C, or with `--once` until the first host has disconnected.
fn wait_for_hosts(args: &Args, board: &mut dyn Served) -> Result<()> {
    let interrupt = Interrupt::catch(Some("Stopping the device."))?;
    match &args.tcp {
        Some(address) => over_tcp(address, board, args.once, &interrupt),
        None => {
            let path = args.pty.as_ref().and_then(Option::as_ref);
            over_pty(path, board, args.once, &interrupt)
        }
    }
}

/// Prints the path or address of the device alone on standard output, for programs.
fn announce(place: &str) -> Result<()> {
    output::line(place)?;
    note!("Waiting there for a host. Ctrl-C stops the device.");
    Ok(())
}

/// Returns the absolute path of a pseudo-terminal as text: players are not named by a bare file name.
///
/// # Errors
/// If the current directory is unknown.
#[cfg(unix)]
pub fn absolute(path: &std::path::Path) -> Result<String> {
    let path = std::path::absolute(path).map_err(|error| Failure::file("find", path, &error))?;
    Ok(path.to_string_lossy().into_owned())
}

#[cfg(unix)]
fn over_pty(
    path: Option<&PathBuf>,
    board: &mut dyn Served,
    once: bool,
    interrupt: &Interrupt,
) -> Result<()> {
    use duoforge_links::PtyLink;
    let mut link = match path {
        Some(path) => PtyLink::open_at(path)?,
        None => PtyLink::open()?,
    };
    announce(&absolute(link.path())?)?;
    while serve(&mut link, board, || !interrupt.is_set())? == Stop::HostGone && !once {}
    Ok(())
}

#[cfg(not(unix))]
fn over_pty(_: Option<&PathBuf>, _: &mut dyn Served, _: bool, _: &Interrupt) -> Result<()> {
    use crate::failure::Failure;
    Err(
        Failure::new("duoforge::usage", "this system has no pseudo-terminals")
            .help("use --tcp HOST:PORT"),
    )
}

fn over_tcp(
    address: &str,
    board: &mut dyn Served,
    once: bool,
    interrupt: &Interrupt,
) -> Result<()> {
    let acceptor = TcpAcceptor::bind(address)?;
    announce(&format!("tcp:{}", acceptor.address()))?;
    while !interrupt.is_set() {
        let mut link = match acceptor.accept(Instant::now() + POLL) {
            Ok(link) => link,
            Err(LinkError::Timeout) => continue,
            Err(error) => return Err(error.into()),
        };
        serve(&mut link, board, || !interrupt.is_set())?;
        if once {
            break;
        }
    }
    Ok(())
}
