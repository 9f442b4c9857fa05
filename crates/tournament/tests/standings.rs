//! Standings and crosstables of tournaments with given games, checked against sums worked out by
//! hand. A short Python program computed the ratings from the formulas: Elo from mean and variance
//! of pairs, Glicko-2 as in Glickman's paper. The program reproduces the paper's example, 1464.05
//! and 151.52.

mod common;

use common::four::{four, played};
use common::{game, open, plan, report, win};
use duoforge_journal::GameResult::{Draw, One, Open, Two};
use duoforge_rating::{Pairs, Sprt, Verdict};
use duoforge_tournament::{Cell, Report, Results, Schedule, Standing};

fn names(report: &Report) -> Vec<(u32, &str)> {
    let standings = report.standings.iter();
    standings
        .map(|player| (player.place, &*player.name))
        .collect()
}

/// Points, games, won, drawn, lost, tie-break, covered cells, violations.
fn sums(player: &Standing) -> (f64, [u32; 4], f64, i64, u32) {
    (
        player.points,
        [player.games, player.won, player.drawn, player.lost],
        player.tie_break,
        player.cells_placed,
        player.violations,
    )
}

/// P0 scores 2 of 2 against P1, 1 against P2, 0 against P3; P1 1½ against P2 and 2 against P3; P2 1
/// against P3. Points: 3, 3½, 2½, 3.
///
/// Sonneborn-Berger, the points of each opponent times the share scored against it: P0 3½ + 2½/2 =
/// 4.75; P1 2½ * ¾ + 3 = 4.875; P2 3/2 + 3½/4 + 3/2 = 3.875; P3 3 + 2½/2 = 4.25. Cells: P0 +5 +1 +1
/// -10 -1 -1 = -5; P1 -6 +16 +10; P2 +9 -16; P3 +2 -10.
#[test]
fn a_round_robin_is_ordered_by_points_and_then_by_sonneborn_berger() {
    let plan = four();
    let report = report(&plan, &played(&plan, 12));
    assert_eq!(names(&report), [(1, "P1"), (2, "P0"), (3, "P3"), (4, "P2")]);
    let rows: Vec<_> = report.standings.iter().map(sums).collect();
    assert_eq!(
        rows,
        [
            (3.5, [6, 3, 1, 2], 4.875, 20, 0),
            (3.0, [6, 3, 0, 3], 4.75, -5, 2),
            (3.0, [6, 2, 2, 2], 4.25, -8, 1),
            (2.5, [6, 1, 3, 2], 3.875, -7, 0),
        ]
    );
    assert_eq!(
        (report.games, report.planned, report.finished),
        (12, 12, true)
    );
    assert_eq!(
        (report.format, report.tie_break),
        ("round-robin", "Sonneborn-Berger")
    );
}

