//! Figures published by other projects.

use duoforge_rating::{Glicko, Pairs, Rated, Rating, Singles, Sprt, Verdict, elo, score_of_elo};

fn near(value: f64, published: f64, within: f64) {
    let apart = (value - published).abs();
    assert!(apart <= within, "{value} is not {published}");
}

/// Compares all published digits.
fn prints(value: f64, published: &str) {
    let digits = published
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    assert_eq!(format!("{value:.digits$}"), published, "{value}");
}

/// Counts and results of fastchess' tests of its Elo (app/tests/elo_test.cpp, "EloPentanomial 1" to
/// "3"), to the digits printed. The file gives the fourth class in two parts.
#[test]
fn elo_of_pairs_is_that_of_fastchess() {
    for (pairs, difference, margin, score) in [
        ([34, 54, 63, 64, 75], "55.58", "27.65", "0.579"),
        ([332, 433, 498, 333, 334], "-8.64", "10.33", "0.488"),
        ([7895, 8757, 5685, 568, 9999], "-21.04", "2.95", "0.470"),
    ] {
        let estimate = elo(&Pairs(pairs));
        prints(estimate.elo, difference);
        prints(estimate.margin(), margin);
        prints(estimate.score, score);
    }
}

/// Results printed by fastchess, from pull requests 773, 836, 804 and 727 of brunocodutra/cinder:
/// "Elo", its margin, the points in percent, and "Ptnml(0-2)".
#[test]
fn elo_of_pairs_is_what_fastchess_printed() {
    for (pairs, difference, margin, percent) in [
        ([36, 340, 767, 462, 82], "22.07", "7.16", "53.17"),
        ([835, 6884, 13116, 7201, 852], "2.11", "1.70", "50.30"),
        ([320, 2667, 5158, 2850, 359], "3.99", "2.72", "50.57"),
        ([50, 287, 610, 387, 73], "18.04", "8.23", "52.59"),
    ] {
        let estimate = elo(&Pairs(pairs));
        prints(estimate.elo, difference);
        prints(estimate.margin(), margin);
        prints(100.0 * estimate.score, percent);
    }
}

/// "EloWDL 2" of the same file: 136 wins, 96 losses, 111 draws; of "EloWDL 1" and "3" only the
/// scores.
#[test]
fn elo_of_single_games_is_that_of_fastchess() {
    let estimate = elo(&Singles([96, 111, 136]));
    prints(estimate.elo, "40.70");
    prints(estimate.margin(), "30.43");
    prints(estimate.score, "0.558");
    prints(elo(&Singles([89, 123, 76])).score, "0.477");
    prints(elo(&Singles([356, 0, 34])).score, "0.087");
}

/// Results printed by cutechess, from its issue 543: "880 - 759 - 1863  [0.517] 3502", "Elo
/// difference: 12.0 +/- 7.9". With elo0=0.0 elo1=5.0 alpha=0.05 beta=0.05 it prints "llr 2.95
/// (100.2%)", accepted. The undecided test is from pull request 570 of brunocodutra/cinder, with
/// elo0=-5 and elo1=5: "1038 - 1037 - 1925  [0.500] 4000", "llr 0.0555 (1.9%)".
#[test]
fn single_games_are_judged_as_by_cutechess() {
    let games = Singles([759, 1863, 880]);
    let estimate = elo(&games);
    prints(estimate.score, "0.517");
    prints(estimate.elo, "12.0");
    prints(estimate.margin(), "7.9");
    let judgement = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap().judge(&games);
    prints(judgement.llr, "2.95");
    assert_eq!(judgement.verdict, Verdict::Stronger);
    let open = Sprt::new(-5.0, 5.0, 0.05, 0.05).unwrap();
    let judgement = open.judge(&Singles([1037, 1925, 1038]));
    prints(judgement.llr, "0.0555");
    prints(100.0 * judgement.llr / judgement.upper, "1.9");
    prints(judgement.lower, "-2.94");
    prints(judgement.upper, "2.94");
    assert_eq!(judgement.verdict, Verdict::Undecided);
}

/// Result of OpenBench for single games, from pull request 104 of Luecx/Koivisto: "ELO | 2.25 +-
/// 1.56 (95%)", "N: 81784 W: 17887 L: 17357 D: 46540".
#[test]
fn elo_of_single_games_is_that_of_openbench() {
    let estimate = elo(&Singles([17357, 46540, 17887]));
    prints(estimate.elo, "2.25");
    prints(estimate.margin(), "1.56");
}

