//! `duoforge identify`: team code and build id of a device.

use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError};
use duoforge_protocol::{BuildId, HostEvent, HostSession, Prompt, TeamCode};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};
use crate::profiles::{Entrant, ProfileArgs, ResolvedPlayer, entrant};

/// Maximum wait for a TCP connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ask a device for its team code and its build id
///
/// Sends `0`, which ends a game in progress, and then `????`, to which only devices of this project
/// reply. Do not use the command on an opponent's device.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 the device replied; 1 no build id, or another one than --expect; \
                  2 usage error, or the device does not reply"
)]
pub struct Args {
    /// Device: /dev/ttyUSB0, serial:PATH, usb:SERIAL, tcp:HOST:PORT, pty:PATH or a profile
    #[arg(value_name = "DEVICE", value_parser = entrant)]
    pub device: Entrant,
    /// Expected build id, as `duoforge build` printed it
    #[arg(long, value_name = "ID")]
    pub expect: Option<BuildId>,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Device in JSON.
#[derive(Serialize)]
struct Identity {
    device: String,
    team: String,
    /// Build id in eight hexadecimal digits; `None` if the device reports none.
    build: Option<String>,
}

/// Asks the device. The result is negative if the build id is not the expected one.
pub fn run(args: &Args) -> Result<Verdict> {
    let candidate = ResolvedPlayer::find(&args.device, &args.profiles)?;
    let mut link = candidate.link(Instant::now() + PATIENCE)?;
    let (team, build) = ask(&mut *link)?;
    if args.json {
        output::json(&Identity {
            device: candidate.label(),
            team: team.to_string(),
            build: build.map(|build| build.to_string()),
        })?;
    } else {
        let build = match build {
            None => "no build id".into(),
            Some(BuildId(0)) => "build 00000000, which `duoforge build` never assigns".into(),
            Some(build) => format!("build {build}"),
        };
        output::line(format!("{}: team {team}, {build}", candidate.label()))?;
    }
    let Some(expected) = args.expect else {
        return Ok(Verdict::Good);
    };
    if build != Some(expected) {
        eprintln!("The device does not have build {expected}; `duoforge flash` loads it.");
    }
    Ok(Verdict::of(build == Some(expected)))
}

fn ask(link: &mut dyn Link) -> Result<(TeamCode, Option<BuildId>)> {
    let mut session = HostSession::new();
    // Bytes of an earlier exchange are not a reply.
    link.drain()?;
    let order = "a new session may ask";
    let team = match exchange(link, &mut session, |host| host.hello().expect(order))? {
        Some(HostEvent::Team(team)) => team,
        Some(HostEvent::Broken(error)) => {
            return Err(
                Failure::new("duoforge::device::garbled", error.to_string()).help(
                    "the device must speak the contest's protocol, at 115200 baud or the baud rate \
                     of its profile",
                ),
            );
        }
        _ => {
            return Err(Failure::new(
                "duoforge::device::silent",
                "the device does not reply to `0`",
            )
            .help("check that the device is powered and loaded, and that rx and tx are crossed"));
        }
    };
    let build = match exchange(link, &mut session, |host| host.identify().expect(order))? {
        Some(HostEvent::Build(build)) => Some(build),
        _ => None,
    };
    Ok((team, build))
}

/// Sends a prompt and returns the reply; `None` if none arrives within the limit.
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
