//! `duoforge monitor`: decodes the traffic of a link, live or from a wire log.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duoforge_links::wirelog::{Decoded, Decoder, Direction};
use duoforge_links::{Link, LinkError, PtyLink};
use serde::Serialize;

use crate::commands::device::absolute;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdict};
use crate::profiles::{Entrant, ProfileArgs, ResolvedPlayer, entrant};
use crate::wirelog::{self, Logged};

/// Maximum wait for bytes of one side before the other side is polled.
const TURN: Duration = Duration::from_millis(1);

/// Maximum wait for a TCP connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Decode the protocol traffic of a link, live or from a wire log
///
/// A live monitor is between a host and a device. The host opens the pseudo-terminal whose path is
/// the first line of the output. The monitor forwards every byte in both directions, at most 2 ms
/// later. It prints each complete code: > to the device, < from the device. While no host is
/// connected, it drops the bytes of the device after it has decoded them.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(
    after_help = "Example in two terminals; begin the second command when the first one has printed its path:
  duoforge monitor /dev/ttyUSB0 --pty /tmp/device
  duoforge match /tmp/device pattern"
)]
pub struct Args {
    /// Device: /dev/ttyUSB0, serial:PATH, usb:SERIAL, tcp:HOST:PORT or a profile
    #[arg(value_name = "DEVICE", group = "what", value_parser = entrant)]
    pub device: Option<Entrant>,
    /// Wire log that `duoforge match --log FILE.jsonl` wrote
    #[arg(long, value_name = "FILE", group = "what")]
    pub log: Option<PathBuf>,
    /// Symbolic link to the pseudo-terminal for the host
    #[arg(long, value_name = "PATH", requires = "device", conflicts_with = "log")]
    pub pty: Option<PathBuf>,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Decoded code in JSON.
#[derive(Serialize)]
struct Said<'a> {
    us: u64,
    line: &'a str,
    dir: &'static str,
    text: String,
}

/// Decodes the traffic.
pub fn run(args: &Args) -> Result<Verdict> {
    match (&args.device, &args.log) {
        (Some(device), _) => live(args, device)?,
        (None, Some(log)) => from_log(log, args.json)?,
        (None, None) => unreachable!("one of the two is required"),
    }
    Ok(Verdict::Good)
}

fn print(
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
    let candidate = ResolvedPlayer::find(device, &args.profiles)?;
    let mut board = candidate.link(Instant::now() + PATIENCE)?;
    let mut host = match &args.pty {
        Some(path) => PtyLink::open_at(path)?,
        None => PtyLink::open()?,
    };
    output::line(absolute(host.path())?)?;
    note!("Waiting there for a host. Ctrl-C stops the monitor.");
    let interrupt = Interrupt::catch(Some("Stopping the monitor."))?;
    let begin = Instant::now();
    let mut decoder = Decoder::new();
    let mut is_dropping = false;
    let mut buf = [0; 256];
    while !interrupt.is_set() {
        for direction in [Direction::ToBoard, Direction::FromBoard] {
            let from: &mut dyn Link = match direction {
                Direction::ToBoard => &mut host,
                Direction::FromBoard => &mut *board,
            };
            let received = match from.recv(&mut buf, Instant::now() + TURN) {
                Ok(received) => received,
                Err(LinkError::Timeout) => continue,
                // Hosts may connect and disconnect.
                Err(LinkError::Closed) if direction == Direction::ToBoard => continue,
                Err(error) => return Err(error.into()),
            };
            match direction {
                Direction::ToBoard => drop(board.send(received.bytes)?),
                Direction::FromBoard => {
                    let is_lost = !forward(&mut host, received.bytes)?;
                    if is_lost && !is_dropping {
                        note!("No host reads: the bytes of the device are dropped.");
                    }
                    is_dropping = is_lost;
                }
            }
            let at = received.at.saturating_duration_since(begin);
            for decoded in decoder.feed(direction, received.bytes, at) {
                print(args.json, "board", direction, at, decoded)?;
            }
        }
    }
    Ok(())
}

/// Sends bytes of the device to the host. Returns false if they were dropped, since no host is
/// connected or the host does not read.
fn forward(host: &mut PtyLink, bytes: &[u8]) -> Result<bool> {
    // A send alone would wait for the next host, and the bytes of the device would pile up.
    match host
        .wait_peer(Instant::now())
        .and_then(|()| host.send(bytes))
    {
        Ok(_) => Ok(true),
        Err(LinkError::Timeout | LinkError::Closed) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn from_log(path: &Path, json: bool) -> Result<()> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    let mut decoders: BTreeMap<String, Decoder> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let logged = wirelog::read(line).map_err(|reason| {
            let place = format!("{}, line {}", path.display(), number + 1);
            Failure::new("duoforge::wirelog", format!("{place}: {reason}"))
                .help("`duoforge match --log FILE.jsonl` writes wire logs that can be decoded")
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
                    print(json, &line, direction, at, decoded)?;
                }
            }
        }
    }
    Ok(())
}
