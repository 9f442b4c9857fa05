//! Simulated hardware and its twin, as this crate sees them.

use std::fmt;

use duoforge_rules::{Move, Placement};

/// Simulation of the pattern player and its twin, which lie above this crate.
pub trait HardwareModel: fmt::Debug + Send + Sync {
    /// Follows a game to a decision of the player and compares it. `stops` is polled.
    ///
    /// # Errors
    /// A sentence: a missing simulator, for example.
    fn compare(
        &self,
        decision: &Decision,
        stops: &dyn Fn() -> bool,
    ) -> Result<HardwareOutcome, String>;

    /// Command that writes the waveform of a decision.
    fn waveform(&self, decision: &Decision) -> String;
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
}

/// Decision of the hardware, or of its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Own legal placements with their scores.
    pub placements: Vec<(Placement, u16)>,
    /// Reply: the code of the move.
    pub reply: String,
    /// Cycles from the prompt to the decision.
    pub cycles: u32,
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
}

/// Result of following a game.
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
