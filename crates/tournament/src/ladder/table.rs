//! Computation of a ladder.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_journal::{Ended, GameHistory, History, Kind};
use duoforge_rating::{Counts as _, Glicko, JointRating, Meeting, Rated, Singles, elo, joint_elo};

use super::{
    Competitor, HeadToHead, LADDER_VERSION, Ladder, LadderEvent, LadderUnit, Rung, RungEvent,
    VIRTUAL_DRAWS,
};
use crate::{Cell, Plan, Played};

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
pub(super) fn progress(history: &History) -> (usize, bool, Vec<(u32, u64, &'static str)>) {
    let ended = history.ended();
    let ended: Vec<_> = ended
        .map(|(_, ended)| (ended.game, ended.at_ms, ended.result.text()))
        .collect();
    (ended.len(), history.finished, ended)
}

/// Returns the competitors of the finished games of an event, player 1 first.
///
/// A game that ended before the handshake has no team code. It counts for the version that the
/// player had in the game before, or in the next one.
fn competitors(history: &History, unit: LadderUnit) -> Vec<[Competitor; 2]> {
    let settings = settings(history);
    let found = history.ended().map(|(game, ended)| {
        let version = |seat: usize| match unit {
            LadderUnit::Version => version(game, ended, &settings, seat),
            LadderUnit::Player => None,
        };
        [0, 1].map(|seat| Competitor {
            name: game.begun.players[seat].clone(),
            version: version(seat),
        })
    });
    let mut games: Vec<[Competitor; 2]> = found.collect();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut fill = |competitor: &mut Competitor| match &competitor.version {
        Some(version) => {
            known.insert(competitor.name.clone(), version.clone());
        }
        None => competitor.version = known.get(&competitor.name).cloned(),
    };
    games.iter_mut().flatten().for_each(&mut fill);
    games.iter_mut().rev().flatten().for_each(fill);
    games
}

/// Version of the player of a game: as recorded, else its settings in the plan, else the team code
/// of its handshake.
fn version(
    game: &GameHistory,
    ended: &Ended,
    settings: &BTreeMap<String, String>,
    seat: usize,
) -> Option<String> {
    let begun = &game.begun;
    let planned = || settings.get(&begun.players[seat]).cloned();
    let team = || Some(format!("team {}", ended.teams[seat].as_ref()?));
    begun.versions[seat].clone().or_else(planned).or_else(team)
}

/// Settings of the software players by name, from the plan of a tournament. Journals of earlier
/// versions of the program record the version of a player nowhere else.
fn settings(history: &History) -> BTreeMap<String, String> {
    if history.header.kind != Kind::Tournament {
        return BTreeMap::new();
    }
    let Ok(plan) = Plan::read(&history.header.plan) else {
        return BTreeMap::new();
    };
    let entries = plan.players.into_iter();
    let each = entries.filter(|entry| !entry.is_single());
    each.map(|entry| (entry.name, entry.spec.to_string()))
        .collect()
}

/// Rated game: indices of the competitors, and half points of the first one.
struct RatedGame {
    players: [usize; 2],
    halves: u8,
}

pub(super) fn ladder(histories: &[History], unit: LadderUnit) -> Ladder {
    let histories = distinct(histories);
    let played: Vec<_> = histories
        .iter()
        .map(|history| competitors(history, unit))
        .collect();
    let names: BTreeSet<&Competitor> = played.iter().flatten().flatten().collect();
    let names: Vec<&Competitor> = names.into_iter().collect();
    let index = |competitor: &Competitor| {
        let found = names.binary_search(&competitor);
        found.expect("every competitor is listed")
    };
    let mut ladder = Ladder {
        version: LADDER_VERSION,
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
    for (history, competitors) in histories.iter().zip(&played) {
        let mut rated = Vec::new();
        for ((_, ended), pair) in history.ended().zip(competitors) {
            let players = [index(&pair[0]), index(&pair[1])];
            match Played::from(ended).halves() {
                None => ladder.open += 1,
                Some(_) if players[0] == players[1] => ladder.self_play += 1,
                Some([halves, _]) => rated.push(RatedGame { players, halves }),
            }
        }
        let games = rated.len() as u64;
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
        let ratings: Vec<JointRating> = ratings
            .expect("meetings name two known competitors")
            .into_iter()
            .map(|JointRating { elo, low, high }| JointRating {
                elo: rounded(elo),
                low: rounded(low),
                high: rounded(high),
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
