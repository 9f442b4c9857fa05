//! Match reports, as text and as JSON.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use serde::Serialize;

use crate::game::codes;
use crate::match_score::{MatchScore, Mean, Pair, elo, halves, margins, show};
use crate::matches::{Game, Match};

/// Report of a match in progress.
#[derive(Debug)]
pub struct Report<'a> {
    what: &'a Match,
    openings: String,
    tally: MatchScore,
    pairs: BTreeMap<usize, Pair>,
    /// First games of incomplete pairs.
    halves: BTreeMap<usize, Game>,
}

/// Result of a match as one JSON object. Values of both players list A first.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Names of the players.
    pub players: [String; 2],
    /// Source of the openings.
    pub openings: String,
    /// Seed of openings and random choices.
    pub seed: u64,
    /// Number of simultaneous games.
    pub jobs: usize,
    /// Number of pairs requested.
    pub wanted: usize,
    /// Number of games in complete pairs; all following fields are about these games.
    pub games: u32,
    /// Number of distinct games; a game with the same moves and the same first player is a repeat.
    pub distinct: usize,
    /// Games that A won, drew and lost.
    pub results: [u32; 3],
    /// Games that each player resigned.
    pub resigned: [u32; 2],
    /// Match score of A from 0 to 1.
    pub score: Option<f64>,
    /// Standard error of `score` over pairs.
    pub score_error: Option<f64>,
    /// Elo difference that corresponds to the score.
    pub elo: Option<f64>,
    /// Mean margin of A in points.
    pub margin: Option<f64>,
    /// Standard error of `margin`.
    pub margin_error: Option<f64>,
    /// Score of the side that moves first, from 0 to 1.
    pub first: Option<f64>,
    /// Mean time per move of each player, in seconds.
    pub seconds: [f64; 2],
    /// Time of the slowest move of each player, in seconds.
    pub slowest: [f64; 2],
    /// Complete pairs.
    pub pairs: Vec<PairSummary>,
}

/// JSON form of a pair.
#[derive(Clone, Debug, Serialize)]
pub struct PairSummary {
    /// Number of the pair, from 1.
    pub pair: usize,
    /// Score of A from 0 to 1.
    pub score: f64,
    /// Margin of A in both games, in points; `None` if a player resigned.
    pub margins: [Option<i32>; 2],
    /// Games as codes; A moves first in the first one.
    pub games: [String; 2],
}

impl<'a> Report<'a> {
    /// Creates the report of a match that has not started; `openings` names the source of the
    /// openings.
    #[must_use]
    pub fn new(what: &'a Match, openings: String) -> Self {
        Self {
            what,
            openings,
            tally: MatchScore::default(),
            pairs: BTreeMap::new(),
            halves: BTreeMap::new(),
        }
    }

    /// Adds a game; returns a line with the score if the game completes a pair.
    pub fn take(&mut self, game: Game) -> Option<String> {
        let Some(other) = self.halves.remove(&game.pair) else {
            self.halves.insert(game.pair, game);
            return None;
        };
        let number = game.pair;
        let mut both = [other, game];
        both.sort_by_key(|game| game.game);
        let pair = both.map(|game| game.played);
        self.tally.add(&pair);
        self.pairs.insert(number, pair);
        let [won, drawn, lost] = self.tally.results;
        Some(format!(
            "{:>4} of {} pairs: {} ({won} won, {drawn} drawn, {lost} lost), margin {}",
            self.tally.pairs(),
            self.what.openings.len(),
            show(self.tally.score(), 3, false),
            show(self.tally.margin(), 1, true)
        ))
    }

    /// Returns a complete pair by its number.
    #[must_use]
    pub fn pair(&self, number: usize) -> Option<&Pair> {
        self.pairs.get(&number)
    }

