//! TOML text of a plan.

use std::time::Duration;

use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::REPLY_LIMIT;
use duoforge_rating::Sprt;
use duoforge_referee::{TimeControl, duration};
use serde::Deserialize;

use super::check::value;
use super::{Evidence, Format, Plan, PlanEntry};
use crate::PlanError;

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
pub(crate) struct WrittenPlayer {
    name: Option<String>,
    spec: String,
    version: Option<String>,
    reset: Option<String>,
    limit: Option<String>,
    bank: Option<String>,
    increment: Option<String>,
}

pub(crate) const fn one() -> u32 {
    1
}

pub(crate) const fn seed() -> u64 {
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

    /// Parses and checks a plan for its schedule and standings, which depend on the names of the
    /// players alone: [`PlayerSpec::Pattern`] stands for a player that only another program knows,
    /// such as a simulator.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn read_schedule(text: &str) -> Result<Self, PlanError> {
        Self::read_with(text, |spec| Ok(spec.parse().unwrap_or(PlayerSpec::Pattern)))
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
}

pub(crate) fn player(
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
pub(crate) fn time(key: &str, text: Option<&str>) -> Result<Option<Duration>, PlanError> {
    let time = text.map(duration).transpose();
    time.map_err(|reason| value(key, reason))
}
