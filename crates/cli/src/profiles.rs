//! Profiles: named devices of this machine, in a separate file.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkSpec, ReconnectingLink};
use duoforge_players::{OpenContext, PlayerError, PlayerSpec};
use duoforge_protocol::{BAUD_RATE, TeamCode};
use duoforge_referee::{Player, Seat, duration};
use serde::Deserialize;

use crate::failure::{Failure, Result};
use crate::players;
use crate::terminal::Terminal;

/// Default wait for a device that disconnected between games.
const RECONNECT: Duration = Duration::from_secs(60);

/// Options of commands that accept profiles.
#[derive(Clone, Debug, clap::Args)]
pub struct ProfileArgs {
    /// File with the profiles of this machine's devices [default: ~/.config/duoforge/profiles.toml]
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
}

/// Player on the command line: a player itself, or the name of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// Player itself.
    Spec(PlayerSpec),
    /// Name of a profile.
    Named(String),
}

/// Parses an entrant. The existence of a profile is checked later.
pub fn entrant(text: &str) -> std::result::Result<Entrant, String> {
    match players::read(text) {
        Ok(spec) => Ok(Entrant::Spec(spec)),
        Err(PlayerError::Unknown(_)) if is_name(text) => Ok(Entrant::Named(text.to_owned())),
        Err(error) => Err(format!("{error}\n\n{}", players::names())),
    }
}

/// True if a profile may have this name: letters, digits, `-` and `_`, beginning with a letter.
fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_allowed)
}

/// Player with its settings, before it is opened.
#[derive(Clone, Debug)]
pub struct ResolvedPlayer {
    /// Name of the profile; `None` without a profile.
    name: Option<String>,
    /// Player to open.
    pub spec: PlayerSpec,
    baud: u32,
    /// Declared version, if any.
    version: Option<String>,
    /// Expected team code.
    pub team: Option<TeamCode>,
    /// Time limit of a reply.
    pub limit: Option<Duration>,
    /// Time that the device needs for its hard reset after a game.
    pub reset: Duration,
    /// Wait for a device that disconnected between games.
    reconnect: Duration,
}

/// Table of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Device as on the command line.
    device: String,
    baud: Option<u32>,
    version: Option<String>,
    team: Option<String>,
    limit: Option<String>,
    reset: Option<String>,
    reconnect: Option<String>,
    /// Former name of `reconnect`, which is refused.
    wait: Option<toml::Value>,
}

impl ResolvedPlayer {
    /// Finds the player of an entrant.
    pub fn find(entrant: &Entrant, args: &ProfileArgs) -> Result<Self> {
        match entrant {
            Entrant::Spec(spec) => Ok(Self {
                name: None,
                spec: spec.clone(),
                baud: BAUD_RATE,
                version: None,
                team: None,
                limit: None,
                reset: Duration::ZERO,
                reconnect: RECONNECT,
            }),
            Entrant::Named(name) => {
                let (path, mut profiles) = file(args)?;
                profiles
                    .remove(name)
                    .ok_or_else(|| unknown(name, &path, &profiles))
            }
        }
    }

    /// Opens the player.
    pub fn open(&self, seat: Seat, terminal: &mut Terminal) -> Result<Player> {
        Ok(self.player(seat, terminal)?)
    }

    /// Opens the player, as [`open`](Self::open), with the player's error.
    pub fn player(
        &self,
        seat: Seat,
        terminal: &mut dyn OpenContext,
    ) -> std::result::Result<Player, PlayerError> {
        let player = match &self.spec {
            PlayerSpec::Link(spec @ (LinkSpec::Serial(_) | LinkSpec::Usb(_))) => {
                let (spec, baud) = (spec.clone(), self.baud);
                let reopen = Box::new(move || {
                    let link = spec.open_serial(baud)?;
                    Ok(Box::new(link) as Box<dyn Link>)
                });
                let link = ReconnectingLink::open(reopen, self.reconnect);
                Player::returning(link.map_err(|source| PlayerError::Open { seat, source })?)
            }
            spec => spec.open(seat, terminal)?,
        };
        let player = player.with_version(self.version()).with_reset(self.reset);
        Ok(match &self.name {
            Some(name) => player.named(name),
            None => player,
        })
    }

