//! What placements cost that searches choose, in the eyes of a stronger program.
//!
//! Whether a search finds what the stronger one chose says little where several placements are as good. So the
//! stronger one also tells what the position is worth after each; a placement's cost is how much less that is
//! than after its own choice. A few hundred positions tell searches apart for which hundreds of games would be
//! needed, as long as one trusts that program; what looks good here is to be confirmed by a match.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result};
use duoforge_engine::search::{Search, Settings};
use duoforge_gtp::{Client, ClientError, Notation, write_colour};
use duoforge_rules::{DuoBoard, Move};

/// Time for an answer that needs no thought.
const ANSWER: Duration = Duration::from_secs(10);

/// Time for a choice.
const THINKING: Duration = Duration::from_secs(600);

/// The most that a placement is taken to cost where costs are limited: a few large ones drown all others.
pub const MOST: f64 = 0.12;

/// The most that a placement is taken to gain over the stronger program's own choice.
pub const LEAST: f64 = -0.03;

/// A program that chooses placements, and tells of each what it is worth: one with the commands `reg_genmove` and
/// `move_values`, as Pentobi has them.
#[derive(Debug)]
pub struct Reference {
    client: Client,
    choices: HashMap<Vec<Move>, (Move, f64)>,
}

impl Reference {
    /// Starts the program of a command line.
    ///
    /// # Errors
    /// That it cannot be started, or does not speak the protocol.
    pub fn start(words: &[String]) -> Result<Self, ClientError> {
        let mut client = Client::start(words)?;
        client.send("set_game Blokus Duo", ANSWER)?;
        Ok(Self {
            client,
            choices: HashMap::new(),
        })
    }

    /// What it chooses in a position in which something can be placed, and what the position is then worth for
    /// who does so: 0 is lost, and 1 won.
    fn choice(&mut self, board: &DuoBoard) -> Result<(Move, f64)> {
        if let Some(&known) = self.choices.get(board.moves()) {
            return Ok(known);
        }
        let notation = Notation::for_board(board);
        self.client.send("clear_board", ANSWER)?;
        for (ply, &turn) in board.moves().iter().enumerate() {
            let colour = ["b", "w"][ply % 2];
            let command = format!("play {colour} {}", notation.write(turn));
            self.client.send(&command, ANSWER)?;
        }
        let command = format!("reg_genmove {}", write_colour(board.to_move(), 2));
        let answer = self.client.send(&command, THINKING)?;
        let choice = notation
            .read(answer.trim())
            .map_err(|error| self.client.malformed(&command, &answer, error.to_string()))?;
        let list = self.client.send("move_values", ANSWER)?;
        let value = list.lines().find_map(|line| {
            let (values, cells) = line.split_once(']')?;
            let same = notation.read(cells.trim()).is_ok_and(|turn| turn == choice);
            let value = values.split_whitespace().nth(2).filter(|_| same)?;
            value.parse::<f64>().ok()
        });
        let value = value.ok_or_else(|| {
            let reason = format!("tells no value of {}", answer.trim());
            self.client.malformed("move_values", &list, reason)
        })?;
        self.choices.insert(board.moves().to_vec(), (choice, value));
        Ok((choice, value))
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
        let mut number = 0;
        for (drawn, turns) in games {
            let mut board = DuoBoard::duo();
            for (ply, &turn) in turns.iter().enumerate().take(last + 1) {
                if ply >= *drawn && board.count_legal() > 1 {
                    number += 1;
                    if number % step == 0 {
                        if stop() {
                            return Ok(costs);
                        }
                        costs.0.push(cost(&board, settings, reference)?);
                    }
                }
                board.play(turn).expect("games that were read are legal");
            }
        }
        Ok(costs)
    }

    /// What a placement costs on average, and the standard error of that.
    pub fn mean(&self) -> (f64, f64) {
        mean(&self.known())
    }

    fn known(&self) -> Vec<f64> {
        self.0.iter().copied().flatten().collect()
    }

    /// A line of text, compared with what the same positions cost another search.
    pub fn line(&self, other: &Self) -> String {
        let limited = |cost: f64| cost.clamp(LEAST, MOST);
        let all = self.known();
        let pairs = self.0.iter().zip(&other.0);
        let less = pairs.filter_map(|(own, other)| Some(limited((*other)?) - limited((*own)?)));
        let less: Vec<f64> = less.collect();
        let (cost, error) = self.mean();
        let (most, most_error) = mean(&all.iter().copied().map(limited).collect::<Vec<_>>());
        let (gain, gain_error) = mean(&less);
        format!(
            "{} positions: cost {cost:.4} +- {error:.4}, limited {most:.4} +- {most_error:.4}, {gain:+.4} +- \
             {gain_error:.4} better than the first",
            all.len()
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

/// A mean and its standard error.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, squares.sqrt() / n)
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
            "3 positions: cost 0.0400 +- 0.2123, limited 0.0367 +- 0.0360, +0.0000 +- 0.0000 better than the first"
        );
        // By 0.10, 0, and -0.01.
        let line = second.line(&first);
        assert!(
            line.ends_with("+0.0300 +- 0.0287 better than the first"),
            "{line}"
        );
    }
}
