//! Regret: value lost by the choices of a search, by the judgement of a stronger program.
//!
//! Agreement with the stronger program means little if several placements are equally good. The
//! program therefore also evaluates the position after each choice. The regret of a placement is
//! the value of the program's own choice minus the value of the placement. A few hundred positions
//! separate searches that would otherwise need hundreds of games, provided that the program's
//! judgement is right. Confirm a gain with a match.

use std::collections::HashMap;

use anyhow::{Context, Result};
use duoforge_players::GtpMover;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::{Search, SearchSettings};

use crate::match_score::{Mean, show};
use crate::training_games::all_choices;

/// Upper limit of the limited regret: without it, a few large values dominate the variance.
pub const MOST: f64 = 0.12;

/// Lower limit of the limited regret, for placements that the program values more than its own
/// choice.
pub const LEAST: f64 = -0.03;

/// Reference program that chooses and evaluates placements by [`GtpMover::judge`]. Results are
/// cached by position.
#[derive(Debug)]
pub struct Reference {
    program: GtpMover,
    choices: HashMap<Vec<Move>, (Move, f64)>,
}

impl Reference {
    /// Starts the program of a command line.
    ///
    /// # Errors
    /// The program cannot be started, or does not speak the protocol.
    pub fn start(words: &[String]) -> Result<Self> {
        Ok(Self {
            program: GtpMover::start(words)?,
            choices: HashMap::new(),
        })
    }

    /// Returns the program's choice in a position with a legal placement, and the value for the
    /// side to move: 0 is a loss, 1 a win.
    fn choice(&mut self, board: &DuoBoard) -> Result<(Move, f64)> {
        if let Some(&known) = self.choices.get(board.moves()) {
            return Ok(known);
        }
        let choice = self.program.judge(board)?;
        self.choices.insert(board.moves().to_vec(), choice);
        Ok(choice)
    }

    /// Returns the value of a placement for the side that plays it: 1 minus the value of the
    /// opponent's best reply by a separate search. Returns `None` if the opponent has no legal
    /// placement.
    fn value_of(&mut self, board: &DuoBoard, mv: Move) -> Result<Option<f64>> {
        let mut after = board.clone();
        after.play(mv).context("a choice breaks the rules")?;
        if after.count_legal() == 0 {
            return Ok(None);
        }
        Ok(Some(1.0 - self.choice(&after)?.1))
    }
}

/// Regrets of the placements that one search chose, position by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs(Vec<Option<f64>>);

impl Costs {
    /// Evaluates every `step`-th position of games, after the opening plies and up to ply `last`.
    /// Near the end, most placements have the same value.
    ///
    /// # Errors
    /// A failure of the reference program.
    pub fn over(
        games: &[(usize, Vec<Move>)],
        settings: &SearchSettings,
        reference: &mut Reference,
        (step, last): (usize, usize),
        stop: impl Fn() -> bool,
    ) -> Result<Self> {
        let mut costs = Self::default();
        let worthwhile =
            all_choices(games).filter(|(board, _)| board.ply() <= last && board.count_legal() > 1);
        for (board, _) in worthwhile.skip(step - 1).step_by(step) {
            if stop() {
                break;
            }
            costs.0.push(cost(&board, settings, reference)?);
        }
        Ok(costs)
    }

    /// Returns the mean regret, or `None` without evaluated positions.
    pub fn mean(&self) -> Option<Mean> {
        Mean::of(&self.known())
    }

    fn known(&self) -> Vec<f64> {
        self.0.iter().copied().flatten().collect()
    }

    /// Formats the result as one line, with a comparison to another search on the same positions.
    pub fn line(&self, other: &Self) -> String {
        let limited = |cost: f64| cost.clamp(LEAST, MOST);
        let all = self.known();
        let most: Vec<f64> = all.iter().copied().map(limited).collect();
        let pairs = self.0.iter().zip(&other.0);
        let less = pairs.filter_map(|(own, other)| Some(limited((*other)?) - limited((*own)?)));
        let less: Vec<f64> = less.collect();
        format!(
            "{} positions: cost {}, limited {}, {} better than the first",
            all.len(),
            show(self.mean(), 4, false),
            show(Mean::of(&most), 4, false),
            show(Mean::of(&less), 4, true),
        )
    }
}

/// Returns the regret of a search's choice, or `None` if it cannot be evaluated.
fn cost(
    board: &DuoBoard,
    settings: &SearchSettings,
    reference: &mut Reference,
) -> Result<Option<f64>> {
    let (best, _) = reference.choice(board)?;
    let mut search = Search::new(settings.parameters.clone(), settings.seed);
    let lines = settings.run(&mut search, board).lines;
    let chosen = Move::Place(lines[0].placement);
    let (Some(best), Some(chosen)) = (
        reference.value_of(board, best)?,
        reference.value_of(board, chosen)?,
    ) else {
        return Ok(None);
    };
    Ok(Some(best - chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_limited_before_they_are_compared() {
        let first = Costs(vec![Some(0.5), Some(0.02), None, Some(-0.4)]);
        let second = Costs(vec![Some(0.02), Some(0.02), Some(0.1), Some(-0.02)]);
        assert_eq!(
            first.line(&first),
            "3 positions: cost 0.0400 +- 0.2600, limited 0.0367 +- 0.0441, +0.0000 +- 0.0000 better than the first"
        );
        // The second search is better by 0.10, 0 and -0.01.
        let line = second.line(&first);
        assert!(
            line.ends_with("+0.0300 +- 0.0351 better than the first"),
            "{line}"
        );
    }
}