    /// Version of the player: as declared, else as its settings determine it.
    pub fn version(&self) -> Option<String> {
        self.version.clone().or_else(|| self.spec.version())
    }

    /// Name of the profile, or the player itself.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.spec.to_string())
    }

    /// Opens the link of a device without a player; a TCP connection is awaited until the deadline.
    pub fn link(&self, deadline: Instant) -> Result<Box<dyn Link>> {
        let PlayerSpec::Link(spec) = &self.spec else {
            let message = format!("{} is not a device at the far end of a link", self.label());
            return Err(Failure::new("duoforge::usage", message).help(
                "name a serial device by its path or as usb:SERIAL, tcp:HOST:PORT, or a profile",
            ));
        };
        Ok(match spec.path()? {
            Some(_) => Box::new(spec.open_serial(self.baud)?),
            None => spec.open(deadline)?,
        })
    }

    /// Baud rate of the link.
    pub const fn baud(&self) -> u32 {
        self.baud
    }

    /// Real path of the player's device, if it is a serial device that exists.
    pub fn device(&self) -> Option<PathBuf> {
        match &self.spec {
            PlayerSpec::Link(spec) => fs::canonicalize(spec.path().ok()??).ok(),
            _ => None,
        }
    }

    /// True if the player is a device at the far end of a link.
    pub const fn is_board(&self) -> bool {
        matches!(self.spec, PlayerSpec::Link(_))
    }
}

/// Returns all profiles, by name.
pub fn all(args: &ProfileArgs) -> Result<Vec<(String, ResolvedPlayer)>> {
    let (_, profiles) = file(args)?;
    Ok(profiles.into_iter().collect())
}

/// Reads the file of profiles; the default file may be absent.
fn file(args: &ProfileArgs) -> Result<(PathBuf, BTreeMap<String, ResolvedPlayer>)> {
    let path = args.profiles.clone().or_else(default_path);
    let text = match &path {
        Some(path) if args.profiles.is_some() || path.exists() => {
            let text = fs::read_to_string(path);
            text.map_err(|error| Failure::file("read", path, &error))?
        }
        _ => String::new(),
    };
    let path = path.unwrap_or_else(|| "profiles.toml".into());
    let profiles = read(&text).map_err(|reason| broken(&path, &reason))?;
    Ok((path, profiles))
}

/// Parses profiles.
fn read(text: &str) -> std::result::Result<BTreeMap<String, ResolvedPlayer>, String> {
    let tables: BTreeMap<String, Table> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let candidate = |(name, table): (String, Table)| {
        if !is_name(&name) {
            return Err(format!(
                "[{name}]: invalid name: expected a letter, then letters, digits, - and _"
            ));
        }
        let wrong = |reason: String| format!("[{name}]: {reason}");
        if table.wait.is_some() {
            return Err(wrong(
                "unknown key `wait`: it is now called `reconnect`".to_owned(),
            ));
        }
        let time = |text: Option<String>| text.as_deref().map(duration).transpose().map_err(wrong);
        let spec = players::read(&table.device).map_err(|error| wrong(error.to_string()))?;
        let reset = time(table.reset)?.unwrap_or_default();
        if !reset.is_zero() && !matches!(spec, PlayerSpec::Link(_)) {
            return Err(wrong(format!(
                "reset is not permitted for device '{spec}': expected a device at the far end of a \
                 link"
            )));
        }
        let team = table
            .team
            .as_deref()
            .map(str::parse::<TeamCode>)
            .transpose();
        let candidate = ResolvedPlayer {
            spec,
            baud: table.baud.unwrap_or(BAUD_RATE),
            version: table.version,
            team: team.map_err(|error| wrong(error.to_string()))?,
            limit: time(table.limit)?,
            reset,
            reconnect: time(table.reconnect)?.unwrap_or(RECONNECT),
            name: Some(name.clone()),
        };
        Ok((name, candidate))
    };
    tables.into_iter().map(candidate).collect()
}

