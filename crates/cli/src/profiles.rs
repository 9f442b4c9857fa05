//! Profiles: the boards of this machine by names of their own, in a file of their own.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_arena::{ArenaError, Player, PlayerSpec, Seat, duration};
use duoforge_links::{Link, LinkSpec, ReturningLink};
use duoforge_protocol::{BAUD_RATE, TeamCode};
use serde::Deserialize;

use crate::failure::{Failure, Result};
use crate::players;
use crate::terminal::Terminal;

/// How long a device that vanished between games is waited for, unless its profile says otherwise.
const WAIT: Duration = Duration::from_secs(60);

/// Where profiles are, for all commands that know them.
#[derive(Clone, Debug, clap::Args)]
pub struct ProfileArgs {
    /// File with the profiles of this machine's boards [default: ~/.config/duoforge/profiles.toml]
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
}

/// A player on the command line: by what it is, or by the name of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// By what it is.
    Spec(PlayerSpec),
    /// By the name of a profile.
    Named(String),
}

/// Reads an entrant. Whether there is a profile of this name is looked up later.
pub fn entrant(text: &str) -> std::result::Result<Entrant, String> {
    match text.parse() {
        Ok(spec) => Ok(Entrant::Spec(spec)),
        Err(ArenaError::UnknownPlayer(_)) if is_name(text) => Ok(Entrant::Named(text.to_owned())),
        Err(error) => Err(format!("{error}\n\n{}", players::names())),
    }
}

/// Whether a profile may be called so: letters, digits, `-` and `_`, beginning with a letter.
fn is_name(text: &str) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(fine)
}

/// A player with all that is known about it before it is opened.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The profile's name.
    name: Option<String>,
    /// What to open.
    pub spec: PlayerSpec,
    baud: u32,
    /// The team code that it shall have.
    pub team: Option<TeamCode>,
    /// Time for an answer.
    pub limit: Option<Duration>,
    wait: Duration,
}

/// A table of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// What stands on the command line for the device.
    device: String,
    baud: Option<u32>,
    team: Option<String>,
    limit: Option<String>,
    wait: Option<String>,
}

impl Candidate {
    /// Looks an entrant up.
    pub fn find(entrant: &Entrant, args: &ProfileArgs) -> Result<Self> {
        match entrant {
            Entrant::Spec(spec) => Ok(Self {
                name: None,
                spec: spec.clone(),
                baud: BAUD_RATE,
                team: None,
                limit: None,
                wait: WAIT,
            }),
            Entrant::Named(name) => {
                let path = args.profiles.clone().or_else(default_path);
                let text = match &path {
                    Some(path) if args.profiles.is_some() || path.exists() => {
                        let text = fs::read_to_string(path);
                        text.map_err(|error| Failure::file("read", path, &error))?
                    }
                    _ => String::new(),
                };
                let path = path.unwrap_or_else(|| "profiles.toml".into());
                let mut profiles = read(&text).map_err(|reason| broken(&path, &reason))?;
                profiles
                    .remove(name)
                    .ok_or_else(|| unknown(name, &path, &profiles))
            }
        }
    }

    /// Opens it.
    pub fn open(&self, seat: Seat, terminal: &mut Terminal) -> Result<Player> {
        Ok(self.player(seat, terminal)?)
    }

    /// As [`open`](Self::open), with the arena's error.
    pub fn player(
        &self,
        seat: Seat,
        terminal: &mut Terminal,
    ) -> std::result::Result<Player, ArenaError> {
        let player = match &self.spec {
            PlayerSpec::Link(spec @ (LinkSpec::Serial(_) | LinkSpec::Usb(_))) => {
                let (spec, baud) = (spec.clone(), self.baud);
                let reopen = Box::new(move || {
                    let link = spec.open_serial(baud)?;
                    Ok(Box::new(link) as Box<dyn Link>)
                });
                let link = ReturningLink::open(reopen, self.wait);
                Player::returning(link.map_err(|source| ArenaError::Open { seat, source })?)
            }
            spec => spec.open(seat, terminal)?,
        };
        Ok(match &self.name {
            Some(name) => player.named(name),
            None => player,
        })
    }

    /// The baud rate of its line.
    pub const fn baud(&self) -> u32 {
        self.baud
    }

