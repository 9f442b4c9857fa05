//! Plan of a tournament of a variant: the TOML text, parsed and checked, and its games.

use std::collections::HashSet;
use std::time::Duration;

use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::REPLY_LIMIT;
use duoforge_rules::{GameVariant, VariantDefinition};
use serde::Deserialize;

use crate::plan::check::{GAMES, PLAYERS, value, within};
use crate::plan::text::{WrittenPlayer, one, player, seed, time};
use crate::{PlanEntry, PlanError};

/// Plan of a tournament of a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantPlan {
    /// Name of the event.
    pub event: String,
    /// Variant that is played.
    pub variant: GameVariant,
    /// Number of times that each group of players plays its games, at least one.
    pub rounds: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// Maximum number of concurrent games, at least one.
    pub concurrency: usize,
    /// Time limit of a reply for players without an individual time control.
    pub limit: Duration,
    /// Players, at least as many as the variant has seats.
    pub players: Vec<PlanEntry>,
}

/// Scheduled game of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantFixture {
    /// Number of the game, from 1.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Entry `i`: index in the plan of the player in seat `i`.
    pub seats: Vec<usize>,
}

/// Fields of the TOML text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    event: String,
    variant: toml::Value,
    #[serde(default = "one")]
    rounds: u32,
    #[serde(default = "seed")]
    seed: u64,
    #[serde(default = "one")]
    concurrency: u32,
    limit: Option<String>,
    #[serde(rename = "player")]
    players: Vec<WrittenPlayer>,
}

impl VariantPlan {
    /// True if a plan has the key `variant`: it is not the plan of a tournament of contest games.
    #[must_use]
    pub fn is_plan(text: &str) -> bool {
        let table = text.parse::<toml::Table>();
        table.is_ok_and(|table| table.contains_key("variant"))
    }

    /// Parses and checks a plan; `read` parses the players.
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
            variant: variant(written.variant)?,
            rounds: written.rounds,
            seed: written.seed,
            concurrency: written.concurrency as usize,
            limit: time("limit", written.limit.as_deref())?.unwrap_or(REPLY_LIMIT),
            players: players.collect::<Result<_, _>>()?,
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PlanError> {
        let seats = self.variant.seat_count() as u64;
        let players = self.players.len() as u64;
        within("number of players", players, seats..=PLAYERS as u64)?;
        within("rounds", self.rounds.into(), 1..=GAMES)?;
        within("concurrency", self.concurrency as u64, 1..=64)?;
        if self.limit.is_zero() {
            return Err(value("limit", "0s is out of range: expected more than 0s"));
        }
        if self.event.trim().is_empty() {
            return Err(value("event", "empty name: expected visible text"));
        }
        let games = self.game_count();
        if games > GAMES {
            let reason = format!("{games} games are out of range: expected at most {GAMES}");
            return Err(value("rounds", reason));
        }
        let mut names = HashSet::new();
        for entry in &self.players {
            let wrong = |reason: String| PlanError::Player {
                name: entry.name.clone(),
                reason,
            };
            if !names.insert(&entry.name) {
                let reason = "duplicate name: expected a different name for each player";
                return Err(wrong(reason.to_owned()));
            }
            if entry.name.trim().is_empty() || entry.name.chars().any(char::is_control) {
                let reason = "invalid name: expected one line of visible text";
                return Err(wrong(reason.to_owned()));
            }
            if entry.spec == PlayerSpec::Human || !entry.spec.plays(&self.variant) {
                return Err(wrong(format!(
                    "spec '{}' does not play {} in a tournament: expected random, greedy, \
                     maxn, bot:COMMAND, or gtp:COMMAND in duo, classic, classic-2 and classic-3",
                    entry.spec,
                    self.variant.name()
                )));
            }
        }
        Ok(())
    }

    /// Returns the number of games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        let (players, seats) = (self.players.len() as u64, self.variant.seat_count() as u64);
        let groups = (0..seats).fold(1, |count, i| count * players.saturating_sub(i) / (i + 1));
        groups * seats * u64::from(self.rounds)
    }

    /// Returns the games in the order of their numbers.
    #[must_use]
    pub fn fixtures(&self) -> Vec<VariantFixture> {
        let seats = self.variant.seat_count();
        let groups = groups(self.players.len(), seats);
        let rounds = (1..=self.rounds)
            .flat_map(|round| (0..seats).map(move |rotation| (round, rotation)))
            .flat_map(|cycle| groups.iter().map(move |group| (cycle, group)));
        let fixture = |(((round, rotation), group), number): (((u32, usize), &Vec<usize>), u32)| {
            let player = |seat: usize| group[(seat + rotation) % seats];
            VariantFixture {
                number,
                round,
                seats: (0..seats).map(player).collect(),
            }
        };
        rounds.zip(1..).map(fixture).collect()
    }
}

/// Returns the game of a number of a journal, or `None` if the plan has no such game.
pub(super) fn numbered(fixtures: &[VariantFixture], number: u32) -> Option<&VariantFixture> {
    let index = (number as usize).checked_sub(1)?;
    fixtures.get(index)
}

/// Returns all sets of `size` numbers below `count`, each in increasing order.
fn groups(count: usize, size: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new()];
    for _ in 0..size {
        let longer = groups.iter().flat_map(|group: &Vec<usize>| {
            let next = group.last().map_or(0, |last| last + 1);
            (next..count).map(|player| [&group[..], &[player]].concat())
        });
        groups = longer.collect();
    }
    groups
}

/// Returns the variant of a name or of a definition.
fn variant(written: toml::Value) -> Result<GameVariant, PlanError> {
    if let toml::Value::String(name) = &written {
        return GameVariant::named(name).cloned().ok_or_else(|| {
            let names: Vec<_> = GameVariant::BUILT_IN
                .iter()
                .map(|variant| variant.name().to_owned())
                .collect();
            let names = names.join(", ");
            value(
                "variant",
                format!("unknown variant '{name}': expected {names}, or a table that defines one"),
            )
        });
    }
    let definition = VariantDefinition::deserialize(written);
    let definition = definition.map_err(|error| value("variant", error.message()))?;
    GameVariant::new(&definition).map_err(|error| value("variant", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_all_sets_of_players() {
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(groups(4, 4), [[0, 1, 2, 3]]);
        assert_eq!((groups(6, 3).len(), groups(3, 1).len()), (20, 3));
    }
}
