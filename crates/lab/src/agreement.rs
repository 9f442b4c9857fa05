//! Agreement of a search with a stronger player, position by position.
//!
//! A match shows which player is stronger, but needs a hundred games to distinguish 0.5 from 0.6.
//! Here each position of a game is one sample, and the searches are compared on the same positions,
//! which reduces the variance. Agreement does not show whether another placement is equally good.
//! Confirm a gain with a match.

use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::{Search, SearchSettings};

use crate::training_games::all_choices;

/// Agreement of a search with recorded moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Number of positions.
    pub positions: u32,
    /// Positions in which the best placement of the search was the recorded one.
    pub first: u32,
    /// Positions in which the tree contained the recorded placement.
    pub kept: u32,
    /// Cross-entropy of the visit distribution in bits, summed over positions. The share of a
    /// placement is computed with one visit added to each placement.
    pub bits: f64,
}

impl Agreement {
    /// Adds a position in which the player chose `chosen`.
    pub fn ask(&mut self, settings: &SearchSettings, board: &DuoBoard, chosen: Move) {
        let Move::Place(chosen) = chosen else {
            return;
        };
        let mut search = Search::new(settings.parameters.clone(), settings.seed);
        let lines = settings.run(&mut search, board).lines;
        if lines.len() < 2 {
            return;
        }
        let found = lines.iter().position(|line| line.placement == chosen);
        let visits = found.map_or(0, |i| lines[i].visits);
        let all: u32 = lines.iter().map(|line| line.visits).sum();
        let share = f64::from(visits + 1) / f64::from(all + lines.len() as u32);
        self.positions += 1;
        self.first += u32::from(found == Some(0));
        self.kept += u32::from(found.is_some());
        self.bits -= share.log2();
    }

    /// Adds every `step`-th position of the games in which a player chose a move. Each game comes
    /// with its number of opening plies, which no player chose. Ends before the next position if
    /// `stop` returns true.
    pub fn over(
        games: &[(usize, Vec<Move>)],
        settings: &SearchSettings,
        step: usize,
        stop: impl Fn() -> bool,
    ) -> Self {
        let mut agreement = Self::default();
        for (board, mv) in all_choices(games).skip(step - 1).step_by(step) {
            if stop() {
                break;
            }
            agreement.ask(settings, &board, mv);
        }
        agreement
    }

    /// Formats the result as one line.
    pub fn line(&self) -> String {
        let n = f64::from(self.positions.max(1));
        format!(
            "{} positions: {:.3} first, {:.3} in the tree, {:.3} bits",
            self.positions,
            f64::from(self.first) / n,
            f64::from(self.kept) / n,
            self.bits / n,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_agrees_with_itself_and_not_with_the_last_of_its_placements() {
        let settings: SearchSettings = "sims=100,children=8".parse().expect("settings");
        let mut search = Search::new(settings.parameters.clone(), settings.seed);
        let board = DuoBoard::duo();
        let lines = settings.run(&mut search, &board).lines;
        let mut same = Agreement::default();
        same.ask(&settings, &board, Move::Place(lines[0].placement));
        assert_eq!((same.positions, same.first, same.kept), (1, 1, 1));
        let share = f64::from(lines[0].visits + 1) / 108.0;
        assert!((same.bits + share.log2()).abs() < 1e-9);
        let mut last = Agreement::default();
        last.ask(&settings, &board, Move::Place(lines[7].placement));
        assert_eq!((last.positions, last.first, last.kept), (1, 0, 1));
        assert!(last.bits > same.bits);
    }
}
