//! Schedule of a tournament, as determined by the results so far.
//!
//! A schedule depends only on the plan and the results, never on the order in which games end.
//! After an interruption it is the same. The rounds of a journal keep their pairings, also if an
//! earlier version of this program has paired them by another rule.

use duoforge_journal::History;
use duoforge_rating::{Pairs, Verdict};

use crate::fixtures::{Bye, Fixtures, RecordedPlayers};
use crate::pairing::{all_play, knockout, swiss};
use crate::{Fixture, Format, Plan, Progress, Results};

/// Games of a tournament that are known so far.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    fixtures: Fixtures,
    complete: bool,
    recorded: RecordedPlayers,
}

impl Schedule {
    /// Creates the schedule of a plan for these results.
    #[must_use]
    pub fn new(plan: &Plan, results: &Results) -> Self {
        let mut schedule = Self::default();
        schedule.advance(plan, results);
        schedule
    }

    /// Creates the schedule of an event for the results in its journal. Rounds whose games the
    /// journal records keep their pairings.
    #[must_use]
    pub fn of_journal(plan: &Plan, history: &History) -> Self {
        let mut schedule = Self {
            recorded: RecordedPlayers::of(plan, history),
            ..Self::default()
        };
        schedule.advance(plan, &crate::results(history));
        schedule
    }

    /// Games so far, in the order of their numbers.
    #[must_use]
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures.games
    }

    /// Players without an opponent.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        &self.fixtures.byes
    }

    /// Number of rounds so far.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.fixtures.rounds
    }

    /// Games that count: all games, or those up to the decision of the sequential test.
    pub fn counted(&self) -> impl Iterator<Item = &Fixture> {
        self.fixtures.counted()
    }

    /// Games, byes and rounds so far.
    pub(crate) const fn held(&self) -> &Fixtures {
        &self.fixtures
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

    /// Progress of the tournament with these results.
    #[must_use]
    pub fn progress(&self, plan: &Plan, results: &Results) -> Progress {
        let finished = self
            .counted()
            .filter(|game| results.contains_key(&game.number));
        Progress {
            done: finished.count() as u64,
            total: match self.fixtures.decided {
                Some(_) => self.counted().count() as u64,
                None => plan.most_games(),
            },
        }
    }

    /// Adds the games that new results determine.
    pub fn advance(&mut self, plan: &Plan, results: &Results) {
        while !self.complete && self.fixtures.all_played(results) {
            let next = match plan.format {
                Format::RoundRobin => Some(all_play::round_robin(plan)),
                Format::Gauntlet => Some(all_play::gauntlet(plan)),
                Format::Swiss => swiss::round(plan, &self.fixtures, results, &self.recorded),
                Format::Knockout => knockout::round(plan, &self.fixtures, results),
            };
            let Some(next) = next else {
                self.complete = true;
                break;
            };
            self.fixtures.add(next);
            debug_assert!(self.fixtures.games.len() as u64 <= plan.most_games());
            // These formats know all games from the beginning.
            self.complete = matches!(plan.format, Format::RoundRobin | Format::Gauntlet);
        }
        if let Some(sprt) = &plan.sprt
            && self.fixtures.decided.is_none()
        {
            let mut pairs = Pairs::default();
            self.fixtures.decided = self
                .fixtures
                .games
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
}
