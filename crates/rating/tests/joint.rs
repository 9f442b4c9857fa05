//! Simultaneous Elo ratings: a published table, a solver that shares nothing with the one under
//! test, and the limits of the model.

use duoforge_rating::{JointError, JointRating, Meeting, Singles, elo_of_score, joint_elo};
use proptest::prelude::*;

/// Games won by the row's team against the column's, American League East 1987: Milwaukee, Detroit,
/// Toronto, New York, Boston, Cleveland, Baltimore. Agresti, "Categorical Data Analysis", 2nd
/// edition, table 10.10.
const BASEBALL: [[u64; 7]; 7] = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
];

fn meeting(players: [usize; 2], games: [u64; 3]) -> Meeting {
    Meeting {
        players,
        games: Singles(games),
    }
}

/// Rating on the logistic scale.
fn strength(elo: f64) -> f64 {
    elo * std::f64::consts::LN_10 / 400.0
}

/// Table 10.11 of the same book, third column; the tests of the R package BradleyTerry2
/// (test-baseball.R) hold these digits too. Differences to Baltimore, whose strength is 0 there.
#[test]
fn strengths_of_baseball_teams_are_the_published_ones() {
    let mut meetings = Vec::new();
    for (one, won) in BASEBALL.iter().enumerate() {
        for two in one + 1..7 {
            meetings.push(meeting([one, two], [BASEBALL[two][one], 0, won[two]]));
        }
    }
    // So few virtual games leave the published digits alone.
    let ratings = joint_elo(7, &meetings, 1e-6).unwrap();
    let published = ["1.58", "1.44", "1.29", "1.25", "1.11", "0.68", "0.00"];
    for (rating, published) in ratings.iter().zip(published) {
        let above = strength(rating.elo - ratings[6].elo);
        assert_eq!(format!("{above:.2}"), published);
    }
}

/// Two players and a negligible prior: the difference is that of the score.
#[test]
fn two_players_differ_as_their_score_says() {
    let ratings = joint_elo(2, &[meeting([1, 0], [20, 10, 70])], 1e-7).unwrap();
    let difference = ratings[1].elo - ratings[0].elo;
    assert!(
        (difference - elo_of_score(0.75)).abs() < 1e-3,
        "{difference}"
    );
    assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
}

/// One game won, and one virtual draw each: the strengths are s and -s, and the points expected are
/// those scored: 3/2 = score(2s) + score(s).
#[test]
fn one_game_has_a_known_solution() {
    let ratings = joint_elo(2, &[meeting([0, 1], [0, 0, 1])], 1.0).unwrap();
    let score = |strength: f64| 1.0 / (1.0 + (-strength).exp());
    let s = strength(ratings[0].elo);
    assert!((score(2.0 * s) + score(s) - 1.5).abs() < 1e-9, "{s}");
    assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
}

#[test]
fn a_player_without_games_is_as_uncertain_as_the_virtual_draw() {
    let ratings = joint_elo(1, &[], 1.0).unwrap();
    // The curvature of one draw between equals is 1/4, so the standard error is 2.
    let width = 1.959_963_984_540_054 * 2.0 * 400.0 / std::f64::consts::LN_10;
    let JointRating { elo, low, high } = ratings[0];
    assert!(elo.abs() < 1e-9 && (high - width).abs() < 1e-6 && (low + width).abs() < 1e-6);
    assert_eq!(joint_elo(0, &[], 1.0), Ok(Vec::new()));
}

#[test]
fn perfect_scores_and_separate_pools_have_finite_ratings() {
    let wins = |players, won| meeting(players, [0, 0, won]);
    let table = [wins([0, 1], 1_000_000), wins([2, 3], 3)];
    let ratings = joint_elo(4, &table, 1.0).unwrap();
    for rating in &ratings {
        assert!(rating.elo.is_finite() && rating.low < rating.elo && rating.elo < rating.high);
    }
    assert!(ratings[0].elo > ratings[2].elo && ratings[2].elo > ratings[3].elo);
}

#[test]
fn faults_of_a_table_are_named() {
    let draws = |draws| joint_elo(2, &[], draws).unwrap_err().to_string();
    assert!(draws(0.0).starts_with("0 virtual draws are out of range"));
    assert!(draws(f64::NAN).contains("NaN") && draws(f64::INFINITY).contains("inf"));
    let wrong = |players| joint_elo(2, &[meeting(players, [1, 0, 0])], 1.0);
    let missing = JointError::Player { player: 2, last: 1 };
    assert_eq!(wrong([0, 2]), Err(missing));
    assert_eq!(
        missing.to_string(),
        "player 2 does not exist: expected 0 to 1"
    );
    assert_eq!(wrong([1, 1]), Err(JointError::Itself(1)));
}

/// Slow solver: bisection for one strength at a time, over and over, and the errors from numerical
/// second derivatives inverted by Gauss and Jordan.
struct Slow<'a> {
    meetings: &'a [Meeting],
    draws: f64,
}

