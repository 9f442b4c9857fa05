//! Checks of a plan: ranges, and rules that concern several fields.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use duoforge_players::PlayerSpec;

use super::{Format, Plan};
use crate::PlanError;

/// Maximum number of players.
pub(crate) const PLAYERS: usize = 256;

/// Maximum number of games, to detect typing errors.
pub(crate) const GAMES: u64 = 1_000_000;

/// Maximum number of plies of an opening. Longer openings may leave little to decide.
const OPENING: u32 = 12;

impl Plan {
    /// Checks the fields.
    ///
    /// # Errors
    /// [`PlanError::Value`] and [`PlanError::Player`].
    pub(super) fn check(&self) -> Result<(), PlanError> {
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
            (Format::Swiss, 0) => {
                let most = players - 1;
                let reason = format!(
                    "required for format swiss: expected 1 to {most} for {players} players"
                );
                return Err(value("rounds", reason));
            }
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
}

pub(crate) fn within(key: &str, number: u64, range: RangeInclusive<u64>) -> Result<(), PlanError> {
    if range.contains(&number) {
        return Ok(());
    }
    let (low, high) = (range.start(), range.end());
    Err(value(
        key,
        format!("{number} is out of range: expected {low} to {high}"),
    ))
}

/// Returns the error of a value.
pub(crate) fn value(key: &str, reason: impl Into<String>) -> PlanError {
    PlanError::Value {
        key: key.to_owned(),
        reason: reason.into(),
    }
}
