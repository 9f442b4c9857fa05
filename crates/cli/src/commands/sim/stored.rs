//! Games in a file of results: all of a report that a repetition reproduces.

use std::time::Duration;

use duoforge_shards::Plan;
use duoforge_sim::campaign::{Campaign, GAMES_PER_RESET, GameReport, Mismatch};
use duoforge_sim::gates::Technology;
use serde::{Deserialize, Serialize};

use crate::shards::VERSION;

/// Kind of the campaign in a file of results.
pub const CAMPAIGN: &str = "sim";

/// Game in a file of results.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGame {
    /// Seed of the game.
    pub seed: u64,
    /// Number of move prompts whose replies were compared.
    pub plies: u64,
    /// Number of compared legal sets.
    pub legal_sets: u64,
    /// Number of times that bytes were sent.
    pub exchanges: u64,
    /// Simulated cycles.
    pub cycles: u64,
    /// Longest reply delay in cycles.
    pub longest_delay: u64,
    /// Moves as four-letter codes.
    pub moves: Vec<String>,
    /// First mismatch.
    pub mismatch: Option<StoredMismatch>,
}

/// Mismatch in a file of results.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMismatch {
    ply: usize,
    request: String,
    what: String,
    twin: String,
    board: String,
}

/// Returns the plan of a campaign: all that its games depend on.
pub fn plan(campaign: &Campaign) -> Plan {
    let gates = campaign.gates.map(Technology::name);
    Plan::new(CAMPAIGN, VERSION, campaign.seed, campaign.games)
        .with_block(GAMES_PER_RESET)
        .with("backend", campaign.backend.name())
        .with("player", campaign.player.to_string())
        .with("gates", gates)
}

impl From<&GameReport> for StoredGame {
    fn from(game: &GameReport) -> Self {
        let mismatch = |it: &Mismatch| StoredMismatch {
            ply: it.ply,
            request: it.request.clone(),
            what: it.what.clone(),
            twin: it.twin.clone(),
            board: it.board.clone(),
        };
        Self {
            seed: game.seed,
            plies: game.plies,
            legal_sets: game.legal_sets,
            exchanges: game.exchanges,
            cycles: game.cycles,
            longest_delay: game.longest_delay,
            moves: game.codes.clone(),
            mismatch: game.mismatch.as_ref().map(mismatch),
        }
    }
}

impl From<StoredGame> for GameReport {
    fn from(game: StoredGame) -> Self {
        let mismatch = |it: StoredMismatch| Mismatch {
            ply: it.ply,
            request: it.request,
            what: it.what,
            twin: it.twin,
            board: it.board,
        };
        Self {
            seed: game.seed,
            plies: game.plies,
            legal_sets: game.legal_sets,
            exchanges: game.exchanges,
            cycles: game.cycles,
            longest_delay: game.longest_delay,
            codes: game.moves,
            mismatch: game.mismatch.map(mismatch),
            wave: None,
            wall: Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_as_they_were_stored() {
        let stored = StoredGame {
            seed: 8,
            plies: 3,
            legal_sets: 5,
            exchanges: 4,
            cycles: 9_000,
            longest_delay: 1_920,
            moves: vec!["65t2".into()],
            mismatch: Some(StoredMismatch {
                ply: 2,
                request: "25".into(),
                what: "the answer".into(),
                twin: "65t2".into(),
                board: "64t2".into(),
            }),
        };
        let text = serde_json::to_string(&stored).unwrap();
        let report = GameReport::from(serde_json::from_str::<StoredGame>(&text).unwrap());
        assert_eq!(StoredGame::from(&report), stored);
    }
}
