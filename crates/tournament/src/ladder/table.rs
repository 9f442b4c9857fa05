//! Computation of a ladder.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_journal::History;
use duoforge_rating::{Counts as _, Glicko, JointRating, Meeting, Rated, Singles, elo, joint_elo};

use super::results::{LadderGame, PairResult, holds_only_others, results};
use super::{
    Competitor, HeadToHead, LADDER_VERSION, Ladder, LadderEvent, LadderUnit, Rung, RungEvent,
    VIRTUAL_DRAWS,
};
use crate::Cell;

/// Returns the journals without further copies, the oldest event first.
pub(super) fn distinct(histories: &[History]) -> Vec<&History> {
    let mut distinct: BTreeMap<(u64, &str), &History> = BTreeMap::new();
    for history in histories {
        let key = (history.header.made_ms, history.header.id.as_str());
        let kept = distinct.entry(key).or_insert(history);
        if progress(history) > progress(kept) {
            *kept = history;
        }
    }
    distinct.into_values().collect()
}

/// Progress of a journal, by which copies of it are compared. The results decide between copies of
/// equal length, so that the choice does not depend on the order of the files.
pub(super) fn progress(history: &History) -> (usize, bool, Vec<(u32, u64, String)>) {
    let contest = history.ended().map(|(_, ended)| {
        let result = ended.result.text().to_owned();
        (ended.game, ended.at_ms, result)
    });
    let variants = history.variant_games.ended().map(|(_, ended)| {
        let places = ended.seats.iter().map(|seat| char::from(b'0' + seat.place));
        (ended.game, ended.at_ms, places.collect())
    });
    let ended: Vec<_> = contest.chain(variants).collect();
    (ended.len(), history.finished, ended)
}

/// Rated result: indices of the competitors, and half points of the first one.
struct RatedGame {
    players: [usize; 2],
    halves: u8,
}

pub(super) fn ladder(histories: &[History], variant: &str, unit: LadderUnit) -> Ladder {
    let histories: Vec<_> = distinct(histories)
        .into_iter()
        .filter(|history| !holds_only_others(history, variant))
        .collect();
    let played: Vec<Vec<LadderGame>> = histories
        .iter()
        .map(|history| results(history, variant, unit))
        .collect();
    let pairs = played.iter().flatten().flat_map(|game| &game.pairs);
    let names: BTreeSet<&Competitor> = pairs.flat_map(|pair| &pair.players).collect();
    let names: Vec<&Competitor> = names.into_iter().collect();
    let index = |competitor: &Competitor| {
        let found = names.binary_search(&competitor);
        found.expect("every competitor is listed")
    };
    let seats = played.iter().flatten().map(|game| game.seats).max();
    let mut ladder = Ladder {
        version: LADDER_VERSION,
        variant: variant.to_owned(),
        seats: seats.unwrap_or(2),
        unit,
        games: 0,
        open: 0,
        self_play: 0,
        events: Vec::new(),
        rungs: Vec::new(),
        cross: Vec::new(),
        meetings: Vec::new(),
    };
    let mut sums = Sums::new(names.len());
    for (history, event_games) in histories.iter().zip(&played) {
        let mut rated = Vec::new();
        let mut games = 0;
        for game in event_games {
            ladder.open += u64::from(game.is_open());
            let before = rated.len();
            for PairResult { players, halves } in &game.pairs {
                let players = [index(&players[0]), index(&players[1])];
                match halves {
                    None => {}
                    Some(_) if players[0] == players[1] => ladder.self_play += 1,
                    &Some(halves) => rated.push(RatedGame { players, halves }),
                }
            }
            games += u64::from(rated.len() > before);
        }
        ladder.games += games;
        sums.add(ladder.events.len(), &rated);
        ladder.events.push(LadderEvent {
            id: history.header.id.clone(),
            name: history.header.event.clone(),
            kind: history.header.kind.word().to_owned(),
            made_ms: history.header.made_ms,
            finished: history.finished,
            games,
        });
    }
    sums.fill(&mut ladder, &names);
    ladder
}

/// Factor by which the interval of a rating is wider than that of independent results, if each pair
/// of seats of a game is one result.
///
/// The points of a seat are the seats that it leaves behind. If the seats are equal and all orders
/// of `n` seats equally likely, their variance is (n² - 1) / 12. That of n - 1 independent results
/// is (n - 1) / 4, which is (n + 1) / 3 times less.
fn widening(seats: u64) -> f64 {
    ((seats + 1) as f64 / 3.0).sqrt()
}

/// Sums over the games, by the indices of the competitors.
struct Sums {
    /// Games of two competitors, from the point of view of the one with the smaller index.
    games: BTreeMap<[usize; 2], Singles>,
    histories: Vec<Vec<RungEvent>>,
    glicko: Glicko,
}

impl Sums {
    fn new(competitors: usize) -> Self {
        Self {
            games: BTreeMap::new(),
            histories: vec![Vec::new(); competitors],
            glicko: Glicko::default(),
        }
    }

