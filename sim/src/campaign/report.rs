//! Result of a campaign.

use std::time::Duration;

use super::GameReport;
use crate::backend::Backend;

/// Result of a campaign.
#[derive(Clone, Debug)]
pub struct Report {
    /// Simulator.
    pub backend: Backend,
    /// Report of each game, in the order of the games.
    pub games: Vec<GameReport>,
    /// Wall-clock time, excluding the time to build the model.
    pub wall: Duration,
}

impl Report {
    /// Returns the number of move prompts whose replies were compared.
    pub fn plies(&self) -> u64 {
        self.games.iter().map(|game| game.plies).sum()
    }

    /// Returns the number of compared legal sets, of both sides.
    pub fn legal_sets(&self) -> u64 {
        self.games.iter().map(|game| game.legal_sets).sum()
    }

    /// Returns the number of games with a mismatch.
    pub fn mismatches(&self) -> usize {
        self.games
            .iter()
            .filter(|game| game.mismatch.is_some())
            .count()
    }

    /// Returns the simulated cycles of all games.
    pub fn cycles(&self) -> u64 {
        self.games.iter().map(|game| game.cycles).sum()
    }

    /// Returns the simulated cycles per second of wall-clock time.
    pub fn cycles_per_second(&self) -> f64 {
        self.cycles() as f64 / self.wall.as_secs_f64().max(1e-9)
    }

    /// Returns the longest reply delay of all plies in cycles: from the last stop bit of the prompt
    /// to the first start bit of the reply.
    pub fn longest_delay(&self) -> u64 {
        self.games
            .iter()
            .map(|game| game.longest_delay)
            .max()
            .unwrap_or(0)
    }
}
