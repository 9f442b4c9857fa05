//! Simulated hardware and its twin, as this crate sees them.

use std::fmt;

use duoforge_rules::{Move, Placement};

/// Simulation of hardware players and their twins, which lie above this crate.
pub trait HardwareModel: fmt::Debug + Send + Sync {
    /// Reads the name of a hardware player, such as `pattern` or `search:lanes=1,nodes=63`.
    ///
    /// # Errors
    /// A sentence for another text.
    fn player(&self, text: &str) -> Result<HardwarePlayer, String>;

    /// Name of the hardware player that a profile of the operator simulates; `None` if it is
    /// unknown.
    fn player_of(&self, profile: &str) -> Option<String>;

    /// Compares a decision: follows the game to it on the pattern player, or searches its position.
    /// `stops` is polled.
    ///
    /// # Errors
    /// A sentence: a missing simulator, for example.
    fn compare(
        &self,
        decision: &Decision,
        stops: &dyn Fn() -> bool,
    ) -> Result<HardwareOutcome, String>;

    /// Command that writes the waveform of a decision, or of its first mismatch.
    fn waveform(&self, decision: &Decision, mismatch: Option<&Mismatch>) -> String;
}

/// Hardware player of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwarePlayer {
    /// Name that the model reads.
    pub name: String,
    /// Number of simulations that ends its search for a move; `None` for the pattern player.
    pub simulations: Option<u32>,
    /// True if it chooses by the position alone: without an opening book, and without a search in
    /// the opponent's time.
    pub searches_alone: bool,
}

/// Decision of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Moves of the game.
    pub moves: Vec<Move>,
    /// Number of moves before the decision.
    pub ply: usize,
    /// True if the player that moves first starts at (a,a).
    pub starts_at_a: bool,
    /// Name of the hardware player.
    pub player: String,
    /// Number of simulations that ends a search; `None` for the pattern player.
    pub simulations: Option<u32>,
}

/// Decision of the pattern player in hardware, or of its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Own legal placements with their scores.
    pub placements: Vec<(Placement, u16)>,
    /// Reply: the code of the move.
    pub reply: String,
    /// Cycles from the prompt to the decision.
    pub cycles: u32,
}

/// Decision of the search in hardware, or of its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Own legal placements.
    pub legal: Vec<Placement>,
    /// Children of the root, the chosen one first; empty if there is no choice.
    pub children: Vec<SearchedChild>,
    /// Code of the move.
    pub reply: String,
    /// Number of simulations.
    pub simulations: u64,
    /// Cycles of the search; `None` for the twin, which has no clock.
    pub cycles: Option<u64>,
}

/// Child of the root of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedChild {
    /// Placement.
    pub placement: Placement,
    /// Visit count.
    pub visits: u32,
    /// Mean value for the side to move, from 0 to 65,535.
    pub value: u32,
    /// Probability in units of 2^-16; `None` for the hardware, which does not output it.
    pub prior: Option<u32>,
    /// True if the value is proven.
    pub proven: bool,
}

/// Value in which hardware and twin differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Number of moves before the decision.
    pub ply: usize,
    /// Name of the value.
    pub what: String,
    /// Value of the twin.
    pub twin: String,
    /// Value of the hardware.
    pub hardware: String,
    /// Number of the first simulation that differs, from 0.
    pub simulation: Option<u64>,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HardwareOutcome {
    /// The decision was reached.
    Compared {
        /// Decision of the twin.
        twin: Decided,
        /// Decision of the hardware.
        hardware: Decided,
        /// First mismatch.
        mismatch: Option<Mismatch>,
    },
    /// The position was searched.
    Searched {
        /// Decision of the twin.
        twin: Searched,
        /// Decision of the hardware.
        hardware: Searched,
        /// First mismatch.
        mismatch: Option<Mismatch>,
    },
    /// The pattern player chooses another move than the game has at an earlier ply.
    Deviated {
        /// Number of moves before the deviation.
        ply: usize,
        /// Move of the pattern player.
        chosen: String,
    },
    /// Hardware and twin differ at an earlier ply.
    Mismatched(Mismatch),
    /// The comparison was cancelled.
    Stopped,
}

impl HardwareOutcome {
    /// First mismatch of hardware and twin.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match self {
            Self::Compared { mismatch, .. } | Self::Searched { mismatch, .. } => mismatch.as_ref(),
            Self::Mismatched(mismatch) => Some(mismatch),
            Self::Deviated { .. } | Self::Stopped => None,
        }
    }
}