    /// Adds the games of an event.
    fn add(&mut self, event: usize, games: &[RatedGame]) {
        let mut each = BTreeMap::new();
        for &RatedGame { players, halves } in games {
            let [one, two] = players;
            if one < two {
                self.games.entry([one, two]).or_default().add(halves);
            } else {
                self.games.entry([two, one]).or_default().add(2 - halves);
            }
            for player in players {
                *each.entry(player).or_insert(0_u64) += 1;
            }
        }
        if games.is_empty() {
            // An event without a rated game is not a rating period: no deviation grows.
            return;
        }
        let rated = games.iter().map(|game| Rated {
            player: game.players[0].to_string(),
            opponent: game.players[1].to_string(),
            halves: game.halves,
        });
        let rated: Vec<_> = rated.collect();
        // No player meets itself, and no game scores more than two half points.
        let period = self.glicko.event(&rated);
        period.expect("only proper games are rated");
        for (player, games) in each {
            let [rating, deviation] = self.glicko(player);
            self.histories[player].push(RungEvent {
                event,
                games,
                rating,
                deviation,
            });
        }
    }

    /// Glicko-2 rating and deviation.
    fn glicko(&self, player: usize) -> [f64; 2] {
        let rating = self.glicko.rating(&player.to_string()).unwrap_or_default();
        [rating.rating, rating.deviation].map(rounded)
    }

    /// Results of a competitor against another one.
    fn cell(&self, player: usize, opponent: usize) -> Option<Singles> {
        match self.games.get(&[player, opponent]) {
            Some(&games) => Some(games),
            None => Some(self.games.get(&[opponent, player])?.reversed()),
        }
    }

    /// Fills in the competitors with a rated game, and their meetings.
    fn fill(&self, ladder: &mut Ladder, names: &[&Competitor]) {
        let meetings: Vec<Meeting> = self
            .games
            .iter()
            .map(|(&players, &games)| Meeting { players, games })
            .collect();
        let ratings = joint_elo(names.len(), &meetings, VIRTUAL_DRAWS);
        let wider = widening(ladder.seats);
        let ratings: Vec<JointRating> = ratings
            .expect("meetings name two known competitors")
            .into_iter()
            .map(|JointRating { elo, low, high }| JointRating {
                elo: rounded(elo),
                low: rounded(elo - wider * (elo - low)),
                high: rounded(elo + wider * (high - elo)),
            })
            .collect();
        let rated = 0..names.len();
        let mut order: Vec<usize> = rated
            .filter(|&player| !self.histories[player].is_empty())
            .collect();
        // Stable: equal ratings stay in the order of the names.
        order.sort_by(|&left, &right| ratings[right].elo.total_cmp(&ratings[left].elo));
        for (place, &player) in (1..).zip(&order) {
            let mut rung = self.rung(player, names[player].clone(), ratings[player]);
            rung.place = match ladder.rungs.last() {
                Some(above) if above.elo.elo.total_cmp(&rung.elo.elo).is_eq() => above.place,
                _ => place,
            };
            ladder.rungs.push(rung);
        }
        for (place, &row) in order.iter().enumerate() {
            let cells = order.iter().map(|&column| self.cell(row, column).map(cell));
            ladder.cross.push(cells.collect());
            for &column in &order[place + 1..] {
                if let Some(games) = self.cell(row, column) {
                    ladder.meetings.push(HeadToHead {
                        players: [row, column].map(|player| names[player].clone()),
                        games: cell(games),
                        elo: elo(&games),
                    });
                }
            }
        }
    }

    fn rung(&self, player: usize, competitor: Competitor, elo: JointRating) -> Rung {
        let mut all = Singles::default();
        for (&[one, two], games) in &self.games {
            let own = if one == player {
                *games
            } else if two == player {
                games.reversed()
            } else {
                continue;
            };
            for (sum, count) in all.0.iter_mut().zip(own.0) {
                *sum += count;
            }
        }
        let [lost, drawn, won] = all.0;
        let games = all.samples();
        let [rating, deviation] = self.glicko(player);
        Rung {
            place: 0,
            competitor,
            games,
            won,
            drawn,
            lost,
            score: (won as f64 + drawn as f64 / 2.0) / games.max(1) as f64,
            elo,
            rating,
            deviation,
            history: self.histories[player].clone(),
        }
    }
}

/// Results as a cell of a crosstable.
fn cell(games: Singles) -> Cell {
    let [lost, drawn, won] = games
        .0
        .map(|games| u32::try_from(games).expect("a journal numbers its games with 32 bits"));
    Cell { won, drawn, lost }
}

/// Rounds a rating to thousandths, so that machines whose functions differ in the last bit agree.
fn rounded(rating: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (rating * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor is the ratio of the standard deviations of a seat's points: over all orders of
    /// the seats, and of as many independent results.
    #[test]
    fn the_interval_is_that_of_the_points_over_all_orders() {
        for seats in 1..=4_u64 {
            let places: Vec<f64> = (0..seats).map(|place| place as f64).collect();
            let mean = places.iter().sum::<f64>() / seats as f64;
            let squared = places.iter().map(|place| (place - mean).powi(2));
            let variance = squared.sum::<f64>() / seats as f64;
            let independent = (seats - 1) as f64 * 0.25;
            if seats > 1 {
                let factor = (variance / independent).sqrt();
                assert!((factor - widening(seats)).abs() < 1e-12, "{seats}");
            }
        }
        assert!((widening(2) - 1.0).abs() < 1e-12);
    }
}
