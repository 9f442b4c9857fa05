//! `duoforge identify`: team code and build id of a device.

use std::time::{Duration, Instant};

use duoforge_conform::{Identity, identify};
use duoforge_protocol::BuildId;
use serde::Serialize;

use crate::failure::Result;
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
    after_help = "Exit status: 0 the device replied; 1 with --expect another build id, or none; \
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
struct NamedIdentity {
    device: String,
    team: String,
    /// Build id in eight hexadecimal digits; `None` if the device reports none.
    build: Option<String>,
}

/// Asks the device. The result is negative if the build id is not the expected one.
pub fn run(args: &Args) -> Result<Verdict> {
    let candidate = ResolvedPlayer::find(&args.device, &args.profiles)?;
    let mut link = candidate.link(Instant::now() + PATIENCE)?;
    let Identity { team, build } = identify(&mut *link)?;
    if args.json {
        output::json(&NamedIdentity {
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
        note!("The device does not have build {expected}; `duoforge flash` loads it.");
    }
    Ok(Verdict::of(build == Some(expected)))
}
