//! Report: standings and statistics from plan and results.

use std::collections::BTreeSet;

use duoforge_journal::History;
use duoforge_rating::{Estimate, Glicko, Judgement, Pairs, Rated, elo};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::excluded::Excluded;
use crate::fixtures::halves;
use crate::pairing::knockout;
use crate::{Format, Plan, Played, Results, Schedule};

/// Report of a tournament, finished or in progress.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the event.
    pub event: String,
    /// Pairing system.
    pub format: &'static str,
    /// True if all games have been played.
    pub finished: bool,
    /// Number of finished games that count.
    pub games: u64,
    /// Number of games scheduled so far, finished ones included.
    pub planned: u64,
    /// Name of the tie-break.
    pub tie_break: &'static str,
    /// Players, the best one first.
    pub standings: Vec<Standing>,
    /// Results of each player (row) against each other player (column), in the order of
    /// `standings`.
    pub cross: Vec<Vec<Option<Cell>>>,
    /// Players that met, with the Elo difference from their pairs of games.
    pub pairings: Vec<Pairing>,
    /// Sequential test that may end the tournament early.
    pub sprt: Option<Judgement>,
    /// Players that failed the input test before their first game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// Hash over all games that count, moves included; equal tournaments have equal hashes.
    pub fingerprint: String,
}

/// Standing of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Rank from 1; players with equal points, tie-break and covered cells share it.
    pub place: u32,
    /// Name of the player.
    pub name: String,
    /// Points: 1 for a win, 1/2 for a draw; a bye in a Swiss tournament counts as a won match.
    pub points: f64,
    /// Number of games with a result.
    pub games: u32,
    /// Number of wins.
    pub won: u32,
    /// Number of draws.
    pub drawn: u32,
    /// Number of losses.
    pub lost: u32,
    /// Tie-break value for equal points.
    pub tie_break: f64,
    /// Cells covered minus the opponents' cells.
    pub cells_placed: i64,
    /// Number of games lost by a violation of the rules or the protocol.
    pub violations: u32,
    /// Elo difference to all opponents together, from pairs of games.
    pub elo: Estimate,
    /// Glicko-2 rating after this event, starting unrated.
    pub rating: f64,
    /// Rating deviation.
    pub deviation: f64,
}

/// Results of a player against another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Number of wins.
    pub won: u32,
    /// Number of draws.
    pub drawn: u32,
    /// Number of losses.
    pub lost: u32,
}

impl Cell {
    /// Points of the player.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }

    /// Number of games.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

/// Two players that met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// Names of the players.
    pub players: [String; 2],
    /// Number of pairs by the points of the first player: 0, 1/2, 1, 3/2, 2.
    pub pairs: Pairs,
    /// Elo difference of the first player to the second.
    pub elo: Estimate,
}

impl Report {
    /// Creates the report of a tournament; `history` is the history of the journal with the moves.
    #[must_use]
    pub fn new(plan: &Plan, history: &History) -> Self {
        let results = crate::results(history);
        let schedule = Schedule::of_journal(plan, history);
        let table = Table::new(plan, &schedule, &results);
        let order = table.order();
        let standings = table.standings(&order);
        let cross = order.iter().map(|&row| {
            order
                .iter()
                .map(|&column| table.cross[row][column])
                .collect()
        });
        let counted = schedule.counted();
        let played = counted.filter(|game| results.contains_key(&game.number));
        Self {
            event: plan.event.clone(),
            format: plan.format.word(),
            finished: schedule.is_over(&results),
            games: played.count() as u64,
            planned: schedule.counted().count() as u64,
            tie_break: tie_break_name(plan.format),
            cross: cross.collect(),
            pairings: table.pairings(&order),
            sprt: plan
                .sprt
                .as_ref()
                .map(|sprt| sprt.judge(&table.pairs[0][1])),
            excluded: Excluded::of(history),
            standings,
            fingerprint: fingerprint(&schedule, history),
        }
    }
}

