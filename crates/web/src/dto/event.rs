//! Events: journals with more than one game, and their standings.

use duoforge_view::Version;
use serde::Serialize;
use utoipa::ToSchema;

use super::GameSummary;

/// Events, the newest first.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EventList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// The events.
    pub events: Vec<EventSummary>,
}

/// Numbers of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameCount {
    /// Games that ended and count.
    pub ended: usize,
    /// Games in progress, or interrupted.
    pub running: usize,
}

/// Event in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EventSummary {
    /// Id of the journal.
    pub id: String,
    /// Kind of event: `tournament`, `match`, `casual`.
    pub kind: String,
    /// Name of the event.
    pub name: String,
    /// Creation time in milliseconds since 1970.
    pub made_ms: u64,
    /// True if all games have been played.
    pub finished: bool,
    /// Numbers of games.
    pub games: GameCount,
    /// Number of records of the journal.
    pub records: u64,
    /// Reason why the journal cannot be followed any more; null for an intact one. No game of it
    /// counts as running.
    pub fault: Option<String>,
}

/// Event with standings and games.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EventView {
    /// Id of the journal.
    pub id: String,
    /// Kind of event: `tournament`, `match`, `casual`.
    pub kind: String,
    /// Name of the event.
    pub name: String,
    /// Creation time in milliseconds since 1970.
    pub made_ms: u64,
    /// True if all games have been played.
    pub finished: bool,
    /// Numbers of games, which a summary has as `games`.
    pub counts: GameCount,
    /// Number of records of the journal.
    pub records: u64,
    /// Reason why the journal cannot be followed any more; null for an intact one.
    pub fault: Option<String>,
    /// Name of the tie-break of a tournament; null for other events, where the margin breaks ties.
    pub tie_break: Option<&'static str>,
    /// Players, the best one first.
    pub standings: Vec<StandingView>,
    /// Points of each player against each other one.
    pub crosstable: Cross,
    /// Games, the newest first; at most 1000.
    pub games: Vec<GameSummary>,
    /// State of a tournament that this service plays, has played, or can resume; null for others.
    pub run: Option<RunView>,
}

/// State of a tournament that this service plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// In progress.
    Running,
    /// The games in progress are finished, and no other one begins.
    Stopping,
    /// Stopped before the end, also by the end of the service.
    Stopped,
    /// Stopped by a failure.
    Failed,
    /// All games have been played.
    Finished,
}

/// Tournament that this service plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RunView {
    /// State; a tournament that is `stopped` or `failed` can be resumed.
    pub status: RunStatus,
    /// Reason of a failure.
    pub reason: Option<String>,
    /// Messages to the operator, at most 20: players that are excluded or awaited, games that
    /// continue or restart.
    pub messages: Vec<String>,
}

impl RunView {
    /// Describes a tournament without messages.
    pub const fn new(status: RunStatus) -> Self {
        Self {
            status,
            reason: None,
            messages: Vec::new(),
        }
    }
}

/// Player of an event by its games so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct StandingView {
    /// Rank from 1; players whose tie cannot be broken share it.
    pub rank: usize,
    /// Name of the player.
    pub player: String,
    /// Number of games with a result.
    pub games: u32,
    /// Number of wins.
    pub wins: u32,
    /// Number of draws.
    pub draws: u32,
    /// Number of losses.
    pub losses: u32,
    /// Points: 1 for a win, 1/2 for a draw; a bye in a Swiss tournament counts as a won match.
    pub points: f64,
    /// Tie-break value for equal points; null if the event has no tie-break.
    pub tie_break: Option<f64>,
    /// Sum of the margins: own points minus those of the best opponent.
    pub margin: i64,
}

/// Crosstable. Rows and columns are in the order of `players`; null where two players have not met.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Cross {
    /// Names in the order of the standings.
    pub players: Vec<String>,
    /// Points of the row's player against the column's player.
    pub points: Vec<Vec<Option<f64>>>,
    /// Number of games of both players.
    pub games: Vec<Vec<Option<u32>>>,
}
