//! File with the profiles of a machine.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_players::PlayerSpec;
use duoforge_protocol::{BAUD_RATE, TeamCode};
use duoforge_referee::duration;
use serde::Deserialize;

use super::{ProfileArgs, RECONNECT, ResolvedPlayer, is_name};
use crate::failure::{Failure, Result};
use crate::play::time;
use crate::players;

/// Parser of a time.
type Parser = fn(&str) -> std::result::Result<Duration, String>;

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

/// Reads the file of profiles; the default file may be absent.
pub fn load(args: &ProfileArgs) -> Result<(PathBuf, BTreeMap<String, ResolvedPlayer>)> {
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
        let parse = |key: &str, text: Option<String>, parser: Parser| {
            let time = text.as_deref().map(parser).transpose();
            time.map_err(|reason| wrong(format!("{key}: {reason}")))
        };
        let baud = table.baud.unwrap_or(BAUD_RATE);
        if baud == 0 {
            let range = format!("expected 1 to {}", u32::MAX);
            return Err(wrong(format!("baud = 0 is out of range: {range}")));
        }
        let spec = players::read(&table.device).map_err(|error| wrong(error.to_string()))?;
        let reset = parse("reset", table.reset, duration)?.unwrap_or_default();
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
            baud,
            version: table.version,
            team: team.map_err(|error| wrong(error.to_string()))?,
            limit: parse("limit", table.limit, time::limit)?,
            reset,
            reconnect: parse("reconnect", table.reconnect, duration)?.unwrap_or(RECONNECT),
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

/// Failure of a name that is neither a player nor a profile.
pub fn unknown(name: &str, path: &Path, profiles: &BTreeMap<String, ResolvedPlayer>) -> Failure {
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
                "[left]\ndevice = \"/dev/x\"\nlimit = \"0s\"",
                "[left]: limit: invalid time limit '0s': expected more than 0s",
            ),
            (
                "[left]\ndevice = \"/dev/x\"\nbaud = 0",
                "[left]: baud = 0 is out of range: expected 1 to 4294967295",
            ),
            ("[left]\ndevice = \"/dev/x\"\nbaud = -1", "u32"),
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