const fn tie_break_name(format: Format) -> &'static str {
    match format {
        Format::RoundRobin | Format::Gauntlet => "Sonneborn-Berger",
        Format::Swiss => "Buchholz",
        Format::Knockout => "rounds",
    }
}

/// Sums over the games, by the players' indices in the plan.
struct Table<'a> {
    plan: &'a Plan,
    halves: Vec<u32>,
    cross: Vec<Vec<Option<Cell>>>,
    /// Rounds and opponents of each player in games with a result.
    meetings: Vec<BTreeSet<(u32, usize)>>,
    pairs: Vec<Vec<Pairs>>,
    cells_placed: Vec<i64>,
    violations: Vec<u32>,
    /// Last round in which a player played or had a bye; one more for the winner of a knockout.
    /// Points do not determine that winner: byes give none, and covered cells may decide a match.
    rounds: Vec<u32>,
    glicko: Glicko,
}

impl<'a> Table<'a> {
    fn new(plan: &'a Plan, schedule: &Schedule, results: &Results) -> Self {
        let players = plan.players.len();
        let mut table = Self {
            plan,
            halves: halves(plan, schedule.held(), results),
            cross: vec![vec![None; players]; players],
            meetings: vec![BTreeSet::new(); players],
            pairs: vec![vec![Pairs::default(); players]; players],
            cells_placed: vec![0; players],
            violations: vec![0; players],
            rounds: vec![0; players],
            glicko: Glicko::default(),
        };
        let counted: Vec<_> = schedule.counted().copied().collect();
        let mut rated = Vec::new();
        for game in &counted {
            let Some(played) = results.get(&game.number) else {
                continue;
            };
            table.add(game.players, played);
            for player in game.players {
                table.rounds[player] = game.round;
            }
            if let Some([halves, _]) = played.halves() {
                let [one, two] = game.players;
                table.meetings[one].insert((game.round, two));
                table.meetings[two].insert((game.round, one));
                let name = |player: usize| plan.players[player].name.clone();
                rated.push(Rated {
                    player: name(game.players[0]),
                    opponent: name(game.players[1]),
                    halves,
                });
            }
        }
        for bye in schedule.byes() {
            table.rounds[bye.player] = table.rounds[bye.player].max(bye.round);
        }
        if plan.format == Format::Knockout
            && let Some(champion) = knockout::champion(plan, schedule.held(), results)
        {
            table.rounds[champion] += 1;
        }
        for both in counted.chunks(2) {
            let halves = both.iter().map(|game| results.get(&game.number)?.halves());
            if let (Some(halves), [game, _]) = (halves.collect::<Option<Vec<_>>>(), both) {
                let [one, two] = game.players;
                let sum = halves.iter().map(|halves| halves[0]).sum();
                table.pairs[one][two].add(sum);
                table.pairs[two][one].add(4 - sum);
            }
        }
        // A player never meets itself, and no game scores more than two half points.
        table
            .glicko
            .event(&rated)
            .expect("schedules hold proper games");
        table
    }

    fn add(&mut self, [one, two]: [usize; 2], played: &Played) {
        let lead = i64::from(played.cells_placed[0]) - i64::from(played.cells_placed[1]);
        self.cells_placed[one] += lead;
        self.cells_placed[two] -= lead;
        let Some([first, second]) = played.halves() else {
            return;
        };
        for (row, column, won) in [(one, two, first), (two, one, second)] {
            let cell = self.cross[row][column].get_or_insert_default();
            match won {
                0 => cell.lost += 1,
                1 => cell.drawn += 1,
                _ => cell.won += 1,
            }
            self.violations[row] += u32::from(won == 0 && played.is_violation());
        }
    }

    fn points(&self, player: usize) -> f64 {
        f64::from(self.halves[player]) / 2.0
    }