    /// The device behind it by its real path, where it is a serial one that is there.
    pub fn device(&self) -> Option<PathBuf> {
        match &self.spec {
            PlayerSpec::Link(spec) => fs::canonicalize(spec.path().ok()??).ok(),
            _ => None,
        }
    }

    /// Whether it sits behind a line that something may be wrong with.
    pub const fn is_board(&self) -> bool {
        matches!(self.spec, PlayerSpec::Link(_))
    }
}

/// Reads profiles.
fn read(text: &str) -> std::result::Result<BTreeMap<String, Candidate>, String> {
    let tables: BTreeMap<String, Table> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let candidate = |(name, table): (String, Table)| {
        if !is_name(&name) {
            return Err(format!("[{name}]: a name has letters, digits, - and _"));
        }
        let wrong = |reason: String| format!("[{name}]: {reason}");
        let time = |text: Option<String>| text.as_deref().map(duration).transpose().map_err(wrong);
        let spec = table
            .device
            .parse()
            .map_err(|error: ArenaError| wrong(error.to_string()))?;
        let team = table
            .team
            .as_deref()
            .map(str::parse::<TeamCode>)
            .transpose();
        let candidate = Candidate {
            spec,
            baud: table.baud.unwrap_or(BAUD_RATE),
            team: team.map_err(|error| wrong(error.to_string()))?,
            limit: time(table.limit)?,
            wait: time(table.wait)?.unwrap_or(WAIT),
            name: Some(name.clone()),
        };
        Ok((name, candidate))
    };
    tables.into_iter().map(candidate).collect()
}

fn broken(path: &Path, reason: &str) -> Failure {
    let path = path.display();
    Failure::new("duoforge::profiles", format!("{path}: {}", reason.trim_end())).help(
        "a profile is a table: [left], device = \"usb:SERIAL\" or a path, and if need be baud = 115200, \
         team = \"AA\", limit = \"1s\", wait = \"60s\"",
    )
}

fn unknown(name: &str, path: &Path, profiles: &BTreeMap<String, Candidate>) -> Failure {
    let path = path.display();
    let text = if profiles.is_empty() {
        format!("'{name}' names no player, and there are no profiles in {path}")
    } else {
        let names: Vec<_> = profiles.keys().map(String::as_str).collect();
        format!(
            "'{name}' names no player, and no profile in {path}: these are {}",
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
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("duoforge/profiles.toml"))
}

#[cfg(test)]
mod tests {
    use duoforge_arbitrary::Inputs;

    use super::*;

    #[test]
    fn profiles_say_device_speed_team_and_times() {
        let text = "[left]\ndevice = \"/dev/ttyUSB0\"\nbaud = 57600\nteam = \"AA\"\nlimit = \"1.5s\"\n\
                    wait = \"5s\"\n[right]\ndevice = \"usb:0403:6010\"\n";
        let profiles = read(text).unwrap();
        let left = &profiles["left"];
        assert_eq!((left.baud, left.wait), (57_600, Duration::from_secs(5)));
        assert_eq!(left.team.unwrap().to_string(), "AA");
        assert_eq!(left.limit, Some(Duration::from_millis(1500)));
        let right = &profiles["right"];
        assert_eq!((right.baud, right.team, right.limit), (115_200, None, None));
        assert_eq!(right.spec.to_string(), "usb:0403:6010");
    }

    #[test]
    fn what_is_wrong_with_a_profile_is_named() {
        for (text, part) in [
            ("[left]\nteam = \"AA\"", "device"),
            ("[left]\ndevice = \"nothing\"", "'nothing' names no player"),
            ("[left]\ndevice = \"/dev/x\"\nspeed = 1", "speed"),
            ("[left]\ndevice = \"/dev/x\"\nteam = \"AAA\"", "[left]"),
            (
                "[left]\ndevice = \"/dev/x\"\nlimit = \"soon\"",
                "invalid duration",
            ),
            ("[\"l r\"]\ndevice = \"/dev/x\"", "a name has letters"),
            ("left = 1", "left"),
            ("[left", ""),
        ] {
            let reason = read(text).unwrap_err();
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }

    #[test]
    fn whatever_comes_as_profiles_is_read_or_refused() {
        let real = [
            "[left]\ndevice = \"/dev/ttyUSB0\"\nbaud = 57600\nteam = \"AA\"\nlimit = \"1.5s\"\n\
             wait = \"5s\"\n[right]\ndevice = \"usb:0403:6010\"\n",
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
