//! What placements cost that searches choose, in the eyes of a stronger program.
//!
//! Whether a search finds what the stronger one chose says little where several placements are as good. So the
//! stronger one also tells what the position is worth after each; a placement's cost is how much less that is
//! than after its own choice. A few hundred positions tell searches apart for which hundreds of games would be
//! needed, as long as one trusts that program; what looks good here is to be confirmed by a match.

use std::collections::HashMap;

use anyhow::{Context, Result};
use duoforge_arena::GtpMover;
use duoforge_engine::search::{Search, Settings};
use duoforge_rules::{DuoBoard, Move};

use crate::examples::all_choices;
use crate::tally::{Mean, show};

/// The most that a placement is taken to cost where costs are limited: a few large ones drown all others.
pub const MOST: f64 = 0.12;

/// The most that a placement is taken to gain over the stronger program's own choice.
pub const LEAST: f64 = -0.03;

/// A program that chooses placements and tells what they are worth, as [`GtpMover::judge`] asks for it. What it
/// said of a position is kept.
#[derive(Debug)]
pub struct Reference {
    program: GtpMover,
    choices: HashMap<Vec<Move>, (Move, f64)>,
}

impl Reference {
    /// Starts the program of a command line.
    ///
    /// # Errors
    /// That it cannot be started, or does not speak the protocol.
    pub fn start(words: &[String]) -> Result<Self> {
        Ok(Self {
            program: GtpMover::start(words)?,
            choices: HashMap::new(),
        })
    }

    /// What it chooses in a position in which something can be placed, and what the position is then worth for
    /// who does so: 0 is lost, and 1 won.
    fn choice(&mut self, board: &DuoBoard) -> Result<(Move, f64)> {
        if let Some(&known) = self.choices.get(board.moves()) {
            return Ok(known);
        }
        let choice = self.program.judge(board)?;
        self.choices.insert(board.moves().to_vec(), choice);
        Ok(choice)
    }

    /// What a placement is worth for who makes it: the other player's best reply, after a search of its own.
    /// `None` where the other one cannot place anything.
    fn worth(&mut self, board: &DuoBoard, turn: Move) -> Result<Option<f64>> {
        let mut after = board.clone();
        after.play(turn).context("a choice breaks the rules")?;
        if after.count_legal() == 0 {
            return Ok(None);
        }
        Ok(Some(1.0 - self.choice(&after)?.1))
    }
}

/// What the placements cost that one search chose, position by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs(Vec<Option<f64>>);

impl Costs {
    /// Asks about every `step`-th position of games, after the plies that were drawn and up to `last` plies; near
    /// the end most placements lose or win alike.
    ///
    /// # Errors
    /// A reference that fails.
    pub fn over(
        games: &[(usize, Vec<Move>)],
        settings: &Settings,
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

    /// What a placement costs on average; nothing where nobody could tell.
    pub fn mean(&self) -> Option<Mean> {
        Mean::of(&self.known())
    }

    fn known(&self) -> Vec<f64> {
        self.0.iter().copied().flatten().collect()
    }

    /// A line of text, compared with what the same positions cost another search.
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

/// What the choice of a search costs; `None` where nobody can tell.
fn cost(board: &DuoBoard, settings: &Settings, reference: &mut Reference) -> Result<Option<f64>> {
    let (best, _) = reference.choice(board)?;
    let mut search = Search::new(settings.parameters.clone(), settings.seed);
    let lines = settings.think(&mut search, board).lines;
    let chosen = Move::Place(lines[0].placement);
    let (Some(best), Some(chosen)) = (
        reference.worth(board, best)?,
        reference.worth(board, chosen)?,
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
        // By 0.10, 0, and -0.01.
        let line = second.line(&first);
        assert!(
            line.ends_with("+0.0300 +- 0.0351 better than the first"),
            "{line}"
        );
    }
}
