//! Result of a search, and its progress.

use std::time::Duration;

use duoforge_rules::{Move, Placement};

/// Result of a search for one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxnResult {
    /// Best move; a pass only if no placement is legal.
    pub mv: Move,
    /// Visit count of the best move.
    pub visits: u32,
    /// Expected result of each seat after the best move, from 0 to 1: its share of the first place,
    /// with a smaller part for the margin. Empty if no simulation ran.
    pub values: Vec<f64>,
    /// Root moves, the best first, then by visit count and prior.
    pub candidates: Vec<RootCandidate>,
    /// Number of simulations.
    pub simulations: u64,
    /// Number of nodes in the tree.
    pub nodes: usize,
    /// True if the memory limit stopped the growth of the tree.
    pub is_full: bool,
    /// Time used.
    pub time: Duration,
}

/// Root move with its statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootCandidate {
    /// The placement.
    pub placement: Placement,
    /// Visit count.
    pub visits: u32,
    /// Prior, from 0 to 1.
    pub prior: f64,
    /// Mean value from 0 to 1 for the seat to move; includes the initial value and RAVE updates.
    pub value: f64,
}

/// State of a running search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxnProgress {
    /// Number of simulations so far.
    pub simulations: u64,
    /// Time so far.
    pub time: Duration,
    /// Best placement so far.
    pub best: Placement,
    /// Visit count of the best placement.
    pub visits: u32,
    /// Mean value of the best placement, from 0 to 1 for the seat to move.
    pub value: f64,
}