/// Wikipedia, "Elo rating system": an expected score of 64 % for 100 points, 76 % for 200 points.
/// The worked example is a player with 1613 points and expectations of 0.51, 0.69, 0.79, 0.54 and
/// 0.35 against its five opponents.
#[test]
fn expected_scores_are_those_of_the_textbook() {
    prints(100.0 * score_of_elo(100.0), "64");
    prints(100.0 * score_of_elo(200.0), "76");
    for (opponent, score) in [
        (1609.0, "0.51"),
        (1477.0, "0.69"),
        (1388.0, "0.79"),
        (1586.0, "0.54"),
        (1720.0, "0.35"),
    ] {
        prints(score_of_elo(1613.0 - opponent), score);
        near(
            score_of_elo(opponent - 1613.0) + score_of_elo(1613.0 - opponent),
            1.0,
            1e-12,
        );
    }
}

/// Results printed by OpenBench, as quoted in pull request 334 of Yoshie2000/PlentyChess
/// (chess.aronpetkovski.com/test/8727 and 8736): "Elo | 0.69 +- 1.25 (95%)", "Elo | 4.20 +- 3.43
/// (95%)".
#[test]
fn elo_of_pairs_is_that_of_openbench() {
    for (pairs, difference, margin) in [
        ([214, 8992, 19871, 9102, 235], "0.69", "1.25"),
        ([5, 942, 2469, 1050, 5], "4.20", "3.43"),
        // Pull requests 229 and 233 of the same repository, and 210 of cosmobobak/viridithas.
        ([24, 609, 1406, 767, 42], "11.84", "4.83"),
        ([59, 1365, 2872, 1515, 89], "6.18", "3.40"),
        ([189, 845, 1540, 899, 214], "4.90", "5.35"),
    ] {
        let estimate = elo(&Pairs(pairs));
        prints(estimate.elo, difference);
        prints(estimate.margin(), margin);
    }
}

/// Counts, hypotheses and ratios of fastchess' tests of its logistic test on pairs
/// (app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2").
#[test]
fn ratio_of_pairs_is_that_of_fastchess() {
    for (pairs, hypotheses, llr) in [
        ([223, 9863, 21279, 10037, 246], [0.5, 2.5], "-3.07"),
        ([871, 26175, 55983, 26678, 821], [0.0, 2.0], "-4.98"),
    ] {
        let test = Sprt::new(hypotheses[0], hypotheses[1], 0.05, 0.05).unwrap();
        let judgement = test.judge(&Pairs(pairs));
        prints(judgement.llr, llr);
        assert_eq!(judgement.verdict, Verdict::NotStronger);
        // All frameworks print "(-2.94, 2.94)" for these error probabilities.
        prints(judgement.lower, "-2.94");
        prints(judgement.upper, "2.94");
    }
}

/// "logistic trinomial 1" and "2" of the same file.
#[test]
fn ratio_of_single_games_is_that_of_fastchess() {
    for (games, hypotheses, llr, verdict) in [
        (
            [21184, 40708, 21404],
            [0.5, 2.5],
            "-1.57",
            Verdict::Undecided,
        ),
        (
            [57030, 106_593, 57433],
            [0.0, 2.0],
            "-2.59",
            Verdict::Undecided,
        ),
    ] {
        let test = Sprt::new(hypotheses[0], hypotheses[1], 0.05, 0.05).unwrap();
        let judgement = test.judge(&Singles(games));
        prints(judgement.llr, llr);
        assert_eq!(judgement.verdict, verdict);
    }
}

/// OpenBench prints "(-2.25, 2.89)" for alpha = 0.05 and beta = 0.10 (the same pull request).
#[test]
fn bounds_are_those_of_openbench() {
    let judgement = Sprt::new(0.0, 2.5, 0.05, 0.10)
        .unwrap()
        .judge(&Pairs::default());
    prints(judgement.lower, "-2.25");
    prints(judgement.upper, "2.89");
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
    let game = |opponent: &str, halves| Rated {
        player: "player".into(),
        opponent: opponent.into(),
        halves,
    };
    let games = [game("first", 2), game("second", 0), game("third", 0)];
    glicko.event(&games).unwrap();
    let rating = glicko.rating("player").unwrap();
    // The paper continues with rounded intermediate results: 1464.06 instead of 1464.05.
    near(rating.rating, 1464.06, 0.01);
    prints(rating.deviation, "151.52");
    near(rating.volatility, 0.05999, 0.00001);
}
