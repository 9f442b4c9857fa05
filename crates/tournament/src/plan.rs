//! Plan of a tournament: the TOML text, parsed and checked.

use std::collections::HashSet;
use std::time::Duration;

use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::REPLY_LIMIT;
use duoforge_rating::Sprt;
use duoforge_referee::{TimeControl, duration};
use serde::Deserialize;

use crate::PlanError;

/// Maximum number of players.
const PLAYERS: usize = 256;

/// Maximum number of games, to detect typing errors.
const GAMES: u64 = 1_000_000;

/// Maximum number of plies of an opening. Longer openings may leave little to decide.
const OPENING: u32 = 12;

/// Plan of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Name of the event.
    pub event: String,
    /// Pairing system.
    pub format: Format,
    /// Number of pairs of games in a match, at least one.
    pub pairs: u32,
    /// Number of rounds of a Swiss tournament; 0 for the other formats.
    pub rounds: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// Maximum number of concurrent games, at least one.
    pub concurrency: usize,
    /// Time limit of a reply for players without an individual time control.
    pub limit: Duration,
    /// Number of plies of the openings; 0 for none.
    pub opening: u32,
    /// Games whose evidence is kept.
    pub evidence: Evidence,
    /// Waiting time for a player that is no longer reachable.
    pub reconnect: Duration,
    /// Sequential test that ends the tournament early.
    pub sprt: Option<Sprt>,
    /// Players, at least two. In a gauntlet the first one meets all others; in knockouts and Swiss
    /// tournaments they are listed by strength.
    pub players: Vec<PlanEntry>,
}

/// Pairing system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each player meets each other player.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Each round pairs players with similar points that have not met yet.
    Swiss,
    /// The loser of a match is eliminated.
    Knockout,
}

impl Format {
    /// Keyword in the TOML text.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
        }
    }
}

/// Games whose evidence is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// All games.
    All,
    /// Games that a player lost, by score or by a violation.
    #[default]
    Lost,
    /// Games that a player lost by a violation of the rules or the protocol.
    Violations,
}

/// Player of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanEntry {
    /// Name of the player.
    pub name: String,
    /// Kind of player.
    pub spec: PlayerSpec,
    /// Declared version, if any.
    pub version: Option<String>,
    /// Time that the device needs for its hard reset after a game; zero for none.
    pub reset: Duration,
    /// Individual time control, if any.
    pub clock: Option<TimeControl>,
}

impl PlanEntry {
    /// Version of the player: as declared, else as its settings determine it.
    #[must_use]
    pub fn version(&self) -> Option<String> {
        self.version.clone().or_else(|| self.spec.version())
    }

    /// True if the player is deterministic: it repeats a game for the same seed and the same moves.
    /// An interrupted game of such players continues after its moves are played again.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.spec.repeats()
    }

    /// True if only one instance of the player exists, so that it plays one game at a time.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        self.spec.is_single()
    }

    /// True if the player accepts the moves of an opening.
    #[must_use]
    pub const fn opens(&self) -> bool {
        self.spec.takes_openings()
    }
}