impl Slow<'_> {
    fn log(&self, strengths: &[f64]) -> f64 {
        let score = |own: f64, other: f64| own.exp() / (own.exp() + other.exp());
        let mut log = 0.0;
        for Meeting { players, games } in self.meetings {
            let p = score(strengths[players[0]], strengths[players[1]]);
            let [lost, drawn, won] = games.0.map(|games| games as f64);
            log += (won + 0.5 * drawn) * p.ln() + (lost + 0.5 * drawn) * (1.0 - p).ln();
        }
        for &strength in strengths {
            let p = score(strength, 0.0);
            log += self.draws * 0.5 * (p.ln() + (1.0 - p).ln());
        }
        log
    }

    /// Points that a player scored more than expected.
    fn excess(&self, player: usize, strengths: &[f64]) -> f64 {
        let expected = |lead: f64| 0.5 + 0.5 * (0.5 * lead).tanh();
        let mut excess = self.draws * (0.5 - expected(strengths[player]));
        for Meeting { players, games } in self.meetings {
            let [lost, drawn, won] = games.0.map(|games| games as f64);
            let (other, points) = match players.iter().position(|&it| it == player) {
                Some(0) => (players[1], won + 0.5 * drawn),
                Some(_) => (players[0], lost + 0.5 * drawn),
                None => continue,
            };
            excess +=
                points - (won + drawn + lost) * expected(strengths[player] - strengths[other]);
        }
        excess
    }

    fn strengths(&self, players: usize) -> Vec<f64> {
        let mut strengths = vec![0.0; players];
        for _ in 0..20_000 {
            let before = strengths.clone();
            for player in 0..players {
                let (mut low, mut high) = (-30.0, 30.0);
                for _ in 0..60 {
                    strengths[player] = f64::midpoint(low, high);
                    if self.excess(player, &strengths) > 0.0 {
                        low = strengths[player];
                    } else {
                        high = strengths[player];
                    }
                }
            }
            let moved = before.iter().zip(&strengths);
            if moved.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) < 1e-11 {
                break;
            }
        }
        strengths
    }

    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        const STEP: f64 = 1e-3;
        let n = strengths.len();
        let at = |moves: [(usize, f64); 2]| {
            let mut moved = strengths.to_vec();
            for (player, by) in moves {
                moved[player] += by * STEP;
            }
            self.log(&moved)
        };
        let bend = |i: usize, j: usize| {
            let corners =
                at([(i, 1.0), (j, 1.0)]) - at([(i, 1.0), (j, -1.0)]) - at([(i, -1.0), (j, 1.0)])
                    + at([(i, -1.0), (j, -1.0)]);
            -corners / (4.0 * STEP * STEP)
        };
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let own = (0..n).map(|j| bend(i, j));
                own.chain((0..n).map(|j| f64::from(u8::from(i == j))))
                    .collect()
            })
            .collect();
        for pivot in 0..n {
            let scale = rows[pivot][pivot];
            rows[pivot].iter_mut().for_each(|entry| *entry /= scale);
            let row = rows[pivot].clone();
            for (other, entries) in rows.iter_mut().enumerate() {
                if other != pivot {
                    let factor = entries[pivot];
                    entries
                        .iter_mut()
                        .zip(&row)
                        .for_each(|(a, b)| *a -= factor * b);
                }
            }
        }
        (0..n).map(|i| rows[i][n + i].sqrt()).collect()
    }
}

/// Table of up to six players and eight meetings.
fn table() -> impl Strategy<Value = (usize, Vec<Meeting>)> {
    (2_usize..=6).prop_flat_map(|players| {
        let pair = (0..players, 1..players).prop_map(move |(one, by)| [one, (one + by) % players]);
        let games = [0_u64..5, 0..5, 0..5];
        let each = (pair, games).prop_map(|(players, games)| meeting(players, games));
        (Just(players), prop::collection::vec(each, 0..9))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn ratings_are_those_of_a_slow_solver((players, meetings) in table(), draws in 1.0_f64..4.0) {
        let slow = Slow { meetings: &meetings, draws };
        let strengths = slow.strengths(players);
        let errors = slow.errors(&strengths);
        let ratings = joint_elo(players, &meetings, draws).unwrap();
        for ((rating, wanted), error) in ratings.iter().zip(strengths).zip(errors) {
            prop_assert!((strength(rating.elo) - wanted).abs() < 1e-6, "{rating:?} {wanted}");
            let width = strength(rating.high - rating.low) / (2.0 * 1.959_963_984_540_054);
            prop_assert!((width / error - 1.0).abs() < 1e-3, "{width} {error}");
        }
    }

    #[test]
    fn neither_order_nor_division_of_the_games_matters((players, meetings) in table()) {
        check_order_and_division(players, &meetings);
    }
}

/// The rounding of the logarithm of the likelihood once ended the estimate of this table early.
#[test]
fn rounding_does_not_end_the_estimate_early() {
    let meetings = [
        meeting([4, 1], [3, 2, 2]),
        meeting([2, 1], [3, 2, 0]),
        meeting([2, 1], [2, 1, 2]),
        meeting([3, 0], [3, 0, 2]),
        meeting([2, 0], [0, 2, 4]),
        meeting([3, 0], [3, 2, 0]),
        meeting([0, 4], [0, 0, 1]),
    ];
    check_order_and_division(5, &meetings);
}

fn check_order_and_division(players: usize, meetings: &[Meeting]) {
    let whole = joint_elo(players, meetings, 1.0).unwrap();
    let mut turned: Vec<Meeting> = meetings
        .iter()
        .flat_map(|it| {
            let [lost, drawn, won] = it.games.0;
            let [one, two] = it.players;
            [
                meeting([two, one], [won, 0, lost]),
                meeting([one, two], [0, drawn, 0]),
            ]
        })
        .collect();
    turned.reverse();
    let parts = joint_elo(players, &turned, 1.0).unwrap();
    for (one, other) in whole.iter().zip(parts) {
        assert!((one.elo - other.elo).abs() < 1e-6);
        assert!((one.high - other.high).abs() < 1e-6);
    }
}
