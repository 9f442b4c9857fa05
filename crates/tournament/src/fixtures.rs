//! Games of a schedule, and the points that their results give.

use std::collections::BTreeMap;

use duoforge_journal::History;
use duoforge_protocol::StartCell;
use duoforge_referee::{Seat, Setup};

use crate::{Format, Plan, Results};

/// Scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Number in the tournament, from 1.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Indices of players 1 and 2 in the plan.
    pub players: [usize; 2],
    /// Pair of the tournament, from 0; two successive games form a pair.
    pub pair: u32,
    /// Opening, from 0; the games of a pair have the same opening.
    pub opening: u32,
    /// First player and start cells.
    pub setup: Setup,
}

impl Fixture {
    /// Index of the player in `seat`.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> usize {
        self.players[seat as usize]
    }
}

/// Player without an opponent in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// Round, from 1.
    pub round: u32,
    /// Index of the player.
    pub player: usize,
}

/// Matches of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Players that meet.
    pub matches: Vec<[usize; 2]>,
    /// Players without an opponent.
    pub byes: Vec<usize>,
    /// Openings, each played in a pair of games.
    pub openings: std::ops::Range<u32>,
}

/// Players of the games that a journal records, by the numbers of the games.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedPlayers(BTreeMap<u32, [usize; 2]>);

impl RecordedPlayers {
    /// Reads the players of all games that a journal records. A player that is not in the plan has
    /// no index of the plan.
    pub(crate) fn of(plan: &Plan, history: &History) -> Self {
        let index = |name: &String| {
            let mut entries = plan.players.iter();
            let found = entries.position(|entry| entry.name == *name);
            found.unwrap_or(usize::MAX)
        };
        let games = history.games.iter();
        let players =
            games.map(|(&number, game)| (number, game.begun.players.each_ref().map(index)));
        Self(players.collect())
    }
}

/// Games, byes and rounds that a schedule holds so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fixtures {
    /// Games in the order of their numbers.
    pub games: Vec<Fixture>,
    /// Players without an opponent.
    pub byes: Vec<Bye>,
    /// Number of rounds.
    pub rounds: u32,
    /// Pair that decided the sequential test.
    pub decided: Option<u32>,
}

impl Fixtures {
    /// Games that count: all games, or those up to the decision of the sequential test.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Fixture> {
        let last = self.decided.unwrap_or(u32::MAX);
        self.games.iter().filter(move |game| game.pair <= last)
    }

    /// True if every game has a result.
    pub(crate) fn all_played(&self, results: &Results) -> bool {
        let mut games = self.games.iter();
        games.all(|game| results.contains_key(&game.number))
    }

    /// True if a round that is added now has the recorded players in all its recorded games.
    pub(crate) fn agrees(&self, round: &Round, recorded: &RecordedPlayers) -> bool {
        let mut next = self.clone();
        let held = next.games.len();
        next.add(vec![round.clone()]);
        let mut added = next.games[held..].iter();
        added.all(|game| match recorded.0.get(&game.number) {
            Some(players) => *players == game.players,
            None => true,
        })
    }

    /// Adds the games and byes of rounds.
    pub(crate) fn add(&mut self, rounds: Vec<Round>) {
        for round in rounds {
            self.rounds += 1;
            let number = self.rounds;
            self.byes.extend(round.byes.into_iter().map(|player| Bye {
                round: number,
                player,
            }));
            for opening in round.openings {
                for &players in &round.matches {
                    let games = pair(self.games.len(), number, players, opening);
                    self.games.extend(games);
                }
            }
        }
    }
}

/// Creates the two games of a pair. Each player moves first in one of them, from the same start
/// cell, so colours and start cells are swapped. The start cell of the first player alternates
/// between openings.
fn pair(after: usize, round: u32, players: [usize; 2], opening: u32) -> [Fixture; 2] {
    let from = if opening.is_multiple_of(2) {
        StartCell::Five
    } else {
        StartCell::A
    };
    let fixture = |second: bool| {
        let number = u32::try_from(after).expect("schedules are limited") + u32::from(second) + 1;
        Fixture {
            number,
            round,
            players,
            pair: (number - 1) / 2,
            opening,
            setup: if second {
                Setup {
                    first: Seat::Two,
                    start: from.other(),
                }
            } else {
                Setup {
                    first: Seat::One,
                    start: from,
                }
            },
        }
    };
    [fixture(false), fixture(true)]
}

/// Points of each player so far, in half points; a bye in a Swiss tournament counts as a won match.
pub(crate) fn halves(plan: &Plan, fixtures: &Fixtures, results: &Results) -> Vec<u32> {
    let mut halves = vec![0; plan.players.len()];
    for game in fixtures.counted() {
        let played = results.get(&game.number).and_then(|played| played.halves());
        if let Some(played) = played {
            for (player, won) in game.players.into_iter().zip(played) {
                halves[player] += u32::from(won);
            }
        }
    }
    for bye in &fixtures.byes {
        // In a round robin all players have equally many byes, and in a knockout byes give no
        // points.
        if plan.format == Format::Swiss {
            halves[bye.player] += plan.pairs * 4;
        }
    }
    halves
}
