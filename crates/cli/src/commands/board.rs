//! `duoforge board`: serves a board of this process on a pseudo-terminal or a TCP port.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_arena::{Served, Stop, board_parameters, serve};
use duoforge_engine::{Policy, Twin};
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::parameters::Parameters;
use duoforge_links::{LinkError, TcpAcceptor};
use duoforge_protocol::{BuildId, REPLY_LIMIT, TeamCode};
use duoforge_sim::board::SimBoard;
use duoforge_sim::cable::{Cable, CabledBoard};
use duoforge_sim::{Backend, Options};

use crate::commands::verilog::OVERSAMPLING;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdict};

/// How long a connection is waited for before it is looked whether to go on.
const POLL: Duration = Duration::from_millis(100);

/// Serve a board on a pseudo-terminal or a TCP port
///
/// Whatever can talk to a real board can talk to it. Its path or address is the only line on
/// standard output. When a host goes, the next one is waited for, until Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(after_help = "Example: duoforge board --sim --pty /tmp/board & \
                        duoforge match /tmp/board engine")]
pub struct Args {
    /// The hardware's board in simulation: verilator, icarus or rust
    #[arg(long, value_name = "BACKEND", group = "what")]
    #[arg(num_args = 0..=1, default_missing_value = "verilator")]
    pub sim: Option<Backend>,
    /// What chooses the placements of --sim: pattern, search or search:KEY=VALUE,...
    ///
    /// Keys of a search: lanes (1, 2 or 4 playout cores), nodes (up to 1023), children (up to 32),
    /// threshold, sims, ms, seed and others. On the slow clock of a simulated board few simulations fit
    /// into `ms`. Default keys: lanes=4,nodes=511,children=32,threshold=240,ms=880, the search that ships
    /// for the ULX3S-85F.
    #[arg(long, value_name = "PLAYER", requires = "sim", default_value_t)]
    pub player: Chooser,
    /// The board's twin in software
    #[arg(long, group = "what")]
    pub twin: bool,
    /// On a pseudo-terminal, with a symbolic link to it at this path (without --tcp the default)
    #[arg(long, value_name = "PATH", num_args = 0..=1, conflicts_with = "tcp")]
    pub pty: Option<Option<PathBuf>>,
    /// On this TCP address, such as 127.0.0.1:10000; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT")]
    pub tcp: Option<String>,
    /// Team code of the board
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Build id of the board
    #[arg(long, value_name = "ID", default_value_t)]
    pub build: BuildId,
    /// End when the first host has gone
    #[arg(long)]
    pub once: bool,
    /// What is wrong with the serial line to a board in simulation
    #[command(flatten)]
    pub line: LineArgs,
}

/// What is wrong with the serial line to a board in simulation.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Serial line of --sim")]
pub struct LineArgs {
    /// Clock of the board in hertz; 50000000 is a contest board's, and slow to simulate
    #[arg(long, value_name = "HZ", requires = "sim")]
    pub clock_hz: Option<u32>,
    /// How much faster than the board's the host's line is, in percent; negative for slower
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "sim",
        allow_negative_numbers = true
    )]
    #[arg(default_value_t = 0.0, value_parser = percent(-50.0, 50.0))]
    pub baud_error: f64,
    /// By how much of a bit each edge is displaced at most, in percent
    #[arg(long, value_name = "PERCENT", requires = "sim")]
    #[arg(default_value_t = 0.0, value_parser = percent(0.0, 50.0))]
    pub jitter: f64,
    /// Share of bytes to the board that a pulse of a tenth of a bit hits, in percent
    #[arg(long, value_name = "PERCENT", requires = "sim")]
    #[arg(default_value_t = 0.0, value_parser = percent(0.0, 1000.0))]
    pub noise: f64,
    /// Share of requests before which the line breaks, in percent
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

/// Reads a number between two others.
fn percent(from: f64, to: f64) -> impl Fn(&str) -> std::result::Result<f64, String> + Clone {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| (from..=to).contains(number));
        number.ok_or_else(|| format!("it has to be a number from {from} to {to}"))
    }
}

/// Serves it.
pub fn run(args: &Args) -> Result<Verdict> {
    let Some(backend) = args.sim else {
        let mut twin = Twin::new(args.team, Policy::default()).with_build(args.build);
        wait_for_hosts(args, &mut twin)?;
        return Ok(Verdict::Good);
    };
    let parameters = Parameters {
        team: args.team.bytes(),
        build: args.build,
        ..args
            .line
            .clock_hz
            .map_or_else(board_parameters, Parameters::contest)
    };
    if parameters.clock_hz / parameters.baud < OVERSAMPLING {
        let message = format!("a clock of {} Hz is too slow", parameters.clock_hz);
        return Err(Failure::new("duoforge::usage", message).help(format!(
            "a bit of the serial line has to last {OVERSAMPLING} clocks"
        )));
    }
    let board = SimBoard::open_chooser(backend, &parameters, &args.player, &Options::default());
    let board = board.map_err(duoforge_arena::ArenaError::from)?;
    let mut board = CabledBoard::new(board, args.line.cable());
    wait_for_hosts(args, &mut board)?;
    let delays = board.delays();
    if delays.answers > 0 {
        eprintln!(
            "{} answers, the slowest complete {:.3} ms after the last stop bit of its request; \
             the limit is {} ms.",
            delays.answers,
            delays.slowest.as_secs_f64() * 1000.0,
            REPLY_LIMIT.as_millis()
        );
    }
    Ok(Verdict::Good)
}

/// Serves the board until Ctrl-C, or with `--once` until the first host has gone.
fn wait_for_hosts(args: &Args, board: &mut dyn Served) -> Result<()> {
    let interrupt = Interrupt::catch(Some("The board is switched off."))?;
    match &args.tcp {
        Some(address) => over_tcp(address, board, args.once, &interrupt),
        None => {
            let path = args.pty.as_ref().and_then(Option::as_ref);
            over_pty(path, board, args.once, &interrupt)
        }
    }
}

/// Tells where the board is: the place alone on standard output, for programs.
fn tell(place: &str) -> Result<()> {
    output::line(place)?;
    eprintln!("The board waits there for a host. Ctrl-C switches it off.");
    Ok(())
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
    tell(&link.path().to_string_lossy())?;
    while serve(&mut link, board, || !interrupt.is_set())? == Stop::HostGone && !once {}
    Ok(())
}

#[cfg(not(unix))]
fn over_pty(_: Option<&PathBuf>, _: &mut dyn Served, _: bool, _: &Interrupt) -> Result<()> {
    use crate::failure::Failure;
    Err(Failure::new("duoforge::usage", "this system has no pseudo-terminals").help("use --tcp"))
}

fn over_tcp(
    address: &str,
    board: &mut dyn Served,
    once: bool,
    interrupt: &Interrupt,
) -> Result<()> {
    let acceptor = TcpAcceptor::bind(address)?;
    tell(&format!("tcp:{}", acceptor.address()))?;
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
