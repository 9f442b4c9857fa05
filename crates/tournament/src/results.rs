//! Results of finished games.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_journal::{Ended, GameHistory, GameResult, History, Kind};

use crate::{Plan, Schedule};

/// Finished game. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Result of the game.
    pub result: GameResult,
    /// Keyword of the ending.
    pub ending: String,
    /// Score of each player.
    pub score: [i32; 2],
    /// Number of cells that each player covers.
    pub cells_placed: [u32; 2],
}

/// Finished games by their numbers.
pub type Results = BTreeMap<u32, Played>;

impl Played {
    /// Half points of both players; `None` for a game without a result.
    #[must_use]
    pub const fn halves(&self) -> Option<[u8; 2]> {
        match self.result {
            GameResult::One => Some([2, 0]),
            GameResult::Two => Some([0, 2]),
            GameResult::Draw => Some([1, 1]),
            GameResult::Open => None,
        }
    }

    /// True if the game was lost by a violation of the rules or the protocol.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        !matches!(
            self.ending.as_str(),
            "both-passed" | "all-placed" | "resigned"
        )
    }

    /// Returns the player, 0 or 1, that lost the game by a violation.
    #[must_use]
    pub fn violator(&self) -> Option<usize> {
        match self.result {
            _ if !self.is_violation() => None,
            GameResult::One => Some(1),
            GameResult::Two => Some(0),
            GameResult::Draw | GameResult::Open => None,
        }
    }
}

impl From<&Ended> for Played {
    fn from(ended: &Ended) -> Self {
        Self {
            result: ended.result,
            ending: ended.ending.clone(),
            score: ended.score,
            cells_placed: ended.cells_placed,
        }
    }
}

/// Games of the contest that have ended and count. If a sequential test has decided the event of the
/// journal, the games after the decision do not count, as in its report.
pub(crate) fn counted(history: &History) -> impl Iterator<Item = (&GameHistory, &Ended)> {
    let counted = decided(history);
    history.ended().filter(move |(game, _)| {
        let counted = counted.as_ref();
        counted.is_none_or(|counted| counted.contains(&game.begun.game))
    })
}

/// Numbers of the games that count, if the plan of the journal has a sequential test.
fn decided(history: &History) -> Option<BTreeSet<u32>> {
    if history.header.kind != Kind::Tournament {
        return None;
    }
    let plan = Plan::read_schedule(&history.header.plan).ok()?;
    plan.sprt.as_ref()?;
    let plan = plan.without_excluded(&history.input_tests);
    let schedule = Schedule::of_journal(&plan, history);
    Some(schedule.counted().map(|game| game.number).collect())
}

/// Returns the results in a journal.
#[must_use]
pub fn results(history: &History) -> Results {
    let ended = history.ended();
    ended
        .map(|(game, ended)| (game.begun.game, Played::from(ended)))
        .collect()
}
