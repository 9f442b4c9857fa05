//! Comparisons of a decision.

use std::collections::BTreeSet;

use duoforge_rules::Placement;
use duoforge_view::Version;
use serde::Serialize;
use utoipa::ToSchema;

use super::MoveView;
use crate::comparisons::{Decided, Searched};

/// Number of placements of an answer, the best ones first.
const SHOWN: usize = 12;

/// Progress of a comparison, or of a run of conformance checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobStatus {
    /// Another one runs.
    Waiting,
    /// In progress.
    Running,
    /// Finished.
    Done,
    /// Cancelled.
    Cancelled,
    /// The simulation could not run, or the device could not be opened.
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
    pub status: JobStatus,
    /// Id of the game.
    pub game: String,
    /// Number of moves before the decision.
    pub ply: usize,
    /// Hardware player.
    pub player: String,
    /// Number of simulations that ends the search; null for the pattern player.
    pub simulations: Option<u32>,
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

/// Decision of a hardware player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DecisionView {
    /// Code of the chosen move.
    pub reply: String,
    /// Score of the chosen placement, for a search its mean value from 0 to 65,535; null for a pass,
    /// and for the only choice of a search.
    pub score: Option<u16>,
    /// True if the score is the proven value of a search.
    pub proven: bool,
    /// Number of simulations; null for the pattern player.
    pub simulations: Option<u64>,
    /// Number of legal placements.
    pub legal: usize,
    /// Legal placements that the other one does not have.
    pub only: Vec<String>,
    /// Cycles from the prompt to the decision, or of the search; null for the twin of a search.
    pub cycles: Option<u64>,
    /// The best placements, at most 12; for a search those with the most visits.
    pub best: Vec<ScoredView>,
}

/// Placement with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoredView {
    /// Code.
    pub code: String,
    /// Score, for a search the mean value.
    pub score: u16,
    /// Visits of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u32>,
    /// Prior of a search in units of 2^-16; the hardware does not output it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<u32>,
    /// True if the score is the proven value of a search.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
}

impl ScoredView {
    /// Describes a placement of the pattern player.
    fn new(placement: Placement, score: u16) -> Self {
        Self {
            code: placement.to_string(),
            score,
            visits: None,
            prior: None,
            proven: false,
        }
    }
}

/// Codes of the placements that the other one does not have.
fn only(
    own: impl Iterator<Item = Placement>,
    other: impl Iterator<Item = Placement>,
) -> Vec<String> {
    let other: BTreeSet<_> = other.collect();
    let only: BTreeSet<_> = own.filter(|it| !other.contains(it)).collect();
    only.iter().map(ToString::to_string).collect()
}

impl DecisionView {
    /// Describes a decision next to another one.
    pub fn new(decided: &Decided, other: &Decided) -> Self {
        let placements = |decided: &Decided| -> Vec<_> {
            decided.placements.iter().map(|(it, _)| *it).collect()
        };
        let (own, other) = (placements(decided), placements(other));
        let mut best: Vec<_> = decided
            .placements
            .iter()
            .map(|(placement, score)| ScoredView::new(*placement, *score))
            .collect();
        let chosen = best.iter().find(|it| it.code == decided.reply);
        let score = chosen.map(|it| it.score);
        // The order of the scan decides between equal scores.
        best.sort_by_key(|it| std::cmp::Reverse(it.score));
        best.truncate(SHOWN);
        Self {
            reply: decided.reply.clone(),
            score,
            proven: false,
            simulations: None,
            legal: own.len(),
            only: only(own.into_iter(), other.into_iter()),
            cycles: Some(decided.cycles.into()),
            best,
        }
    }

    /// Describes a decision of a search next to another one.
    pub fn searched(searched: &Searched, other: &Searched) -> Self {
        let children = searched.children.iter().map(|child| ScoredView {
            visits: Some(child.visits),
            prior: child.prior,
            proven: child.proven,
            // A value has 16 bits.
            ..ScoredView::new(child.placement, child.value as u16)
        });
        let mut best: Vec<_> = children.collect();
        let chosen = best.iter().find(|it| it.code == searched.reply);
        let (score, proven) = (
            chosen.map(|it| it.score),
            chosen.is_some_and(|it| it.proven),
        );
        best.truncate(SHOWN);
        Self {
            reply: searched.reply.clone(),
            score,
            proven,
            simulations: Some(searched.simulations),
            legal: searched.legal.len(),
            only: only(searched.legal.iter().copied(), other.legal.iter().copied()),
            cycles: searched.cycles,
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
