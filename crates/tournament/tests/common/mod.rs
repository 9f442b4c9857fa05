//! Plans, results and journal histories made up for tables.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod four;
pub mod journals;

use std::collections::BTreeMap;

use duoforge_journal::{Begun, Ended, GameHistory, GameResult, Header, History, Kind};
use duoforge_tournament::{Fixture, Plan, Played, Report, Results, Schedule};

/// Plan with players P0, P1 and so on, which are never opened.
pub fn plan(format: &str, players: usize, rest: &str) -> Plan {
    let mut text = format!("event = \"Test\"\nformat = \"{format}\"\n{rest}\n");
    for number in 0..players {
        text += &format!("[[player]]\nname = \"P{number}\"\nspec = \"random:{number}\"\n");
    }
    Plan::read(&text).unwrap()
}

/// Result of a game.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub result: GameResult,
    pub ending: &'static str,
    /// Cells covered by players 1 and 2.
    pub cells_placed: [u32; 2],
}

/// Game with the most common ending.
pub const fn game(result: GameResult, cells_placed: [u32; 2]) -> Outcome {
    Outcome {
        result,
        ending: "both-passed",
        cells_placed,
    }
}

impl From<Outcome> for Played {
    fn from(outcome: Outcome) -> Self {
        Self {
            result: outcome.result,
            ending: outcome.ending.to_owned(),
            score: [0, 0],
            cells_placed: outcome.cells_placed,
        }
    }
}

/// Games on the schedule without a result.
pub fn open(schedule: &Schedule, results: &Results) -> Vec<Fixture> {
    let counted = schedule.counted().copied();
    counted
        .filter(|game| !results.contains_key(&game.number))
        .collect()
}

/// Pairings of a round, in the order of the schedule.
pub fn matches(schedule: &Schedule, round: u32) -> Vec<[usize; 2]> {
    let games = schedule.fixtures().iter();
    let games = games.filter(|game| game.round == round);
    let mut matches: Vec<[usize; 2]> = games.map(|game| game.players).collect();
    matches.dedup();
    matches
}

/// Byes of a round.
pub fn byes(schedule: &Schedule, round: u32) -> Vec<usize> {
    let byes = schedule.byes().iter();
    byes.filter(|bye| bye.round == round)
        .map(|bye| bye.player)
        .collect()
}

/// Plays the open games: the player in `winners` wins both games of its match.
pub fn win(plan: &Plan, schedule: &mut Schedule, results: &mut Results, winners: &[usize]) {
    for fixture in open(schedule, results) {
        let place = fixture
            .players
            .iter()
            .position(|player| winners.contains(player));
        let (result, cells_placed) = match place.expect("a winner for every match") {
            0 => (GameResult::One, [60, 50]),
            _ => (GameResult::Two, [50, 60]),
        };
        results.insert(fixture.number, game(result, cells_placed).into());
    }
    schedule.advance(plan, results);
}

/// History of a journal with these results: no moves, times of zero.
pub fn history(plan: &Plan, results: &Results) -> History {
    let schedule = Schedule::new(plan, results);
    let mut games = BTreeMap::new();
    for fixture in schedule.fixtures() {
        let Some(played) = results.get(&fixture.number) else {
            continue;
        };
        let names = fixture.players.map(|player| &plan.players[player].name[..]);
        let ended = Ended {
            game: fixture.number,
            attempt: 1,
            result: played.result,
            ending: played.ending.clone(),
            detail: String::new(),
            score: played.score,
            cells_placed: played.cells_placed,
            teams: [None, None],
            plies: 0,
            evidence: None,
            at_ms: 0,
        };
        games.insert(
            fixture.number,
            GameHistory {
                begun: Begun::new(fixture.number, 1, names),
                moves: Vec::new(),
                ended: Some(ended),
                annulled: Vec::new(),
                is_annulled: false,
            },
        );
    }
    History {
        casual: None,
        header: Header::new(Kind::Tournament, &*plan.event, ""),
        variant_games: Default::default(),
        games,
        finished: false,
        opened: 0,
        input_tests: Vec::new(),
    }
}

/// Report of a plan with these results.
pub fn report(plan: &Plan, results: &Results) -> Report {
    Report::new(plan, &history(plan, results))
}