    /// Formats the report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let tally = &self.tally;
        let [a, b] = &self.what.players;
        let [won, drawn, lost] = tally.results;
        let mut out = String::new();
        let mut line = |name: &str, text: String| {
            writeln!(out, "{name:<9}{text}").expect("writing to a string cannot fail");
        };
        line("A", a.to_string());
        line("B", b.to_string());
        line(
            "games",
            format!("{} in {} pairs", tally.games(), tally.pairs()),
        );
        line("A", format!("{won} won, {drawn} drawn, {lost} lost"));
        line(
            "score",
            show(tally.score(), 3, false) + &elo_text(tally.score()),
        );
        line("margin", show(tally.margin(), 2, true));
        let first = tally.first();
        line(
            "first",
            first.map_or("-".into(), |first| {
                format!("{first:.3} for the player that moves first")
            }),
        );
        let [of_a, of_b] = tally.time.map(|time| {
            let slowest = time.slowest.as_secs_f64();
            format!("{:.4} s a move (slowest {slowest:.3} s)", time.mean())
        });
        // Results of other runs have no times.
        if tally.time.iter().any(|time| time.moves > 0) {
            line("time", format!("A {of_a}, B {of_b}"));
        }
        if tally.resigned != [0, 0] {
            let [by_a, by_b] = tally.resigned;
            line(
                "resigned",
                format!("{by_a} by A, {by_b} by B; not in the margin"),
            );
        }
        if !self.halves.is_empty() {
            let text = format!("{} games of incomplete pairs", self.halves.len());
            line("left out", text);
        }
        let repeats = tally.games() as usize - self.distinct();
        if repeats > 0 {
            let text = format!("{repeats} games with the moves of an earlier one");
            line("repeats", text);
        }
        line(
            "settings",
            format!(
                "openings {}, seed {}, {} jobs",
                self.openings, self.what.seed, self.what.jobs
            ),
        );
        out
    }

    /// Returns the number of distinct games in complete pairs.
    fn distinct(&self) -> usize {
        let game = |game: usize| {
            let games = self.pairs.values().map(move |pair| &pair[game].moves);
            games.collect::<HashSet<_>>().len()
        };
        game(0) + game(1)
    }

    /// Returns the report as data for JSON.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let tally = &self.tally;
        let (score, margin) = (tally.score(), tally.margin());
        let pair = |(number, pair): (&usize, &Pair)| PairSummary {
            pair: number + 1,
            score: f64::from(halves(pair).iter().sum::<u32>()) / 4.0,
            margins: margins(pair),
            games: [0, 1].map(|game| codes(&pair[game].moves)),
        };
        Summary {
            players: [0, 1].map(|side| self.what.players[side].to_string()),
            openings: self.openings.clone(),
            seed: self.what.seed,
            jobs: self.what.jobs,
            wanted: self.what.openings.len(),
            games: tally.games(),
            distinct: self.distinct(),
            results: tally.results,
            resigned: tally.resigned,
            score: score.map(|score| score.value),
            score_error: score.and_then(|score| score.error),
            elo: score.and_then(|score| elo(score.value)),
            margin: margin.map(|margin| margin.value),
            margin_error: margin.and_then(|margin| margin.error),
            first: tally.first(),
            seconds: tally.time.map(|time| time.mean()),
            slowest: tally.time.map(|time| time.slowest.as_secs_f64()),
            pairs: self.pairs.iter().map(pair).collect(),
        }
    }
}

/// Formats a game as a line of a list of codes, with a comment.
#[must_use]
pub fn record(game: &Game) -> String {
    let played = &game.played;
    let [first, second] = if game.game == 0 {
        ['A', 'B']
    } else {
        ['B', 'A']
    };
    let [left, right] = played.score;
    let resigned = match played.resigned {
        Some(player) => format!(", {} resigned", [first, second][player.index()]),
        None => String::new(),
    };
    format!(
        "{}  # pair {}, {first}:{second} {left}:{right}{resigned}",
        codes(&played.moves),
        game.pair + 1
    )
}

/// Formats the score in Elo, with the ends of its error interval.
fn elo_text(score: Option<Mean>) -> String {
    let Some(Mean { value, error }) = score else {
        return String::new();
    };
    let ends = error.and_then(|error| elo(value - error).zip(elo(value + error)));
    match (elo(value), ends) {
        (Some(middle), Some((low, high))) => {
            format!(" ({middle:+.0} Elo, {low:+.0} to {high:+.0})")
        }
        (Some(middle), None) => format!(" ({middle:+.0} Elo)"),
        (None, _) => String::new(),
    }
}
