//! Schedule of a tournament, as determined by the results so far.
//!
//! A schedule depends only on the plan and the results, never on the order in which games end.
//! After an interruption it is the same.

use duoforge_rating::{Pairs, Verdict};

use crate::fixture::pair;
use crate::{Fixture, Format, Plan, Results, knockout, swiss};

/// Games of a tournament that are known so far.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    fixtures: Vec<Fixture>,
    byes: Vec<Bye>,
    rounds: u32,
    complete: bool,
    /// Pair that decided the sequential test.
    decided: Option<u32>,
}

/// Player without an opponent in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// Round, from 1.
    pub round: u32,
    /// Index of the player.
    pub player: usize,
}

impl Schedule {
    /// Creates the schedule of a plan for these results.
    #[must_use]
    pub fn new(plan: &Plan, results: &Results) -> Self {
        let mut schedule = Self::default();
        schedule.advance(plan, results);
        schedule
    }

    /// Games so far, in the order of their numbers.
    #[must_use]
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    /// Players without an opponent.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// Number of rounds so far.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Games that count: all games, or those up to the decision of the sequential test.
    pub fn counted(&self) -> impl Iterator<Item = &Fixture> {
        let last = self.decided.unwrap_or(u32::MAX);
        self.fixtures.iter().filter(move |game| game.pair <= last)
    }

    /// True if no more games will be added.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// True if all games that count have been played.
    #[must_use]
    pub fn is_over(&self, results: &Results) -> bool {
        self.complete
            && self
                .counted()
                .all(|game| results.contains_key(&game.number))
    }

    /// Adds the games that new results determine.
    pub fn advance(&mut self, plan: &Plan, results: &Results) {
        while !self.complete && self.all_played(results) {
            let next = match plan.format {
                Format::RoundRobin => all(round_robin(plan)),
                Format::Gauntlet => all(gauntlet(plan)),
                Format::Swiss => swiss::round(plan, self, results),
                Format::Knockout => knockout::round(plan, self, results),
            };
            let Some(next) = next else {
                self.complete = true;
                break;
            };
            self.add(plan, next);
            // These formats know all games from the beginning.
            self.complete = matches!(plan.format, Format::RoundRobin | Format::Gauntlet);
        }
        if let Some(sprt) = &plan.sprt
            && self.decided.is_none()
        {
            let mut pairs = Pairs::default();
            self.decided = self
                .fixtures
                .chunks(2)
                .map_while(|games| {
                    let played = games.iter().map(|game| results.get(&game.number));
                    let played: Vec<_> = played.collect::<Option<_>>()?;
                    let halves = played.iter().map(|game| game.halves());
                    // A pair with an undecided game is not counted.
                    if let Some(halves) = halves.collect::<Option<Vec<_>>>() {
                        pairs.add(halves.iter().map(|halves| halves[0]).sum());
                    }
                    Some((games[0].pair, sprt.judge(&pairs).verdict))
                })
                .find(|(_, verdict)| *verdict != Verdict::Undecided)
                .map(|(pair, _)| pair);
        }
    }

    fn all_played(&self, results: &Results) -> bool {
        let mut games = self.fixtures.iter();
        games.all(|game| results.contains_key(&game.number))
    }

    fn add(&mut self, plan: &Plan, rounds: Vec<Round>) {
        for round in rounds {
            self.rounds += 1;
            let number = self.rounds;
            self.byes.extend(round.byes.into_iter().map(|player| Bye {
                round: number,
                player,
            }));
            for opening in round.openings {
                for &players in &round.matches {
                    let games = pair(self.fixtures.len(), number, players, opening);
                    self.fixtures.extend(games);
                }
            }
        }
        debug_assert!(self.fixtures.len() as u64 <= plan.most_games());
    }
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

const fn all(rounds: Vec<Round>) -> Option<Vec<Round>> {
    Some(rounds)
}

/// Round robin by the circle method: each player plays once per round. The rounds are repeated with
/// other openings, so an aborted tournament is balanced up to its last full cycle.
fn round_robin(plan: &Plan) -> Vec<Round> {
    let players = plan.players.len();
    // With an odd number of players one place of the circle is empty.
    let places = players.next_multiple_of(2);
    let mut rounds = Vec::new();
    for opening in 0..plan.pairs {
        for turn in 0..places - 1 {
            let at = |place: usize| match place {
                0 => 0,
                _ => 1 + (place - 1 + turn) % (places - 1),
            };
            let meet = (0..places / 2).map(|place| [at(place), at(places - 1 - place)]);
            let (matches, byes): (Vec<_>, Vec<_>) =
                meet.partition(|both| both.iter().all(|&player| player < players));
            let left = byes
                .into_iter()
                .flatten()
                .filter(|&player| player < players);
            rounds.push(Round {
                matches: matches.into_iter().map(sorted).collect(),
                byes: left.collect(),
                openings: opening..opening + 1,
            });
        }
    }
    rounds
}

/// The first player against all others.
fn gauntlet(plan: &Plan) -> Vec<Round> {
    let rounds = (0..plan.pairs).map(|opening| Round {
        matches: (1..plan.players.len()).map(|rival| [0, rival]).collect(),
        byes: Vec::new(),
        openings: opening..opening + 1,
    });
    rounds.collect()
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Points of each player so far, in half points; a bye in a Swiss tournament counts as a won match.
pub(crate) fn halves(plan: &Plan, schedule: &Schedule, results: &Results) -> Vec<u32> {
    let mut halves = vec![0; plan.players.len()];
    for game in schedule.counted() {
        let played = results.get(&game.number).and_then(|played| played.halves());
        if let Some(played) = played {
            for (player, won) in game.players.into_iter().zip(played) {
                halves[player] += u32::from(won);
            }
        }
    }
    for bye in schedule.byes() {
        // In a round robin all players have equally many byes, and in a knockout byes give no
        // points.
        if plan.format == Format::Swiss {
            halves[bye.player] += plan.pairs * 4;
        }
    }
    halves
}