/// Fields of the TOML text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    event: String,
    format: Format,
    #[serde(default = "one")]
    pairs: u32,
    #[serde(default)]
    rounds: Option<u32>,
    #[serde(default = "seed")]
    seed: u64,
    #[serde(default = "one")]
    concurrency: u32,
    limit: Option<String>,
    #[serde(default)]
    opening: u32,
    #[serde(default)]
    evidence: Evidence,
    reconnect: Option<String>,
    sprt: Option<WrittenSprt>,
    #[serde(rename = "player")]
    players: Vec<WrittenPlayer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSprt {
    elo0: f64,
    elo1: f64,
    #[serde(default = "five_in_hundred")]
    alpha: f64,
    #[serde(default = "five_in_hundred")]
    beta: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlayer {
    name: Option<String>,
    spec: String,
    version: Option<String>,
    reset: Option<String>,
    limit: Option<String>,
    bank: Option<String>,
    increment: Option<String>,
}

const fn one() -> u32 {
    1
}

const fn seed() -> u64 {
    1
}

const fn five_in_hundred() -> f64 {
    0.05
}

impl Plan {
    /// Parses and checks a plan whose players are all known to [`PlayerSpec`].
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn read(text: &str) -> Result<Self, PlanError> {
        Self::read_with(text, str::parse::<PlayerSpec>)
    }

    /// As [`read`](Self::read); `read` parses the players.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn read_with(
        text: &str,
        read: impl Fn(&str) -> Result<PlayerSpec, PlayerError>,
    ) -> Result<Self, PlanError> {
        let written: Written = toml::from_str(text)?;
        let players = written.players.into_iter();
        let players = players.map(|written| player(written, &read));
        let plan = Self {
            event: written.event,
            format: written.format,
            pairs: written.pairs,
            rounds: written.rounds.unwrap_or(0),
            seed: written.seed,
            concurrency: written.concurrency as usize,
            limit: time("limit", written.limit.as_deref())?.unwrap_or(REPLY_LIMIT),
            opening: written.opening,
            evidence: written.evidence,
            reconnect: time("reconnect", written.reconnect.as_deref())?
                .unwrap_or(Duration::from_secs(30)),
            sprt: written.sprt.map(sprt).transpose()?,
            players: players.collect::<Result<_, _>>()?,
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PlanError> {
        let players = self.players.len();
        within("number of players", players as u64, 2..=PLAYERS as u64)?;
        within("pairs", self.pairs.into(), 1..=GAMES)?;
        within("concurrency", self.concurrency as u64, 1..=64)?;
        within("opening", self.opening.into(), 0..=OPENING.into())?;
        if self.limit.is_zero() {
            return Err(value("limit", "0s is out of range: expected more than 0s"));
        }
        if self.event.trim().is_empty() {
            return Err(value("event", "empty name: expected visible text"));
        }
        match (self.format, self.rounds) {
            (Format::Swiss, rounds) => {
                let most = players as u64 - 1;
                within("rounds", rounds.into(), 1..=most)?;
            }
            (_, 0) => {}
            (format, rounds) => {
                let format = format.word();
                return Err(value(
                    "rounds",
                    format!("{rounds} is not permitted for format {format}: expected format swiss"),
                ));
            }
        }
        if self.sprt.is_some() && (players != 2 || self.format == Format::Knockout) {
            let format = self.format.word();
            let reason = format!(
                "{players} players in format {format}: expected 2 players in format round-robin, \
                 gauntlet or swiss"
            );
            return Err(value("sprt", reason));
        }
        let games = self.most_games();
        if games > GAMES {
            return Err(value(
                "pairs",
                format!("{games} games are out of range: expected at most {GAMES}"),
            ));
        }
        self.check_players()
    }

    fn check_players(&self) -> Result<(), PlanError> {
        let (mut names, mut devices) = (HashSet::new(), HashSet::new());
        for entry in &self.players {
            let wrong = |reason: &str| PlanError::Player {
                name: entry.name.clone(),
                reason: reason.to_owned(),
            };
            let spec = &entry.spec;
            if !names.insert(&entry.name) {
                return Err(wrong(
                    "duplicate name: expected a different name for each player",
                ));
            }
            if entry.name.trim().is_empty() || entry.name.chars().any(char::is_control) {
                return Err(wrong("invalid name: expected one line of visible text"));
            }
            let version = entry.version.as_deref().unwrap_or("1");
            if version.trim().is_empty() || version.chars().any(char::is_control) {
                return Err(wrong("invalid version: expected one line of visible text"));
            }
            if entry.spec == PlayerSpec::Human {
                return Err(wrong(
                    "spec 'human' is not permitted in a tournament: expected a device or a program",
                ));
            }
            if !entry.reset.is_zero() && !entry.is_single() {
                return Err(wrong(&format!(
                    "reset is not permitted for spec '{spec}': expected a device at the far end of \
                     a link"
                )));
            }
            if entry.is_single() && !devices.insert(entry.spec.to_string()) {
                return Err(wrong(&format!(
                    "duplicate device '{spec}': expected a different device for each player"
                )));
            }
            if self.opening > 0 && !entry.opens() {
                return Err(wrong(&format!(
                    "spec '{spec}' does not support openings: expected opening = 0",
                )));
            }
        }
        Ok(())
    }

    /// Maximum number of games in the tournament.
    #[must_use]
    pub fn most_games(&self) -> u64 {
        let players = self.players.len() as u64;
        let matches = match self.format {
            Format::RoundRobin => players * (players - 1) / 2,
            Format::Gauntlet | Format::Knockout => players - 1,
            Format::Swiss => players / 2 * u64::from(self.rounds),
        };
        matches * u64::from(self.pairs) * 2
    }
}

fn player(
    written: WrittenPlayer,
    read: impl Fn(&str) -> Result<PlayerSpec, PlayerError>,
) -> Result<PlanEntry, PlanError> {
    let name = written.name.unwrap_or_else(|| written.spec.clone());
    let wrong = |reason: String| PlanError::Player {
        name: name.clone(),
        reason,
    };
    let spec = read(&written.spec);
    let spec = spec.map_err(|source| PlanError::Spec {
        name: name.clone(),
        spec: written.spec.clone(),
        source: Box::new(source),
    })?;
    let key = |key: &str| format!("player '{name}': {key}");
    let reset = time(&key("reset"), written.reset.as_deref())?.unwrap_or_default();
    let limit = time(&key("limit"), written.limit.as_deref())?;
    let bank = time(&key("bank"), written.bank.as_deref())?;
    let increment = time(&key("increment"), written.increment.as_deref())?;
    let clock = match (limit, bank, increment) {
        (None, None, None) => None,
        (Some(limit), None, None) if !limit.is_zero() => Some(TimeControl::Fixed(limit)),
        (None, Some(start), increment) if !start.is_zero() => Some(TimeControl::TimeBank {
            start,
            increment: increment.unwrap_or_default(),
        }),
        _ => {
            return Err(wrong(
                "invalid time control: expected limit, or bank with an optional increment, each \
                 above 0s"
                    .to_owned(),
            ));
        }
    };
    Ok(PlanEntry {
        name,
        spec,
        version: written.version,
        reset,
        clock,
    })
}

fn sprt(written: WrittenSprt) -> Result<Sprt, PlanError> {
    let WrittenSprt {
        elo0,
        elo1,
        alpha,
        beta,
    } = written;
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| value("sprt", error.to_string()))
}

/// Parses the duration of a key.
fn time(key: &str, text: Option<&str>) -> Result<Option<Duration>, PlanError> {
    let time = text.map(duration).transpose();
    time.map_err(|reason| value(key, reason))
}

fn within(key: &str, number: u64, range: std::ops::RangeInclusive<u64>) -> Result<(), PlanError> {
    if range.contains(&number) {
        return Ok(());
    }
    let (low, high) = (range.start(), range.end());
    Err(value(
        key,
        format!("{number} is out of range: expected {low} to {high}"),
    ))
}

fn value(key: &str, reason: impl Into<String>) -> PlanError {
    PlanError::Value {
        key: key.to_owned(),
        reason: reason.into(),
    }
}
