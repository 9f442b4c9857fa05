//! What the games that have ended say.

use std::collections::BTreeMap;

use duoforge_journal::{Ended, GameResult, History};

/// A game that has ended. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// How it was decided.
    pub result: GameResult,
    /// One word for its ending.
    pub ending: String,
    /// Each player's score.
    pub score: [i32; 2],
    /// Cells that each player covers.
    pub squares: [u32; 2],
}

/// The games that have ended, by their numbers.
pub type Results = BTreeMap<u32, Played>;

impl Played {
    /// Half points of both players; none where nothing was decided.
    #[must_use]
    pub const fn halves(&self) -> Option<[u8; 2]> {
        match self.result {
            GameResult::One => Some([2, 0]),
            GameResult::Two => Some([0, 2]),
            GameResult::Draw => Some([1, 1]),
            GameResult::Open => None,
        }
    }

    /// Whether it was lost by breaking a rule of the game or of the line.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        !matches!(
            self.ending.as_str(),
            "both-passed" | "all-placed" | "resigned"
        )
    }
}

impl From<&Ended> for Played {
    fn from(ended: &Ended) -> Self {
        Self {
            result: ended.result,
            ending: ended.ending.clone(),
            score: ended.score,
            squares: ended.squares,
        }
    }
}

/// The results that a journal holds.
#[must_use]
pub fn results(history: &History) -> Results {
    let ended = history.ended();
    ended
        .map(|(game, ended)| (game.begun.game, Played::from(ended)))
        .collect()
}