fn broken(path: &Path, reason: &str) -> Failure {
    let path = path.display();
    Failure::new(
        "duoforge::profiles",
        format!("{path}: {}", reason.trim_end()),
    )
    .help(
        "a profile is a table [NAME] with device = \"usb:SERIAL\" or a path, and optionally \
         baud = 115200, team = \"AA\", version = \"1.0\", limit = \"1s\", \
         reset = \"20s\", reconnect = \"60s\"",
    )
}

fn unknown(name: &str, path: &Path, profiles: &BTreeMap<String, ResolvedPlayer>) -> Failure {
    let path = path.display();
    let text = if profiles.is_empty() {
        format!("'{name}' is not a player, and {path} contains no profiles")
    } else {
        let names: Vec<_> = profiles.keys().map(String::as_str).collect();
        format!(
            "'{name}' is neither a player nor a profile of {path}: expected one of {}",
            names.join(", ")
        )
    };
    Failure::new("duoforge::player", text).help(players::names())
}

fn default_path() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let directory =
        set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(directory.join("duoforge/profiles.toml"))
}

#[cfg(test)]
mod tests {
    use duoforge_arbitrary::Inputs;

    use super::*;

    #[test]
    fn profiles_have_device_speed_team_and_times() {
        let text = "[left]\ndevice = \"/dev/ttyUSB0\"\nbaud = 57600\nteam = \"AA\"\nlimit = \"1.5s\"\n\
                    reconnect = \"5s\"\n[right]\ndevice = \"usb:0403:6010\"\n";
        let profiles = read(text).unwrap();
        let left = &profiles["left"];
        assert_eq!(
            (left.baud, left.reconnect),
            (57_600, Duration::from_secs(5))
        );
        assert_eq!(left.team.unwrap().to_string(), "AA");
        assert_eq!(left.limit, Some(Duration::from_millis(1500)));
        let right = &profiles["right"];
        assert_eq!((right.baud, right.team, right.limit), (115_200, None, None));
        assert_eq!(right.spec.to_string(), "usb:0403:6010");
    }

    #[test]
    fn faults_of_a_profile_are_named() {
        for (text, part) in [
            ("[left]\nteam = \"AA\"", "device"),
            ("[left]\ndevice = \"nothing\"", "'nothing' names no player"),
            ("[left]\ndevice = \"/dev/x\"\nspeed = 1", "speed"),
            ("[left]\ndevice = \"/dev/x\"\nteam = \"AAA\"", "[left]"),
            (
                "[left]\ndevice = \"/dev/x\"\nlimit = \"soon\"",
                "invalid duration",
            ),
            (
                "[left]\ndevice = \"twin\"\nreset = \"20s\"",
                "device 'twin'",
            ),
            (
                "[left]\ndevice = \"/dev/x\"\nreset = \"soon\"",
                "invalid duration",
            ),
            ("[left]\ndevice = \"/dev/x\"\nwait = \"60s\"", "`reconnect`"),
            ("[\"l r\"]\ndevice = \"/dev/x\"", "invalid name"),
            ("left = 1", "left"),
            ("[left", ""),
        ] {
            let reason = read(text).unwrap_err();
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }

    #[test]
    fn arbitrary_profiles_are_read_or_refused() {
        let real = [
            "[left]\ndevice = \"/dev/ttyUSB0\"\nbaud = 57600\nteam = \"AA\"\nlimit = \"1.5s\"\n\
             reconnect = \"5s\"\nreset = \"20s\"\nversion = \"2\"\n[right]\ndevice = \"usb:0403:6010\"\n",
            "[bot]\ndevice = \"tcp:localhost:10000\"\n\n[chip]\ndevice = \"sim:search:lanes=2\"\n",
        ];
        let inputs = Inputs {
            name: "profiles",
            pieces: &[
                "[",
                "]",
                "left",
                "device",
                "team",
                "limit",
                "reconnect",
                "wait",
                "baud",
                "=",
                "\"",
                "\"/dev/x\"",
                "\"1s\"",
                "\"1e300s\"",
                "115200",
                "-1",
                "\n",
                " ",
                "#",
                ".",
                "'",
                "\"\"\"",
                "{",
                "}",
                ",",
                "ü",
                "usb:",
                "exec:",
                "search:nodes=",
                "99999999999",
            ],
            real: &real.map(str::as_bytes),
        };
        inputs.try_texts(|text| read(text).map(drop));
    }
}
