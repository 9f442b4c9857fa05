//! Analyses.

use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::PositionRequest;

/// Progress of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisStatus {
    /// Waits for earlier analyses.
    Waiting,
    /// In progress.
    Running,
    /// Reached its limit.
    Done,
    /// Was cancelled.
    Cancelled,
}

/// Limit of an analysis: exactly one of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisLimit {
    /// Number of MCTS simulations, 1 to 10,000,000.
    Simulations(u64),
    /// Time in milliseconds, 10 to 60,000.
    Ms(u64),
}

/// Analyses in the order of their creation.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AnalysisList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// The analyses.
    pub analyses: Vec<Analysis>,
}

/// Analysis of a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Analysis {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Id.
    pub id: String,
    /// Progress.
    pub status: AnalysisStatus,
    /// Position.
    pub position: PositionRequest,
    /// Limit.
    pub limit: AnalysisLimit,
    /// Number of analyses before this one.
    pub queue: usize,
    /// Number of simulations so far.
    pub simulations: u64,
    /// Time so far in milliseconds.
    pub time_ms: u64,
    /// Expected result from 0 (loss) to 1 (win) for the side to move.
    pub value: Option<f64>,
    /// Mean margin of the best candidate in cells, for the side to move.
    pub margin: Option<f64>,
    /// Result of the endgame solver.
    pub solved: Option<SolvedView>,
    /// Candidates, the best one first; at most 64.
    pub candidates: Vec<CandidateView>,
}

/// Result of the endgame solver.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SolvedView {
    /// Best move.
    pub code: String,
    /// Margin in points for the side to move.
    pub margin: i32,
    /// True if the margin is exact, false if only the winner is proven.
    pub exact: bool,
}

/// Candidate of a search.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CandidateView {
    /// Canonical code.
    pub code: String,
    /// Action number.
    pub action: u32,
    /// Visit count.
    pub visits: u32,
    /// Prior from 0 to 1.
    pub prior: f64,
    /// Mean value from 0 to 1 for the side to move.
    pub value: f64,
    /// Win rate of the simulations from 0 to 1; a draw counts half.
    pub wins: Option<f64>,
    /// Mean margin of the simulations in cells, for the side to move.
    pub margin: Option<f64>,
    /// Principal variation as codes.
    pub moves: Vec<String>,
}
