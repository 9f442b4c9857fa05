//! Ladder: ratings of players over the games of many events.

mod gather;
mod results;
mod table;

use duoforge_journal::History;
use duoforge_rating::{Estimate, JointRating};
use serde::Serialize;

use crate::Cell;

pub use gather::{Gathered, JournalNotice, gather};
pub use results::games_by_variant;

/// Version of the ladder's JSON object. It rises whenever a field or its meaning changes.
pub const LADDER_VERSION: u32 = 2;

/// Number of virtual draws of each competitor against an opponent with rating 0.
pub const VIRTUAL_DRAWS: f64 = 1.0;

/// Unit of a ladder, which has one rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LadderUnit {
    /// Each version of a player.
    #[default]
    Version,
    /// Each player, with all its versions together.
    Player,
}

/// Player in one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Competitor {
    /// Name of the player.
    pub name: String,
    /// Version of the player: as declared, else its settings or the team code of its handshake.
    /// `None` if the journals record none, or if the ladder's unit is the player.
    pub version: Option<String>,
}

impl Competitor {
    /// Name, with the version in parentheses. A version that repeats the name is shortened.
    #[must_use]
    pub fn label(&self) -> String {
        let Some(version) = &self.version else {
            return self.name.clone();
        };
        let rest = version.strip_prefix(&self.name);
        match rest.and_then(|rest| rest.strip_prefix(", ").or(rest.is_empty().then_some(""))) {
            Some("") => self.name.clone(),
            Some(rest) => format!("{} ({rest})", self.name),
            None => format!("{} ({version})", self.name),
        }
    }
}

/// Ladder over the games of several events.
///
/// The ladder depends only on the contents of the journals: not on their files, nor on the order in
/// which they are read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ladder {
    /// Version of this object.
    pub version: u32,
    /// Name of the variant whose games are rated.
    pub variant: String,
    /// Number of seats of the variant. Each pair of seats of a game is one result.
    pub seats: u64,
    /// Unit that has a rating.
    pub unit: LadderUnit,
    /// Number of rated games.
    pub games: u64,
    /// Number of finished games without a result, which are not rated.
    pub open: u64,
    /// Number of results of a competitor against itself, which are not rated.
    pub self_play: u64,
    /// Events, the oldest one first.
    pub events: Vec<LadderEvent>,
    /// Competitors, the best one first.
    pub rungs: Vec<Rung>,
    /// Results of each competitor (row) against each other one (column), in the order of `rungs`.
    pub cross: Vec<Vec<Option<Cell>>>,
    /// Competitors that met, with the Elo difference from their games.
    pub meetings: Vec<HeadToHead>,
}

/// Event of a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LadderEvent {
    /// Id of the journal.
    pub id: String,
    /// Name of the event.
    pub name: String,
    /// Kind of event, such as `tournament` or `match`.
    pub kind: String,
    /// Creation time in milliseconds since 1970.
    pub made_ms: u64,
    /// True if all games of the event have been played.
    pub finished: bool,
    /// Number of rated games.
    pub games: u64,
}

/// Competitor on a ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rung {
    /// Rank from 1; competitors with equal Elo ratings share it.
    pub place: u32,
    /// Competitor.
    #[serde(flatten)]
    pub competitor: Competitor,
    /// Number of rated results: games, or with more than two seats pairs of seats.
    pub games: u64,
    /// Number of wins.
    pub won: u64,
    /// Number of draws.
    pub drawn: u64,
    /// Number of losses.
    pub lost: u64,
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// Elo rating over all games of all events, which count alike.
    pub elo: JointRating,
    /// Glicko-2 rating after the last event.
    pub rating: f64,
    /// Rating deviation after the last event.
    pub deviation: f64,
    /// Glicko-2 rating after each event in which the competitor played, the oldest one first.
    pub history: Vec<RungEvent>,
}

/// Event in which a competitor played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RungEvent {
    /// Index in the events of the ladder, from 0.
    pub event: usize,
    /// Number of rated results of the competitor.
    pub games: u64,
    /// Glicko-2 rating after the event.
    pub rating: f64,
    /// Rating deviation after the event.
    pub deviation: f64,
}

/// Two competitors that met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadToHead {
    /// Competitors; the better one of the ladder first.
    pub players: [Competitor; 2],
    /// Results of the first competitor.
    #[serde(flatten)]
    pub games: Cell,
    /// Elo difference of the first competitor to the second; treats games as independent.
    pub elo: Estimate,
}

impl Ladder {
    /// Creates the ladder of the games of a variant in these journals, in any order; the variant of
    /// contest games is `duo`. Of several copies of a journal, the one with the most finished games
    /// counts.
    #[must_use]
    pub fn new(histories: &[History], variant: &str, unit: LadderUnit) -> Self {
        table::ladder(histories, variant, unit)
    }
}
