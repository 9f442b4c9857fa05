//! `duoforge board`: serves a board of this process on a pseudo-terminal or a TCP port.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_arena::{Served, Stop, board_parameters, serve};
use duoforge_engine::{Policy, Twin};
use duoforge_hdl::player::Parameters;
use duoforge_protocol::TeamCode;
use duoforge_protocol::link::{LinkError, TcpAcceptor};
use duoforge_sim::board::SimBoard;
use duoforge_sim::{Backend, Options};

use crate::failure::Result;
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
    /// End when the first host has gone
    #[arg(long)]
    pub once: bool,
}

/// Serves it.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut board: Box<dyn Served> = match args.sim {
        Some(backend) => {
            let parameters = Parameters {
                team: args.team.bytes(),
                ..board_parameters()
            };
            let board = SimBoard::open(backend, &parameters, &Options::default());
            Box::new(board.map_err(duoforge_arena::ArenaError::from)?)
        }
        None => Box::new(Twin::new(args.team, Policy::default())),
    };
    let interrupt = Interrupt::catch(Some("The board is switched off."))?;
    match &args.tcp {
        Some(address) => over_tcp(address, &mut *board, args.once, &interrupt)?,
        None => {
            let path = args.pty.as_ref().and_then(Option::as_ref);
            over_pty(path, &mut *board, args.once, &interrupt)?;
        }
    }
    Ok(Verdict::Good)
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
    use duoforge_protocol::link::PtyLink;
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
