//! Comparisons of a decision.

use std::collections::BTreeSet;

use duoforge_rules::Move;
use duoforge_view::Version;
use serde::Serialize;
use utoipa::ToSchema;

use super::MoveView;
use crate::comparisons::Decided;

/// Number of placements of an answer, the best ones first.
const SHOWN: usize = 12;

/// Progress of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComparisonStatus {
    /// Another one runs.
    Waiting,
    /// In progress.
    Running,
    /// Finished.
    Done,
    /// Cancelled.
    Cancelled,
    /// The simulation could not run.
    Failed,
}

/// One decision of a game: of the device, of the twin, and of the emitted Verilog in simulation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Comparison {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Id.
    pub id: String,
    /// Progress.
    pub status: ComparisonStatus,
    /// Id of the game.
    pub game: String,
    /// Number of moves before the decision.
    pub ply: usize,
    /// Reason why the simulation could not run.
    pub reason: Option<String>,
    /// Move of the game; null if it has not been made.
    pub device: Option<DeviceView>,
    /// Decision of the twin; null before the end, and if an earlier ply differs.
    pub twin: Option<DecisionView>,
    /// Decision of the hardware.
    pub hardware: Option<DecisionView>,
    /// Differences, the first one first.
    pub differences: Vec<DifferenceView>,
    /// Command that writes the waveform of the decision.
    pub command: String,
}

/// Move of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeviceView {
    /// Code.
    pub reply: String,
    /// Number of legal placements by the rules.
    pub legal: u32,
    /// Time of the reply in microseconds.
    pub us: u64,
    /// Simulated time of the reply in microseconds.
    pub sim_us: Option<u64>,
}

impl DeviceView {
    /// Describes a move.
    pub fn new(played: &MoveView) -> Self {
        Self {
            reply: played.code.clone(),
            legal: played.legal,
            us: played.us,
            sim_us: played.sim_us,
        }
    }
}

/// Decision of the pattern player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DecisionView {
    /// Code of the chosen move.
    pub reply: String,
    /// Score of the chosen placement; null for a pass.
    pub score: Option<u16>,
    /// Number of legal placements.
    pub legal: usize,
    /// Legal placements that the other one does not have.
    pub only: Vec<String>,
    /// Cycles from the prompt to the decision.
    pub cycles: u32,
    /// The best placements, at most 12.
    pub best: Vec<ScoredView>,
}

/// Placement with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoredView {
    /// Code.
    pub code: String,
    /// Score.
    pub score: u16,
}

impl DecisionView {
    /// Describes a decision next to another one.
    pub fn new(decided: &Decided, other: &Decided) -> Self {
        let codes = |decided: &Decided| -> BTreeSet<String> {
            let all = decided.placements.iter();
            all.map(|(placement, _)| Move::Place(*placement).to_string())
                .collect()
        };
        let mut best: Vec<_> = decided
            .placements
            .iter()
            .map(|(placement, score)| ScoredView {
                code: Move::Place(*placement).to_string(),
                score: *score,
            })
            .collect();
        let chosen = best.iter().find(|it| it.code == decided.reply);
        let score = chosen.map(|it| it.score);
        // The order of the scan decides between equal scores.
        best.sort_by_key(|it| std::cmp::Reverse(it.score));
        best.truncate(SHOWN);
        Self {
            reply: decided.reply.clone(),
            score,
            legal: decided.placements.len(),
            only: codes(decided).difference(&codes(other)).cloned().collect(),
            cycles: decided.cycles,
            best,
        }
    }
}

/// Value that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DifferenceView {
    /// Number of moves before the decision.
    pub ply: usize,
    /// Name of the value.
    pub what: String,
    /// Value of the twin.
    pub twin: String,
    /// Value of the hardware.
    pub hardware: String,
    /// Value of the device, if it differs from both.
    pub device: Option<String>,
}