    fn tie_break(&self, player: usize) -> f64 {
        let opponents = self.cross[player].iter().enumerate();
        let met = opponents.filter_map(|(opponent, cell)| Some((opponent, (*cell)?)));
        let sum: f64 = match self.plan.format {
            // Sonneborn-Berger: the points of each opponent, weighted with the share scored against
            // it.
            Format::RoundRobin | Format::Gauntlet => met
                .map(|(opponent, cell)| {
                    self.points(opponent) * cell.points() / f64::from(cell.games())
                })
                .sum(),
            // Buchholz: the points of the opponent of each round. One that is met again counts again.
            Format::Swiss => {
                let meetings = self.meetings[player].iter();
                meetings.map(|&(_, opponent)| self.points(opponent)).sum()
            }
            Format::Knockout => f64::from(self.rounds[player]),
        };
        // The sum of nothing is -0.0, which would be ranked below 0.0.
        sum + 0.0
    }

    /// Players, the best one first: in a knockout by the last round reached, otherwise by points.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.halves.len()).collect();
        let key = |player: usize| {
            let (points, tie_break) = (self.points(player), self.tie_break(player));
            let (first, second) = match self.plan.format {
                Format::Knockout => (tie_break, points),
                _ => (points, tie_break),
            };
            (first, second, self.cells_placed[player])
        };
        order.sort_by(|&left, &right| {
            let (left, right) = (key(left), key(right));
            let by = right.0.total_cmp(&left.0).then(right.1.total_cmp(&left.1));
            by.then(right.2.cmp(&left.2))
        });
        order
    }

    fn standings(&self, order: &[usize]) -> Vec<Standing> {
        let mut standings: Vec<Standing> = Vec::new();
        for (place, &player) in (1..).zip(order) {
            let mut all = Cell::default();
            for cell in self.cross[player].iter().flatten() {
                all.won += cell.won;
                all.drawn += cell.drawn;
                all.lost += cell.lost;
            }
            let mut pairs = Pairs::default();
            for against in &self.pairs[player] {
                for (sum, count) in pairs.0.iter_mut().zip(against.0) {
                    *sum += count;
                }
            }
            let name = &self.plan.players[player].name;
            let rating = self.glicko.rating(name).unwrap_or_default();
            let mut standing = Standing {
                place,
                name: name.clone(),
                points: self.points(player),
                games: all.games(),
                won: all.won,
                drawn: all.drawn,
                lost: all.lost,
                tie_break: self.tie_break(player),
                cells_placed: self.cells_placed[player],
                violations: self.violations[player],
                elo: elo(&pairs),
                rating: rating.rating,
                deviation: rating.deviation,
            };
            if let Some(before) = standings.last()
                && before.points.total_cmp(&standing.points).is_eq()
                && before.tie_break.total_cmp(&standing.tie_break).is_eq()
                && before.cells_placed == standing.cells_placed
            {
                standing.place = before.place;
            }
            standings.push(standing);
        }
        standings
    }

    fn pairings(&self, order: &[usize]) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        for (place, &one) in order.iter().enumerate() {
            for &two in &order[place + 1..] {
                let pairs = self.pairs[one][two];
                if pairs.0.iter().sum::<u64>() > 0 {
                    pairings.push(Pairing {
                        players: [one, two].map(|player| self.plan.players[player].name.clone()),
                        pairs,
                        elo: elo(&pairs),
                    });
                }
            }
        }
        pairings
    }
}

/// Returns a SHA-256 over the finished games that count: players, setup, moves, result and scores,
/// in the order of their numbers. Times and attempts are excluded.
#[must_use]
pub fn fingerprint(schedule: &Schedule, history: &History) -> String {
    let mut hash = Sha256::new();
    for fixture in schedule.counted() {
        let Some(game) = history.games.get(&fixture.number) else {
            continue;
        };
        let Some(ended) = &game.ended else {
            continue;
        };
        let begun = &game.begun;
        let moves: Vec<&str> = game.moves.iter().map(|moved| moved.code.as_str()).collect();
        let line = format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}:{}\t{}\n",
            begun.game,
            begun.players.join("\t"),
            begun.first,
            begun.starts[0],
            ended.result.text(),
            ended.ending,
            ended.score[0],
            ended.score[1],
            moves.join(" ")
        );
        hash.update(line.as_bytes());
    }
    let digits = hash.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}
