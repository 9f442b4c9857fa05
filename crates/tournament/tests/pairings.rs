//! Pairings, checked against tables made without this code: the Berger tables of the FIDE Handbook
//! (C.05, annex 1), the standard seeding of brackets, and Swiss rounds paired by hand.

mod common;

use common::{byes, game, matches, open, plan, win};
use duoforge_journal::GameResult;
use duoforge_journal::GameResult::{Draw, One, Open, Two};
use duoforge_referee::Seat;
use duoforge_tournament::{Plan, Results, Schedule};

/// Berger tables for 4, 6 and 8 players, one round per string.
const BERGER: [&[&str]; 3] = [
    &["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    &[
        "1-6 2-5 3-4",
        "6-4 5-3 1-2",
        "2-6 3-1 4-5",
        "6-5 1-4 2-3",
        "3-6 4-2 5-1",
    ],
    &[
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
];

/// Order of the rounds relative to the tables.
const ORDERS: [&[usize]; 3] = [&[2, 1, 3], &[4, 1, 3, 5, 2], &[6, 1, 3, 5, 7, 2, 4]];

/// Converts a round of a table. The last number of the table is the first player here, which keeps
/// its place in the circle; the others keep their numbers.
fn berger(round: &str, places: usize) -> Vec<[usize; 2]> {
    let pairs = round.split(' ').map(|pair| {
        let (one, two) = pair.split_once('-').unwrap();
        let [one, two] = [one, two].map(|number| number.parse::<usize>().unwrap() % places);
        [one.min(two), one.max(two)]
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn a_round_robin_is_the_berger_table() {
    for (table, order) in BERGER.iter().zip(ORDERS) {
        let places = table.len() + 1;
        let plan = plan("round-robin", places, "pairs = 2");
        let schedule = Schedule::new(&plan, &Results::new());
        assert!(schedule.is_complete() && schedule.byes().is_empty());
        assert_eq!(schedule.rounds() as usize, 2 * table.len());
        for (round, number) in (1..).zip(order.iter().chain(order)) {
            let mut pairs = matches(&schedule, round);
            pairs.sort_unstable();
            assert_eq!(pairs, berger(table[number - 1], places), "round {round}");
        }
    }
}

/// An odd number uses the table for one player more; the opponent of the missing number has a bye.
/// The missing number is the last player here, which is the last but one of the table.
#[test]
fn in_a_round_robin_of_an_odd_number_everybody_has_one_bye() {
    for (table, order) in BERGER.iter().zip(ORDERS) {
        let places = table.len() + 1;
        let plan = plan("round-robin", places - 1, "");
        let schedule = Schedule::new(&plan, &Results::new());
        for (round, number) in (1..).zip(order) {
            let all = berger(table[number - 1], places);
            let (free, mut met): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|pair| pair[1] == places - 1);
            met.sort_unstable();
            let mut pairs = matches(&schedule, round);
            pairs.sort_unstable();
            assert_eq!(pairs, met, "round {round}");
            assert_eq!(byes(&schedule, round), [free[0][0]], "round {round}");
        }
    }
}

#[test]
fn a_gauntlet_is_the_first_player_against_each_other_one_in_the_plans_order() {
    let plan = plan("gauntlet", 4, "pairs = 2");
    let schedule = Schedule::new(&plan, &Results::new());
    assert!(schedule.is_complete());
    for round in [1, 2] {
        assert_eq!(matches(&schedule, round), [[0, 1], [0, 2], [0, 3]]);
    }
    let openings: Vec<u32> = schedule
        .fixtures()
        .iter()
        .map(|game| game.opening)
        .collect();
    assert_eq!(openings, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
}

/// Round of a Swiss tournament: pairings, byes, winners.
type Round = (&'static [[usize; 2]], &'static [usize], &'static [usize]);

fn swiss(players: usize, pairs: u32, rounds: &[Round]) {
    let rest = format!("rounds = {}\npairs = {pairs}", rounds.len());
    let plan = plan("swiss", players, &rest);
    let (mut schedule, mut results) = (Schedule::default(), Results::new());
    schedule.advance(&plan, &results);
    for (number, (pairings, free, winners)) in (1..).zip(rounds) {
        assert_eq!(schedule.rounds(), number);
        assert_eq!(matches(&schedule, number), *pairings, "round {number}");
        assert_eq!(byes(&schedule, number), *free, "round {number}");
        assert!(!schedule.is_over(&results));
        win(&plan, &mut schedule, &mut results, winners);
    }
    assert!(schedule.is_complete() && schedule.is_over(&results));
    // Each pair of games swaps the first player, so each player moves first in half of its games.
    for player in 0..players {
        let games = schedule.fixtures().iter();
        let games: Vec<_> = games
            .filter(|game| game.players.contains(&player))
            .collect();
        let seat = |game: &duoforge_tournament::Fixture| {
            Seat::BOTH[usize::from(game.players[1] == player)]
        };
        let first = games
            .iter()
            .filter(|game| game.setup.first == seat(game))
            .count();
        assert_eq!(2 * first, games.len(), "player {player}");
    }
}

/// Rule of the Norwegian Monrad system. The list is ordered by points, then by the places in the
/// plan. The first player meets the next one that it has not met.
#[test]
fn swiss_rounds_go_by_points() {
    // The favourites win. After round 1: 0 2 4 6 have 2, 1 3 5 7 have 0. After round 2: 0 4 have 4,
    // 1 2 5 6 have 2, 3 7 have 0.
    swiss(
        8,
        1,
        &[
            (&[[0, 1], [2, 3], [4, 5], [6, 7]], &[], &[0, 2, 4, 6]),
            (&[[0, 2], [4, 6], [1, 3], [5, 7]], &[], &[0, 4, 1, 5]),
            (&[[0, 4], [1, 2], [5, 6], [3, 7]], &[], &[0, 1, 5, 3]),
        ],
    );
    // The outsiders win: 1 3 5 7 lead, then 3 and 7.
    swiss(
        8,
        1,
        &[
            (&[[0, 1], [2, 3], [4, 5], [6, 7]], &[], &[1, 3, 5, 7]),
            (&[[1, 3], [5, 7], [0, 2], [4, 6]], &[], &[3, 7, 2, 6]),
            (&[[3, 7], [1, 2], [5, 6], [0, 4]], &[], &[7, 2, 6, 4]),
        ],
    );
}

#[test]
fn swiss_players_float_down_and_nobody_meets_twice() {
    // Round 2: three have 2 points, so 4 floats to 1. After it: 2 has 4, 0 1 3 4 have 2, 5 has 0.
    // Round 3: 2 has met 0. With 2-1 there are 0 3 4 5. 0-3 leaves 4-5, which met in round 1; 0-4
    // leaves 3-5, which met in round 2; 0-5 leaves 3-4.
    swiss(
        6,
        1,
        &[
            (&[[0, 1], [2, 3], [4, 5]], &[], &[0, 2, 4]),
            (&[[0, 2], [4, 1], [3, 5]], &[], &[2, 1, 3]),
            (&[[2, 1], [0, 5], [3, 4]], &[], &[2, 0, 3]),
        ],
    );
    // Three rounds of four players are a round robin: the last one has only one pairing.
    swiss(
        4,
        1,
        &[
            (&[[0, 1], [2, 3]], &[], &[0, 2]),
            (&[[0, 2], [1, 3]], &[], &[0, 1]),
            (&[[0, 3], [1, 2]], &[], &[0, 1]),
        ],
    );
}

#[test]
fn a_swiss_bye_goes_to_the_last_who_had_none_and_counts_as_a_match_won() {
    // After round 1: 0 2 4 have 2, 4 by its bye. Round 2: the last without a bye is 3. After it 2
    // and 4 have 4, 0 and 3 have 2, 1 has 0 and the bye.
    swiss(
        5,
        1,
        &[
            (&[[0, 1], [2, 3]], &[4], &[0, 2]),
            (&[[0, 2], [4, 1]], &[3], &[2, 4]),
            (&[[2, 4], [0, 3]], &[1], &[2, 3]),
        ],
    );
    // With two pairs a won match is 4 points: after round 1 the bye of 2 equals the win of 0. 0-2
    // then leaves the bye to 1.
    swiss(3, 2, &[(&[[0, 1]], &[2], &[0]), (&[[0, 2]], &[1], &[2])]);
    // The bye moves up the list: 4 is last again after two rounds, but had a bye.
    swiss(
        5,
        1,
        &[
            (&[[0, 1], [2, 3]], &[4], &[0, 2]),
            (&[[0, 2], [4, 1]], &[3], &[0, 1]),
            (&[[0, 4], [1, 3]], &[2], &[0, 1]),
        ],
    );
}

/// A bye is a whole match: 2 has two points by it and is ranked above 0 and 1, which drew both
/// games.
#[test]
fn a_bye_stands_before_a_drawn_match() {
    let plan = plan("swiss", 3, "rounds = 2");
    let mut results = Results::new();
    for number in [1, 2] {
        results.insert(number, game(Draw, [50, 50]).into());
    }
    let schedule = Schedule::new(&plan, &results);
    assert_eq!(
        (matches(&schedule, 2), byes(&schedule, 2)),
        (vec![[2, 0]], vec![1])
    );
}

/// After three rounds 0 2 4 have met 1 3 5, each of them. Among three on a side no full pairing
/// exists, so one meeting of the fourth round is a repetition. The list is 3 0 4 1 5 2. 3 meets 0
/// again, since this leaves 4-2 and 1-5; 4 has met 1 and 5.
#[test]
fn swiss_players_meet_again_where_there_is_no_other_way() {
    swiss(
        6,
        1,
        &[
            (&[[0, 1], [2, 3], [4, 5]], &[], &[0, 3, 4]),
            (&[[0, 3], [4, 1], [2, 5]], &[], &[3, 4, 5]),
            (&[[3, 4], [0, 5], [1, 2]], &[], &[3, 0, 1]),
            (&[[3, 0], [4, 2], [1, 5]], &[], &[3, 4, 1]),
        ],
    );
    swiss(2, 3, &[(&[[0, 1]], &[], &[1])]);
}

/// With draws alone the order remains that of the plan, and each player meets the first permitted
/// one.
#[test]
fn as_many_swiss_rounds_as_there_are_others_are_a_round_robin() {
    // Round 4: 0-4 leaves 1 2 3 5; 1 has met 0 4 5, and 1-2 leaves 3-5, which met in round 2.
    let plan = plan("swiss", 6, "rounds = 5");
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    while !schedule.is_over(&results) {
        for fixture in open(&schedule, &results) {
            results.insert(fixture.number, game(Draw, [50, 50]).into());
        }
        schedule.advance(&plan, &results);
    }
    let rounds: Vec<_> = (1..=5).map(|round| matches(&schedule, round)).collect();
    assert_eq!(rounds[0], [[0, 1], [2, 3], [4, 5]]);
    assert_eq!(rounds[1], [[0, 2], [1, 4], [3, 5]]);
    assert_eq!(rounds[2], [[0, 3], [1, 5], [2, 4]]);
    assert_eq!(rounds[3], [[0, 4], [1, 3], [2, 5]]);
    assert_eq!(rounds[4], [[0, 5], [1, 2], [3, 4]]);
}

/// First rounds of brackets by the standard seeding: 1-8 4-5 2-7 3-6, and for sixteen 1-16 8-9 4-13
/// 5-12 2-15 7-10 3-14 6-11; numbers here begin at 0. Empty places give byes.
#[test]
fn brackets_are_seeded_and_empty_places_are_byes() {
    let sixteen = [
        [0, 15],
        [7, 8],
        [3, 12],
        [4, 11],
        [1, 14],
        [6, 9],
        [2, 13],
        [5, 10],
    ];
    type Row<'a> = (usize, &'a [[usize; 2]], &'a [usize]);
    let first: [Row<'_>; 8] = [
        (2, &[[0, 1]], &[]),
        (3, &[[1, 2]], &[0]),
        (4, &[[0, 3], [1, 2]], &[]),
        (5, &[[3, 4]], &[0, 1, 2]),
        (6, &[[3, 4], [2, 5]], &[0, 1]),
        (7, &[[3, 4], [1, 6], [2, 5]], &[0]),
        (8, &[[0, 7], [3, 4], [1, 6], [2, 5]], &[]),
        (16, &sixteen, &[]),
    ];
    for (players, pairs, free) in first {
        let schedule = Schedule::new(&plan("knockout", players, ""), &Results::new());
        assert_eq!(matches(&schedule, 1), pairs, "{players}");
        assert_eq!(byes(&schedule, 1), free, "{players}");
    }
}

#[test]
fn winners_of_a_knockout_go_on_in_their_places_of_the_bracket() {
    let plan = plan("knockout", 8, "");
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    // 7 beats 0 and 5 beats 2: 7 meets the winner of 3-4, and 5 that of 1-6.
    win(&plan, &mut schedule, &mut results, &[7, 3, 1, 5]);
    assert_eq!(matches(&schedule, 2), [[3, 7], [1, 5]]);
    win(&plan, &mut schedule, &mut results, &[7, 5]);
    assert_eq!(matches(&schedule, 3), [[5, 7]]);
    win(&plan, &mut schedule, &mut results, &[5]);
    assert!(schedule.is_over(&results));
    assert_eq!((schedule.rounds(), schedule.fixtures().len()), (3, 14));
}

/// Result of a game, and the cells covered.
type Scored = (GameResult, [u32; 2]);

/// Winner of the first match of a bracket of four, 0 against 3, with these games. The winner meets
/// 1, the winner of the other match.
fn winner(games: &[Scored]) -> usize {
    let plan: Plan = plan("knockout", 4, &format!("pairs = {}", games.len() / 2));
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    let mut next = games.iter();
    for fixture in open(&schedule, &results) {
        let (result, cells_placed) = match fixture.players {
            [0, 3] => *next.next().unwrap(),
            _ => (One, [60, 50]),
        };
        results.insert(fixture.number, game(result, cells_placed).into());
    }
    schedule.advance(&plan, &results);
    let [both] = matches(&schedule, 2)[..] else {
        panic!("the last round has one match")
    };
    *both.iter().find(|&&player| player != 1).unwrap()
}

/// Points decide a match, then covered cells, then the order of the plan.
#[test]
fn ties_of_a_knockout_are_decided_by_cells_and_then_by_the_order() {
    // Columns: games, winner.
    let table: [(&[Scored], usize); 14] = [
        (&[(One, [60, 50]), (One, [60, 50])], 0),
        (&[(Two, [50, 60]), (Two, [50, 60])], 3),
        (&[(One, [60, 50]), (Draw, [55, 55])], 0),
        (&[(Two, [50, 60]), (Draw, [55, 55])], 3),
        // One win each: +10 - 5, then +5 - 10.
        (&[(One, [60, 50]), (Two, [50, 55])], 0),
        (&[(One, [55, 50]), (Two, [50, 60])], 3),
        (&[(Two, [50, 55]), (One, [60, 50])], 0),
        (&[(Two, [50, 60]), (One, [55, 50])], 3),
        // A lead of one cell.
        (&[(One, [60, 50]), (Two, [51, 60])], 0),
        (&[(One, [60, 51]), (Two, [50, 60])], 3),
        // Equal in both: the player listed first wins.
        (&[(One, [60, 50]), (Two, [50, 60])], 0),
        (&[(Draw, [50, 50]), (Draw, [50, 50])], 0),
        // Points take precedence over cells: a narrow win beats a draw with a large lead in cells.
        (&[(Two, [54, 55]), (Draw, [60, 40])], 3),
        // A game without a winner gives no points, but its cells count.
        (&[(Open, [3, 0]), (Open, [0, 4])], 3),
    ];
    for (games, wins) in table {
        assert_eq!(winner(games), wins, "{games:?}");
    }
    // The games of two pairs are summed: 2-2 points, with +1 +1 +1 -2 cells.
    let long = [
        (One, [51, 50]),
        (One, [51, 50]),
        (Two, [51, 50]),
        (Two, [50, 52]),
    ];
    assert_eq!(winner(&long), 0);
}
