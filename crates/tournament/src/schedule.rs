//! Which games are played, as far as the results so far decide it.
//!
//! A schedule depends on the plan and on the results alone, never on the order in which games happened
//! to end: after an interruption it comes out the same.

use duoforge_rating::{Pairs, Verdict};

use crate::fixture::pair;
use crate::{Fixture, Format, Plan, Results, knockout, swiss};

/// The games of a tournament as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    fixtures: Vec<Fixture>,
    byes: Vec<Bye>,
    rounds: u32,
    complete: bool,
    /// The pair with which the test was decided.
    decided: Option<u32>,
}

/// A player without a rival in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// Index of the player.
    pub player: usize,
}

impl Schedule {
    /// The schedule of a plan, as far as these results take it.
    #[must_use]
    pub fn new(plan: &Plan, results: &Results) -> Self {
        let mut schedule = Self::default();
        schedule.advance(plan, results);
        schedule
    }

    /// The games so far, in the order of their numbers.
    #[must_use]
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    /// The players without a rival.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// Number of rounds so far.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The games that count: all, or those up to the decision of the test.
    pub fn counted(&self) -> impl Iterator<Item = &Fixture> {
        let last = self.decided.unwrap_or(u32::MAX);
        self.fixtures.iter().filter(move |game| game.pair <= last)
    }

    /// Whether no more games will be added.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether all games have been played that count.
    #[must_use]
    pub fn is_over(&self, results: &Results) -> bool {
        self.complete
            && self
                .counted()
                .all(|game| results.contains_key(&game.number))
    }

    /// Adds the games that further results decide.
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
            // These know all their games from the beginning.
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
                    // A pair with a game that nobody won or drew tells nothing.
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

/// The matches of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Who meets.
    pub matches: Vec<[usize; 2]>,
    /// Who has no rival.
    pub byes: Vec<usize>,
    /// Which openings are played, each in a pair of games.
    pub openings: std::ops::Range<u32>,
}

const fn all(rounds: Vec<Round>) -> Option<Vec<Round>> {
    Some(rounds)
}

/// Everybody against everybody, by the circle method: in each round everybody plays once. Rounds are
/// repeated with other openings, so that a tournament that is broken off is even as far as it went.
fn round_robin(plan: &Plan) -> Vec<Round> {
    let players = plan.players.len();
    // With an odd number one place of the circle is empty.
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

/// What each player won so far, in half points, counting a bye as a match that was won.
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
        // In a round robin everybody has as many, and in a knockout they do not matter.
        if plan.format == Format::Swiss {
            halves[bye.player] += plan.pairs * 4;
        }
    }
    halves
}
