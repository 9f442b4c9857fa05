//! Figures that others have published.

use duoforge_rating::{Glicko, Pairs, Rated, Rating, Singles, Sprt, Verdict, elo};

fn near(value: f64, published: f64, within: f64) {
    let apart = (value - published).abs();
    assert!(apart <= within, "{value} is not {published}");
}

/// Counts and results of fastchess' own tests of its Elo (app/tests/elo_test.cpp, "EloPentanomial 1" to
/// "3"; its fourth class is given in two parts there), to the digits printed.
#[test]
fn elo_of_pairs_is_that_of_fastchess() {
    for (pairs, difference, margin) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ] {
        let estimate = elo(&Pairs(pairs));
        near(estimate.elo, difference, 0.005);
        near(estimate.margin(), margin, 0.005);
    }
}

/// "EloWDL 2" of the same file: 136 won, 96 lost, 111 drawn.
#[test]
fn elo_of_single_games_is_that_of_fastchess() {
    let estimate = elo(&Singles([96, 111, 136]));
    near(estimate.elo, 40.70, 0.005);
    near(estimate.margin(), 30.43, 0.005);
}

/// Results that OpenBench printed, as quoted in pull request 334 of Yoshie2000/PlentyChess
/// (chess.aronpetkovski.com/test/8727 and 8736): "Elo | 0.69 +- 1.25 (95%)", "Elo | 4.20 +- 3.43 (95%)".
#[test]
fn elo_of_pairs_is_that_of_openbench() {
    for (pairs, difference, margin) in [
        ([214, 8992, 19871, 9102, 235], 0.69, 1.25),
        ([5, 942, 2469, 1050, 5], 4.20, 3.43),
    ] {
        let estimate = elo(&Pairs(pairs));
        near(estimate.elo, difference, 0.005);
        near(estimate.margin(), margin, 0.005);
    }
}

/// Counts, hypotheses and ratios of fastchess' tests of its logistic test on pairs
/// (app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2").
#[test]
fn ratio_of_pairs_is_that_of_fastchess() {
    for (pairs, hypotheses, llr) in [
        ([223, 9863, 21279, 10037, 246], [0.5, 2.5], -3.07),
        ([871, 26175, 55983, 26678, 821], [0.0, 2.0], -4.98),
    ] {
        let test = Sprt::new(hypotheses[0], hypotheses[1], 0.05, 0.05).unwrap();
        let judgement = test.judge(&Pairs(pairs));
        near(judgement.llr, llr, 0.005);
        assert_eq!(judgement.verdict, Verdict::NotStronger);
        // "(-2.94, 2.94)" is what all frameworks print for these chances of error.
        near(judgement.lower, -2.944, 0.001);
        near(judgement.upper, 2.944, 0.001);
    }
}

/// "logistic trinomial 1" and "2" of the same file.
#[test]
fn ratio_of_single_games_is_that_of_fastchess() {
    for (games, hypotheses, llr, verdict) in [
        ([21184, 40708, 21404], [0.5, 2.5], -1.57, Verdict::Undecided),
        (
            [57030, 106_593, 57433],
            [0.0, 2.0],
            -2.59,
            Verdict::Undecided,
        ),
    ] {
        let test = Sprt::new(hypotheses[0], hypotheses[1], 0.05, 0.05).unwrap();
        let judgement = test.judge(&Singles(games));
        near(judgement.llr, llr, 0.005);
        assert_eq!(judgement.verdict, verdict);
    }
}

/// "(-2.25, 2.89)" is printed by OpenBench for alpha = 0.05 and beta = 0.10 (the same pull request).
#[test]
fn bounds_are_those_of_openbench() {
    let judgement = Sprt::new(0.0, 2.5, 0.05, 0.10)
        .unwrap()
        .judge(&Pairs::default());
    near(judgement.lower, -2.25, 0.005);
    near(judgement.upper, 2.89, 0.005);
}

/// Mark Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf).
#[test]
fn glickman_s_example_is_met() {
    let mut glicko = Glicko::default();
    let rating = |rating, deviation| Rating {
        rating,
        deviation,
        volatility: 0.06,
    };
    glicko.set("player", rating(1500.0, 200.0));
    for (name, number, deviation) in [
        ("first", 1400.0, 30.0),
        ("second", 1550.0, 100.0),
        ("third", 1700.0, 300.0),
    ] {
        glicko.set(name, rating(number, deviation));
    }
    let game = |rival: &str, halves| Rated {
        player: "player".into(),
        rival: rival.into(),
        halves,
    };
    let games = [game("first", 2), game("second", 0), game("third", 0)];
    glicko.event(&games).unwrap();
    let rating = glicko.rating("player").unwrap();
    near(rating.rating, 1464.06, 0.01);
    near(rating.deviation, 151.52, 0.01);
    near(rating.volatility, 0.05999, 0.00001);
}
