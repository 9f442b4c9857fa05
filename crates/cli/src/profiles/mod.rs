//! Profiles: named devices of this machine, in a separate file.

mod absence;
mod file;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkSpec, ReconnectingLink};
use duoforge_players::{OpenContext, PlayerError, PlayerSpec};
use duoforge_protocol::{BAUD_RATE, REPLY_LIMIT, TeamCode};
use duoforge_referee::{Player, Seat};

use self::absence::Absence;
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
                let (path, mut profiles) = file::load(args)?;
                profiles
                    .remove(name)
                    .ok_or_else(|| file::unknown(name, &path, &profiles))
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
                let link = ReconnectingLink::open(reopen, self.reconnect)
                    .map_err(|source| PlayerError::Open { seat, source })?;
                Player::returning(link.with_observer(Absence::of(seat)))
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
    let (_, profiles) = file::load(args)?;
    Ok(profiles.into_iter().collect())
}

/// Returns the longest reply limit of the players of a match. A player without a limit in a profile
/// has the default limit; a person has none.
pub fn longest_limit<'a>(players: impl IntoIterator<Item = &'a ResolvedPlayer>) -> Duration {
    let limits = players
        .into_iter()
        .filter(|player| player.spec != PlayerSpec::Human)
        .map(|player| player.limit.unwrap_or(REPLY_LIMIT));
    limits.max().unwrap_or(REPLY_LIMIT)
}
