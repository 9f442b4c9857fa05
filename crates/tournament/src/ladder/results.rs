//! Results of the finished games of a journal, by competitor.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_journal::{Ended, GameHistory, History, InputTest, Kind, SeatEnded, VariantHistory};
use duoforge_rules::GameVariant;

use super::{Competitor, LadderUnit};
use crate::input_test::is_excluded;
use crate::results::counted;
use crate::{Plan, Played};

/// Results of a finished game.
pub(super) struct LadderGame {
    /// Number of seats.
    pub seats: u64,
    /// Results of the pairs of seats.
    pub pairs: Vec<PairResult>,
}

/// Result of two seats of a game.
pub(super) struct PairResult {
    pub players: [Competitor; 2],
    /// Half points of the first player; `None` for a game without a result.
    pub halves: Option<u8>,
}

impl LadderGame {
    /// True for a game without a result.
    pub fn is_open(&self) -> bool {
        self.pairs.iter().all(|pair| pair.halves.is_none())
    }
}

/// Counts the finished games of journals by the names of their variants, without those after the
/// decision of a sequential test.
#[must_use]
pub fn games_by_variant(histories: &[History]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut add = |variant: &str, games: usize| {
        if games > 0 {
            *counts.entry(variant.to_owned()).or_insert(0) += games as u64;
        }
    };
    for history in histories {
        add(GameVariant::DUO.name(), counted(history).count());
        for (game, _) in history.variant_games.ended() {
            add(&game.begun.variant, 1);
        }
    }
    counts
}

/// True if a journal has finished games, but none of the variant.
pub(super) fn holds_only_others(history: &History, variant: &str) -> bool {
    let counts = games_by_variant(std::slice::from_ref(history));
    !counts.is_empty() && !counts.contains_key(variant)
}

/// Players of a journal that have shown that they understand their input.
struct Proven<'h> {
    tests: &'h [InputTest],
    names: BTreeSet<&'h str>,
}

impl<'h> Proven<'h> {
    /// Finds the players that passed an input test or moved in any game.
    fn of(history: &'h History) -> Self {
        let tests = history.input_tests.iter();
        let passed = tests.filter(|test| test.fault.is_none());
        let moved = history.games.values().flat_map(|game| {
            let seats = game.moves.iter().map(|moved| usize::from(moved.player));
            seats.filter_map(|number| game.begun.players.get(number.checked_sub(1)?))
        });
        let variant_moved = history.variant_games.iter().flat_map(|game| {
            let own = game.moves.iter().filter(|moved| !moved.forfeit);
            own.filter_map(|moved| game.begun.players.get(usize::from(moved.seat)))
        });
        Self {
            tests: &history.input_tests,
            names: passed
                .map(|test| test.player.as_str())
                .chain(moved.chain(variant_moved).map(String::as_str))
                .collect(),
        }
    }

    /// True for a game that rates its players: none is excluded, and those at fault in the game are
    /// proven, so that the fault is one of play and not of a program that never worked.
    fn rates(&self, players: &[String], is_at_fault: impl Fn(usize) -> bool) -> bool {
        players.iter().enumerate().all(|(seat, player)| {
            let is_proven = self.names.contains(player.as_str());
            !is_excluded(self.tests, player) && (is_proven || !is_at_fault(seat))
        })
    }
}

/// Returns the results of the finished games of a variant that count.
pub(super) fn results(history: &History, variant: &str, unit: LadderUnit) -> Vec<LadderGame> {
    let mut games = Vec::new();
    let proven = Proven::of(history);
    if variant == GameVariant::DUO.name() {
        for (players, (game, ended)) in competitors(history, unit).into_iter().zip(counted(history))
        {
            let played = Played::from(ended);
            let violator = played.violator();
            let is_rated = proven.rates(&game.begun.players, |seat| violator == Some(seat));
            let halves = played.halves().filter(|_| is_rated);
            let halves = halves.map(|[halves, _]| halves);
            games.push(LadderGame {
                seats: 2,
                pairs: vec![PairResult { players, halves }],
            });
        }
    }
    for (game, ended) in history.variant_games.ended() {
        if game.begun.variant == variant {
            let mut rated = variant_game(game, &ended.seats, unit);
            let is_at_fault = |seat: usize| ended.seats[seat].fault.is_some();
            if !proven.rates(&game.begun.players, is_at_fault) {
                rated.pairs.iter_mut().for_each(|pair| pair.halves = None);
            }
            games.push(rated);
        }
    }
    games
}

/// Returns the results of a game of a variant.
fn variant_game(game: &VariantHistory, seats: &[SeatEnded], unit: LadderUnit) -> LadderGame {
    let begun = &game.begun;
    let competitor = |seat: usize| Competitor {
        name: begun.players[seat].clone(),
        version: match unit {
            LadderUnit::Version => begun.versions.get(seat).cloned().flatten(),
            LadderUnit::Player => None,
        },
    };
    let pairs = (0..seats.len()).flat_map(|one| (one + 1..seats.len()).map(move |two| [one, two]));
    let halves = |[one, two]: [usize; 2]| match seats[one].place.cmp(&seats[two].place) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    };
    let pairs = pairs.map(|pair| PairResult {
        players: pair.map(competitor),
        halves: Some(halves(pair)),
    });
    LadderGame {
        seats: seats.len() as u64,
        pairs: pairs.collect(),
    }
}

/// Returns the competitors of the finished games of an event that count, player 1 first.
///
/// A game that ended before the handshake has no team code. It counts for the version that the
/// player had in the game before, or in the next one.
fn competitors(history: &History, unit: LadderUnit) -> Vec<[Competitor; 2]> {
    let settings = settings(history);
    let found = counted(history).map(|(game, ended)| {
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
