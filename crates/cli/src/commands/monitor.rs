//! `duoforge monitor`: tells what goes over a line, live or from a wire log.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duoforge_arena::PlayerSpec;
use duoforge_links::wirelog::{Decoded, Decoder, Direction};
use duoforge_links::{Link, LinkError, PtyLink};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdict};
use crate::profiles::{Candidate, Entrant, ProfileArgs, entrant};
use crate::wirelog::{self, Logged};

/// How long one side is listened to before it is the other one's turn.
const TURN: Duration = Duration::from_millis(1);

/// Most seconds a TCP connection is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Tell what goes over a line, live or from a wire log
///
/// It sits between a host and a board: the host opens the pseudo-terminal whose path is the first
/// line of the output, and every byte is handed on both ways, at most 2 ms later. Codes are told as
/// soon as they are complete, > to the board, < from the board.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(
    after_help = "Example: duoforge monitor /dev/ttyUSB0 --pty /tmp/board & \
                        duoforge match /tmp/board engine"
)]
pub struct Args {
    /// The board: /dev/ttyUSB0, serial:PATH, usb:SERIAL, tcp:HOST:PORT or a profile
    #[arg(value_name = "DEVICE", group = "what", value_parser = entrant)]
    pub device: Option<Entrant>,
    /// A wire log that `duoforge match --log FILE.jsonl` wrote
    #[arg(long, value_name = "FILE", group = "what")]
    pub log: Option<PathBuf>,
    /// Symbolic link to the pseudo-terminal for the host
    #[arg(long, value_name = "PATH", requires = "device")]
    pub pty: Option<PathBuf>,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Something that was said, for programs.
#[derive(Serialize)]
struct Said<'a> {
    us: u64,
    line: &'a str,
    dir: &'static str,
    text: String,
}

/// Tells it.
pub fn run(args: &Args) -> Result<Verdict> {
    match (&args.device, &args.log) {
        (Some(device), _) => live(args, device)?,
        (None, Some(log)) => from_log(log, args.json)?,
        (None, None) => unreachable!("one of the two is required"),
    }
    Ok(Verdict::Good)
}

fn tell(
    json: bool,
    line: &str,
    direction: Direction,
    at: Duration,
    decoded: Decoded,
) -> Result<()> {
    let to_board = direction == Direction::ToBoard;
    if json {
        let dir = if to_board { "to-board" } else { "from-board" };
        let us = at.as_micros() as u64;
        return output::json(&Said {
            us,
            line,
            dir,
            text: decoded.to_string(),
        });
    }
    let arrow = if to_board { '>' } else { '<' };
    output::line(format!(
        "{:12.6} {line} {arrow} {decoded}",
        at.as_secs_f64()
    ))
}

fn live(args: &Args, device: &Entrant) -> Result<()> {
    let candidate = Candidate::find(device, &args.profiles)?;
    let PlayerSpec::Link(spec) = &candidate.spec else {
        let message = format!("{} is no line to a board", candidate.spec);
        return Err(Failure::new("duoforge::usage", message).help(
            "monitor sits between a host and a device: a path, usb:SERIAL or tcp:HOST:PORT",
        ));
    };
    let mut board: Box<dyn Link> = match spec.path()? {
        Some(_) => Box::new(spec.open_serial(candidate.baud())?),
        None => spec.open(Instant::now() + PATIENCE)?,
    };
    let mut host = match &args.pty {
        Some(path) => PtyLink::open_at(path)?,
        None => PtyLink::open()?,
    };
    output::line(host.path().to_string_lossy())?;
    eprintln!("The host is waited for there. Ctrl-C ends it.");
    let interrupt = Interrupt::catch(Some("The line is left."))?;
    let begin = Instant::now();
    let mut decoder = Decoder::new();
    let mut buf = [0; 256];
    while !interrupt.is_set() {
        for direction in [Direction::ToBoard, Direction::FromBoard] {
            let (from, to): (&mut dyn Link, &mut dyn Link) = match direction {
                Direction::ToBoard => (&mut host, &mut *board),
                Direction::FromBoard => (&mut *board, &mut host),
            };
            let received = match from.recv(&mut buf, Instant::now() + TURN) {
                Ok(received) => received,
                Err(LinkError::Timeout) => continue,
                // Hosts come and go.
                Err(LinkError::Closed) if direction == Direction::ToBoard => continue,
                Err(error) => return Err(error.into()),
            };
            match to.send(received.bytes) {
                // A host that does not read, or has gone, loses what the board says.
                Err(LinkError::Timeout | LinkError::Closed)
                    if direction == Direction::FromBoard => {}
                sent => drop(sent?),
            }
            let at = received.at.saturating_duration_since(begin);
            for decoded in decoder.feed(direction, received.bytes, at) {
                tell(args.json, "board", direction, at, decoded)?;
            }
        }
    }
    Ok(())
}

fn from_log(path: &Path, json: bool) -> Result<()> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    let mut decoders: BTreeMap<String, Decoder> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let logged = wirelog::read(line).map_err(|reason| {
            let place = format!("{}, line {}", path.display(), number + 1);
            Failure::new("duoforge::wirelog", format!("{place}: {reason}"))
                .help("`duoforge match --log FILE.jsonl` writes wire logs that can be read again")
        })?;
        match logged {
            Logged::Game(game) => {
                decoders.clear();
                if !json {
                    output::line(format!("game {game}"))?;
                }
            }
            Logged::Remark { line, at, text } => {
                if !json {
                    output::line(format!("{:12.6} {line} ! {text}", at.as_secs_f64()))?;
                }
            }
            Logged::Bytes {
                line,
                at,
                direction,
                bytes,
            } => {
                let decoder = decoders.entry(line.clone()).or_default();
                for decoded in decoder.feed(direction, &bytes, at) {
                    tell(json, &line, direction, at, decoded)?;
                }
            }
        }
    }
    Ok(())
}
