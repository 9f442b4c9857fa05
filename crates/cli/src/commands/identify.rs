//! `duoforge identify`: asks a board who it is.

use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, LinkSpec};
use duoforge_protocol::{BuildId, HostEvent, HostSession, Prompt, TeamCode};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};

/// How long a TCP connection is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ask a board for its team code and its build id
///
/// The board is greeted with `0`, which ends a game that it may be in, and then asked with `????`,
/// which only boards of this project know. Not for use on a rival's board.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 the board named itself; 1 another build than --expect, or \
                        none; 2 it cannot be reached or does not answer"
)]
pub struct Args {
    /// /dev/ttyUSB0, serial:PATH, tcp:HOST:PORT, pty:PATH
    #[arg(value_name = "DEVICE")]
    pub device: LinkSpec,
    /// The build id that it has to have, as `duoforge build` printed it
    #[arg(long, value_name = "ID")]
    pub expect: Option<BuildId>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A board for programs.
#[derive(Serialize)]
struct Identity {
    device: String,
    team: String,
    /// Eight hexadecimal digits; none if it does not name a build.
    build: Option<String>,
}

/// Asks it.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut link = args.device.open(Instant::now() + PATIENCE)?;
    let (team, build) = ask(&mut *link)?;
    if args.json {
        output::json(&Identity {
            device: args.device.to_string(),
            team: team.to_string(),
            build: build.map(|build| build.to_string()),
        })?;
    } else {
        let build = match build {
            None => "names no build".into(),
            Some(BuildId(0)) => "build 00000000, which is no bitstream of `duoforge build`".into(),
            Some(build) => format!("build {build}"),
        };
        output::line(format!("{}: team {team}, {build}", args.device))?;
    }
    let Some(expected) = args.expect else {
        return Ok(Verdict::Good);
    };
    if build != Some(expected) {
        eprintln!("It is not build {expected}: load that with `duoforge flash`.");
    }
    Ok(Verdict::of(build == Some(expected)))
}

fn ask(link: &mut dyn Link) -> Result<(TeamCode, Option<BuildId>)> {
    let mut session = HostSession::new();
    // What an earlier conversation has left on the line is nobody's answer.
    link.drain()?;
    let order = "a new session may ask";
    let team = match exchange(link, &mut session, |host| host.hello().expect(order))? {
        Some(HostEvent::Team(team)) => team,
        Some(HostEvent::Broken(error)) => {
            return Err(Failure::new("duoforge::board::garbled", error.to_string())
                .help("is it a board of the contest, at 115200 baud?"));
        }
        _ => {
            return Err(
                Failure::new("duoforge::board::silent", "the board does not answer `0`")
                    .help("is it powered, loaded, and connected with rx and tx crossed?"),
            );
        }
    };
    let build = match exchange(link, &mut session, |host| host.identify().expect(order))? {
        Some(HostEvent::Build(build)) => Some(build),
        _ => None,
    };
    Ok((team, build))
}

/// Sends a prompt; returns what was answered, none if that was nothing in time.
fn exchange(
    link: &mut dyn Link,
    session: &mut HostSession,
    prompt: impl FnOnce(&mut HostSession) -> Prompt,
) -> Result<Option<HostEvent>> {
    let prompt = prompt(session);
    let sent = link.send(&prompt.frame)?;
    let mut buf = [0; 64];
    loop {
        match link.recv(&mut buf, sent.at + prompt.limit) {
            Ok(received) => {
                let mut events = received.bytes.iter().filter_map(|&byte| session.feed(byte));
                if let Some(event) =
                    events.find(|event| !matches!(event, HostEvent::Unsolicited(_)))
                {
                    return Ok(Some(event));
                }
            }
            Err(LinkError::Timeout) => {
                session.expire();
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
}
