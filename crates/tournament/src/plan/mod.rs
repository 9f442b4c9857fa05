//! Plan of a tournament.

pub(crate) mod check;
pub(crate) mod text;

use std::time::Duration;

use duoforge_players::PlayerSpec;
use duoforge_rating::Sprt;
use duoforge_referee::TimeControl;
use serde::Deserialize;

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

impl Plan {
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
