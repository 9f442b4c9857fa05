//! Results of the players of a match of a variant.

use std::time::Duration;

use duoforge_journal::History;
use duoforge_referee::variant::VariantGame;
use duoforge_rules::Seat;
use serde::Serialize;

use crate::output::{Style, seconds};

/// Result of a match of a variant, by player in the order of the command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatTally {
    /// Number of games.
    pub games: u32,
    /// Results of the players.
    pub players: Vec<PlayerTally>,
}

/// Result of a player, summed over the games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerTally {
    /// Name of the player.
    pub name: String,
    /// First places; a place that `n` seats share counts `1/n`.
    pub firsts: f64,
    /// Entry `i`: number of games in place `i + 1`.
    pub places: Vec<u32>,
    /// Sum of the scores.
    pub score: i64,
    /// Sum of the covered cells.
    pub cells: u64,
    /// Number of games in which the player broke a rule.
    pub violations: u32,
    /// Maximum reply time in microseconds.
    pub slowest_us: u64,
}

/// Result of a seat in a game.
struct SeatLine {
    score: i32,
    place: u8,
    cells: u32,
    is_violation: bool,
    slowest_us: u64,
}

impl SeatTally {
    /// Creates the result before the first game.
    pub fn new(names: &[String]) -> Self {
        let player = |name: &String| PlayerTally {
            name: name.clone(),
            places: vec![0; names.len()],
            ..PlayerTally::default()
        };
        Self {
            games: 0,
            players: names.iter().map(player).collect(),
        }
    }

    /// Adds a game. Entry `i` of `seating` is the index of the player in seat `i`.
    pub fn add(&mut self, game: &VariantGame, seating: &[usize]) {
        let line = |seat: Seat| {
            let record = &game.seats[seat.index()];
            let fault = record.fault.as_ref();
            SeatLine {
                score: record.score,
                place: record.place,
                cells: record.cells,
                is_violation: fault.is_some_and(|fault| fault.kind.is_violation()),
                slowest_us: micros(game.slowest(seat)),
            }
        };
        let lines: Vec<_> = game.game.seats().map(line).collect();
        self.count(&lines, seating);
    }

    /// Adds the finished games of a journal, whose seating follows from the number of the game.
    pub fn add_history(&mut self, history: &History, seating: impl Fn(u32) -> Vec<usize>) {
        for (game, ended) in history.variant_games.ended() {
            let line = |(seat, it): (usize, &duoforge_journal::SeatEnded)| {
                let moves = game.moves.iter();
                let own = moves.filter(|moved| usize::from(moved.seat) == seat);
                SeatLine {
                    score: it.score,
                    place: it.place,
                    cells: it.cells,
                    is_violation: it.fault.as_deref().is_some_and(|word| word != "resigned"),
                    slowest_us: own.map(|moved| moved.us).max().unwrap_or(0),
                }
            };
            let lines: Vec<_> = ended.seats.iter().enumerate().map(line).collect();
            self.count(&lines, &seating(ended.game.saturating_sub(1)));
        }
    }

    fn count(&mut self, lines: &[SeatLine], seating: &[usize]) {
        self.games += 1;
        let firsts = lines.iter().filter(|line| line.place == 1).count();
        for (line, &player) in lines.iter().zip(seating) {
            let player = &mut self.players[player];
            if line.place == 1 {
                player.firsts += 1.0 / firsts as f64;
            }
            player.places[usize::from(line.place) - 1] += 1;
            player.score += i64::from(line.score);
            player.cells += u64::from(line.cells);
            player.violations += u32::from(line.is_violation);
            player.slowest_us = player.slowest_us.max(line.slowest_us);
        }
    }

    /// True if a player broke a rule.
    pub fn has_violation(&self) -> bool {
        self.players.iter().any(|player| player.violations > 0)
    }

    /// Formats the result with a row for each player. Cells and scores are those of one game, or
    /// means over several games.
    pub fn table(&self, style: Style) -> String {
        let mut head: Vec<String> = ["", "player", "firsts"].map(str::to_owned).into();
        head.extend((1..=self.players.len()).map(|place| format!("place {place}")));
        head.extend(["cells", "score", "slowest reply"].map(str::to_owned));
        let mean = |sum: f64| match self.games {
            0 => "-".to_owned(),
            1 => format!("{sum}"),
            games => format!("{:.1}", sum / f64::from(games)),
        };
        let row = |(player, number): (&PlayerTally, usize)| {
            let mut row = vec![
                number.to_string(),
                player.name.clone(),
                format!("{:.2}", player.firsts),
            ];
            row.extend(player.places.iter().map(u32::to_string));
            row.push(mean(player.cells as f64));
            row.push(mean(player.score as f64));
            row.push(seconds(Duration::from_micros(player.slowest_us)));
            row
        };
        let mut rows = vec![head];
        rows.extend(self.players.iter().zip(1..).map(row));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..rows[0].len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<String> = cells
                .map(|(column, (text, &width))| match column {
                    0 | 1 => format!("{text:<width$}"),
                    _ => format!("{text:>width$}"),
                })
                .collect();
            cells.join("  ")
        };
        let mut lines: Vec<String> = rows.iter().map(line).collect();
        lines[0] = style.paint("1", &lines[0]);
        lines.join("\n")
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_first_places_are_divided_and_players_move_between_seats() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let mut tally = SeatTally::new(&names);
        let line = |score, place| SeatLine {
            score,
            place,
            cells: 10,
            is_violation: false,
            slowest_us: 5,
        };
        tally.count(&[line(-3, 1), line(-3, 1), line(-9, 3)], &[0, 1, 2]);
        tally.count(&[line(-3, 1), line(-4, 2), line(-9, 3)], &[1, 2, 0]);
        let firsts: Vec<_> = tally.players.iter().map(|it| it.firsts).collect();
        assert_eq!(firsts, [0.5, 1.5, 0.0]);
        assert_eq!(tally.players[0].places, [1, 0, 1]);
        assert_eq!(tally.players[2].score, -13);
        let style = Style {
            colour: false,
            unicode: true,
            terminal: false,
        };
        let expected = [
            "   player  firsts  place 1  place 2  place 3  cells  score  slowest reply",
            "1  a         0.50        1        0        1   10.0   -6.0           5 µs",
            "2  b         1.50        2        0        0   10.0   -3.0           5 µs",
            "3  c         0.00        0        1        1   10.0   -6.5           5 µs",
        ];
        assert_eq!(tally.table(style), expected.join("\n"));
    }
}