#[test]
fn a_crosstable_has_what_each_scored_against_each() {
    let plan = four();
    let report = report(&plan, &played(&plan, 12));
    let cell = |won, drawn, lost| Some(Cell { won, drawn, lost });
    // In the order of the standings: P1 P0 P3 P2.
    assert_eq!(
        report.cross,
        [
            [None, cell(0, 0, 2), cell(2, 0, 0), cell(1, 1, 0)],
            [cell(2, 0, 0), None, cell(0, 0, 2), cell(1, 0, 1)],
            [cell(0, 0, 2), cell(2, 0, 0), None, cell(0, 2, 0)],
            [cell(0, 1, 1), cell(1, 0, 1), cell(0, 2, 0), None],
        ]
    );
    let points: Vec<f64> = report.cross[3].iter().flatten().map(Cell::points).collect();
    assert_eq!(points, [0.5, 1.0, 1.0]);
    assert!(
        report
            .cross
            .iter()
            .flatten()
            .flatten()
            .all(|cell| cell.games() == 2)
    );
    let pairs: Vec<_> = report
        .pairings
        .iter()
        .map(|pairing| {
            (
                pairing.players.each_ref().map(String::as_str),
                pairing.pairs.0,
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            (["P1", "P0"], [1, 0, 0, 0, 0]),
            (["P1", "P3"], [0, 0, 0, 0, 1]),
            (["P1", "P2"], [0, 0, 0, 1, 0]),
            (["P0", "P3"], [1, 0, 0, 0, 0]),
            (["P0", "P2"], [0, 0, 1, 0, 0]),
            (["P3", "P2"], [0, 0, 1, 0, 0]),
        ]
    );
}

#[test]
fn strength_is_from_pairs_and_glicko_from_all_games() {
    let plan = four();
    let report = report(&plan, &played(&plan, 12));
    let close = |got: f64, right: f64, within: f64| {
        assert!(
            got == right || (got - right).abs() < within,
            "{got} is not {right}"
        );
    };
    // Columns: Elo, low, high, score, error; rating. Two pairs give an interval without an upper
    // bound for the best.
    let right = [
        (
            [58.451214, -376.920734, f64::INFINITY, 0.583333, 0.245327],
            1563.332431,
        ),
        ([0.0, -561.204306, 561.204306, 0.5, 0.235702], 1500.0),
        ([0.0, -561.204306, 561.204306, 0.5, 0.235702], 1500.0),
        (
            [-58.451214, -161.229480, 34.877845, 0.416667, 0.068041],
            1436.667569,
        ),
    ];
    for (player, (elo, rating)) in report.standings.iter().zip(right) {
        let got = &player.elo;
        for (got, right) in [got.elo, got.low, got.high, got.score, got.error]
            .iter()
            .zip(elo)
        {
            close(*got, right, 1e-6);
        }
        close(player.rating, rating, 1e-3);
        close(player.deviation, 181.348785, 1e-3);
    }
    // P1 lost its pair with P0: only one whole pair.
    close(report.pairings[0].elo.high, 636.425843, 1e-6);
}

/// After the first round (P0-P3, P1-P2) and one game of P0-P1: 5 games of 12.
#[test]
fn a_tournament_under_way_counts_what_has_ended() {
    let plan = four();
    let report = report(&plan, &played(&plan, 5));
    assert_eq!(
        (report.games, report.planned, report.finished),
        (5, 12, false)
    );
    let points: Vec<_> = report
        .standings
        .iter()
        .map(|player| (&*player.name, player.points, player.games))
        .collect();
    assert_eq!(
        points,
        [
            ("P3", 2.0, 2),
            ("P1", 1.5, 3),
            ("P0", 1.0, 3),
            ("P2", 0.5, 2)
        ]
    );
    // A pair with an open game is not counted.
    assert_eq!(report.pairings.len(), 2);
}

/// Three wins each way in a circle: all values are equal, and so is the rank.
#[test]
fn equal_players_share_a_place() {
    let plan = plan("round-robin", 3, "");
    let mut results = Results::new();
    for fixture in Schedule::new(&plan, &results).fixtures() {
        // P0 beats P1, P1 beats P2, P2 beats P0, by ten cells each.
        let (result, cells_placed) = match fixture.players {
            [0, 2] => (Two, [50, 60]),
            _ => (One, [60, 50]),
        };
        results.insert(fixture.number, game(result, cells_placed).into());
    }
    assert_eq!(
        names(&report(&plan, &results)),
        [(1, "P0"), (1, "P1"), (1, "P2")]
    );
    // One cell more or less breaks the tie.
    let changed = |cells_placed: [u32; 2]| {
        let mut results = results.clone();
        results.get_mut(&1).unwrap().cells_placed = cells_placed;
        report(&plan, &results)
    };
    // Game 1 is P1-P2, which P1 wins.
    assert_eq!(names(&changed([61, 50])), [(1, "P1"), (2, "P0"), (3, "P2")]);
    assert_eq!(names(&changed([60, 51])), [(1, "P2"), (2, "P0"), (3, "P1")]);
}

/// Five players, three rounds. Round 1: 0 beats 1, 2 beats 3, bye 4. Round 2: 2 beats 0, 4 beats 1,
/// bye 3. Round 3: 2 beats 4, 3 beats 0, bye 1.
///
/// A won match, and so a bye, is 2 points: 2 has 6, 3 and 4 have 4, 0 and 1 have 2. Buchholz, the
/// sum of the opponents' points: 2: 4 + 2 + 4; 3: 6 + 2; 4: 2 + 6; 0: 2 + 6 + 4; 1: 2 + 4. 3 and 4
/// have won and lost a match by the same number of cells.
#[test]
fn a_swiss_tournament_counts_byes_as_matches_won_and_is_ordered_by_buchholz() {
    let plan = plan("swiss", 5, "rounds = 3");
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    for winners in [&[0, 2], &[2, 4], &[2, 3]] {
        win(&plan, &mut schedule, &mut results, winners);
    }
    let report = report(&plan, &results);
    assert_eq!(report.tie_break, "Buchholz");
    assert_eq!(
        names(&report),
        [(1, "P2"), (2, "P3"), (2, "P4"), (4, "P0"), (5, "P1")]
    );
    let rows: Vec<_> = report.standings.iter().map(sums).collect();
    assert_eq!(
        rows,
        [
            (6.0, [6, 6, 0, 0], 10.0, 60, 0),
            (4.0, [4, 2, 0, 2], 8.0, 0, 0),
            (4.0, [4, 2, 0, 2], 8.0, 0, 0),
            (2.0, [6, 2, 0, 4], 12.0, -20, 0),
            (2.0, [4, 0, 0, 4], 6.0, -40, 0),
        ]
    );
    // The first round alone, of three pairs: a bye is 6 points.
    let plan = common::plan("swiss", 3, "rounds = 2\npairs = 3");
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    win(&plan, &mut schedule, &mut results, &[1]);
    let report = common::report(&plan, &results);
    let points: Vec<_> = report
        .standings
        .iter()
        .map(|player| (&*player.name, player.points))
        .collect();
    // 0 has its points by the bye of the second round, which is already paired, and 2 by that of
    // the first, without having met an opponent. 1 has won by more cells than 0.
    assert_eq!(points, [("P1", 6.0), ("P0", 6.0), ("P2", 6.0)]);
    let none = report.standings[2].tie_break;
    assert!(none == 0.0 && none.is_sign_positive(), "{none:?}");
}

/// Six players, four rounds of two games each. Round 1: 0 beats 1, 3 beats 2, 4 beats 5. Round 2: 3
/// beats 0, 4 beats 1, 5 beats 2. Round 3: 3 beats 4, 0 beats 5, 1 beats 2. Round 4: 3 beats 0 again,
/// 4 beats 2, 1 beats 5.
///
/// Points: 3 has 8, 4 has 6, 0 and 1 have 4, 5 has 2, 2 has 0. Buchholz, in the order of the rounds:
/// 3: 0 + 4 + 6 + 4; 4: 2 + 4 + 8 + 0; 0: 4 + 8 + 2 + 8; 1: 4 + 6 + 0 + 2; 5: 6 + 0 + 4 + 4;
/// 2: 8 + 2 + 4 + 6.
#[test]
fn an_opponent_of_two_rounds_counts_twice_in_buchholz() {
    let plan = plan("swiss", 6, "rounds = 4");
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    for winners in [&[0, 3, 4], &[3, 4, 5], &[3, 0, 1], &[3, 4, 1]] {
        win(&plan, &mut schedule, &mut results, winners);
    }
    let report = report(&plan, &results);
    let standings = report.standings.iter();
    let rows: Vec<_> = standings
        .map(|player| (&*player.name, player.points, player.tie_break))
        .collect();
    assert_eq!(
        rows,
        [
            ("P3", 8.0, 14.0),
            ("P4", 6.0, 14.0),
            ("P0", 4.0, 22.0),
            ("P1", 4.0, 12.0),
            ("P5", 2.0, 14.0),
            ("P2", 0.0, 20.0),
        ]
    );
}

/// The winner of the last match is first, even with fewer points: after a bye, or by covered cells.
#[test]
fn the_winner_of_a_knockout_is_first() {
    // 0 has a bye and wins the last match by 1½ to ½; 1 has 2 points of the match before it.
    let three = plan("knockout", 3, "");
    let mut results = Results::new();
    for (number, result) in (1..).zip([One, One, One, Draw]) {
        results.insert(number, game(result, [60, 50]).into());
    }
    let report = report(&three, &results);
    assert_eq!((report.tie_break, report.finished), ("rounds", true));
    assert_eq!(names(&report), [(1, "P0"), (2, "P1"), (3, "P2")]);
    let rows: Vec<_> = report
        .standings
        .iter()
        .map(|it| (it.points, it.tie_break))
        .collect();
    assert_eq!(rows, [(1.5, 3.0), (2.5, 2.0), (0.0, 1.0)]);

    // 0 wins both matches by covered cells alone, with 1 point each.
    let four = plan("knockout", 4, "");
    let (mut schedule, mut results) = (Schedule::new(&four, &Results::new()), Results::new());
    for round in 0..2 {
        for fixture in open(&schedule, &results) {
            let won = fixture.number % 2 == 1;
            let outcome = match (fixture.players, won) {
                ([0, _], true) => game(One, [70, 50]),
                ([0, _], false) => game(Two, [50, 60]),
                _ => game(One, [60, 50]),
            };
            results.insert(fixture.number, outcome.into());
        }
        schedule.advance(&four, &results);
        let report = common::report(&four, &results);
        let points: Vec<_> = report
            .standings
            .iter()
            .map(|it| (&*it.name, it.points, it.tie_break))
            .collect();
        match round {
            // Both are in the last round, which has no winner yet.
            0 => assert_eq!(
                points,
                [
                    ("P1", 2.0, 1.0),
                    ("P0", 1.0, 1.0),
                    ("P3", 1.0, 1.0),
                    ("P2", 0.0, 1.0)
                ]
            ),
            _ => assert_eq!(
                points,
                [
                    ("P0", 2.0, 3.0),
                    ("P1", 3.0, 2.0),
                    ("P3", 1.0, 1.0),
                    ("P2", 0.0, 1.0)
                ]
            ),
        }
    }
}

/// A decided test excludes the games played after it. A pair with an undecided game does not count.
#[test]
fn games_after_the_decision_do_not_count() {
    let text = "pairs = 60\nsprt = { elo0 = 0, elo1 = 100 }";
    let plan = plan("round-robin", 2, text);
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let decided = |pairs: u64| sprt.judge(&Pairs([0, 0, 0, 1, pairs])).verdict;
    let needed = (1..)
        .find(|&pairs| decided(pairs) == Verdict::Stronger)
        .unwrap();
    // The second pair has an open game, the third is 1½ to ½, all others 2 to 0.
    let mut results = Results::new();
    for number in 1..=120 {
        let result = match number {
            3 => Open,
            5 => Draw,
            _ => One,
        };
        results.insert(number, game(result, [60, 50]).into());
    }
    let schedule = Schedule::new(&plan, &results);
    let count = 2 * (needed + 2);
    assert!(count < 120 && schedule.is_over(&results));
    assert_eq!(schedule.counted().count() as u64, count);
    let progress = |schedule: &Schedule, results: &Results| {
        let progress = schedule.progress(&plan, results);
        (progress.done, progress.total)
    };
    assert_eq!(progress(&schedule, &results), (count, count));
    let whole = report(&plan, &results);
    assert_eq!(
        (whole.games, whole.planned, whole.finished),
        (count, count, true)
    );
    assert_eq!(whole.sprt.unwrap().verdict, Verdict::Stronger);
    assert_eq!(whole.standings[0].points, count as f64 - 1.5);
    // Without the last of these games the test is undecided, regardless of later games.
    results.remove(&(count as u32));
    let schedule = Schedule::new(&plan, &results);
    assert_eq!(schedule.counted().count(), 120);
    assert!(!schedule.is_over(&results));
    assert_eq!(progress(&schedule, &results), (119, 120));
}
