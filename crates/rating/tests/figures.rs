//! Figures from an independent program: Python, with the formulas of the papers and 300 bisection
//! steps.

use duoforge_rating::{
    Counts, Glicko, GlickoError, Pairs, Rated, Rating, Singles, Sprt, SprtError, Verdict, elo,
};

fn near(value: f64, expected: f64) {
    let apart = (value - expected).abs();
    assert!(
        apart <= 1e-6 * expected.abs().max(1.0),
        "{value} is not {expected}"
    );
}

/// Counts of 0 are replaced by 0.001, as in fishtest.
#[test]
fn ratios_of_counts_with_gaps() {
    let test = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
    for (pairs, test, llr) in [
        ([0, 0, 0, 0, 10], test(0.0, 10.0), 0.283_737_483),
        ([3, 0, 0, 0, 0], test(0.0, 5.0), -0.043_513_273),
        ([0, 1, 4, 3, 2], test(-5.0, 10.0), 0.428_208_167),
    ] {
        near(test.judge(&Pairs(pairs)).llr, llr);
    }
    near(
        test(0.0, 20.0).judge(&Singles([2, 0, 5])).llr,
        0.161_124_020,
    );
}

#[test]
fn intervals_with_and_without_variance() {
    // Score, standard error, Elo and the ends of the interval.
    let estimate = elo(&Singles([5, 5, 10]));
    near(estimate.score, 0.625);
    near(estimate.error, 0.092_702_481);
    near(estimate.elo, 88.739_499_8);
    near(estimate.low, -39.564_837_6);
    near(estimate.high, 248.184_867);
    near(estimate.margin(), 143.874_852);
    // 0.025^(1/10) = 0.691502892 of all pairs have the score of the ten.
    let drawn = elo(&Pairs([0, 0, 10, 0, 0]));
    near(drawn.low, -110.791_506);
    near(drawn.high, 110.791_506);
    let won = elo(&Pairs([0, 0, 0, 0, 10]));
    near(won.low, 140.217_162);
    let lost = elo(&Pairs([10, 0, 0, 0, 0]));
    near(lost.high, -140.217_162);
    assert_eq!((won.error, lost.error), (0.0, 0.0));
    // A single game gives a very wide interval.
    near(elo(&Singles([0, 0, 1])).low, -636.425_843);
    let nothing = elo(&Singles::default());
    assert_eq!((nothing.score, nothing.error), (0.5, 0.5));
}

#[test]
fn counts_are_kept_by_half_points_and_seen_from_both_sides() {
    let mut pairs = Pairs::default();
    for halves in [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4] {
        pairs.add(halves);
    }
    assert_eq!(pairs, Pairs([1, 2, 3, 4, 5]));
    assert_eq!(
        (pairs.samples(), pairs.counts()),
        (15, &[1, 2, 3, 4, 5][..])
    );
    assert_eq!(pairs.reversed(), Pairs([5, 4, 3, 2, 1]));
    let mut games = Singles::default();
    for halves in [0, 1, 1, 2, 2, 2] {
        games.add(halves);
    }
    assert_eq!(games, Singles([1, 2, 3]));
    assert_eq!((games.samples(), games.counts()), (6, &[1, 2, 3][..]));
    assert_eq!(games.reversed(), Singles([3, 2, 1]));
    assert_eq!(serde_json::to_string(&games).unwrap(), "[1,2,3]");
    assert_eq!(serde_json::to_string(&pairs).unwrap(), "[1,2,3,4,5]");
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_pair_has_four_half_points_at_most() {
    Pairs::default().add(5);
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_game_has_two_half_points_at_most() {
    Singles::default().add(3);
}

#[test]
fn a_test_ends_at_its_bounds_for_the_right_side() {
    // (counts, alpha, beta, verdict): for equal counts, only the bounds decide whether the test
    // ends.
    let counts = Pairs([0, 1, 4, 3, 2]);
    let reversed = counts.reversed();
    let judge = |counts: Pairs, elo0, elo1, alpha, beta| {
        Sprt::new(elo0, elo1, alpha, beta).unwrap().judge(&counts)
    };
    // llr = 0.428: above ln(0.55/0.40) = 0.318, below ln(0.60/0.35) = 0.539.
    assert_eq!(
        judge(counts, -5.0, 10.0, 0.40, 0.45).verdict,
        Verdict::Stronger
    );
    assert_eq!(
        judge(counts, -5.0, 10.0, 0.35, 0.40).verdict,
        Verdict::Undecided
    );
    // llr = -0.428: below ln(0.40/0.55) = -0.318, above ln(0.35/0.60) = -0.539.
    assert_eq!(
        judge(reversed, -10.0, 5.0, 0.45, 0.40).verdict,
        Verdict::NotStronger
    );
    assert_eq!(
        judge(reversed, -10.0, 5.0, 0.40, 0.35).verdict,
        Verdict::Undecided
    );
    let bounds = judge(counts, -5.0, 10.0, 0.05, 0.20);
    near(bounds.lower, (0.20_f64 / 0.95).ln());
    near(bounds.upper, (0.80_f64 / 0.05).ln());
    let words = [Verdict::NotStronger, Verdict::Undecided, Verdict::Stronger];
    let words = words.map(|verdict| serde_json::to_value(verdict).unwrap());
    assert_eq!(words, ["not-stronger", "undecided", "stronger"]);
}

#[test]
fn hypotheses_and_chances_have_exact_limits_and_texts() {
    let refused = |elo0, elo1, alpha, beta| {
        let error: SprtError = Sprt::new(elo0, elo1, alpha, beta).unwrap_err();
        error.to_string()
    };
    let hypotheses =
        |zero, one| format!("elo0 = {zero} must be less than elo1 = {one}, and both finite");
    let chances = |alpha, beta| {
        format!("alpha = {alpha} and beta = {beta} must lie above 0, and their sum below 1")
    };
    assert_eq!(refused(5.0, 0.0, 0.05, 0.05), hypotheses("5", "0"));
    assert_eq!(refused(1.0, 1.0, 0.05, 0.05), hypotheses("1", "1"));
    assert_eq!(
        refused(f64::NEG_INFINITY, 1.0, 0.05, 0.05),
        hypotheses("-inf", "1")
    );
    assert_eq!(
        refused(1.0, f64::INFINITY, 0.05, 0.05),
        hypotheses("1", "inf")
    );
    assert_eq!(refused(0.0, 5.0, 0.0, 0.05), chances("0", "0.05"));
    assert_eq!(refused(0.0, 5.0, 0.05, 0.0), chances("0.05", "0"));
    assert_eq!(refused(0.0, 5.0, -0.5, 0.05), chances("-0.5", "0.05"));
    assert_eq!(refused(0.0, 5.0, 0.5, 0.5), chances("0.5", "0.5"));
    assert_eq!(refused(0.0, 5.0, 0.75, 0.5), chances("0.75", "0.5"));
    let test = Sprt::new(-1.0, 5.0, 0.25, 0.5).unwrap();
    assert_eq!(
        (test.elo0, test.elo1, test.alpha, test.beta),
        (-1.0, 5.0, 0.25, 0.5)
    );
}

fn rating(rating: f64, deviation: f64) -> Rating {
    Rating {
        rating,
        deviation,
        volatility: 0.06,
    }
}

fn is(found: Option<Rating>, rating: f64, deviation: f64, volatility: f64) {
    let found = found.unwrap();
    near(found.rating, rating);
    near(found.deviation, deviation);
    near(found.volatility, volatility);
}

fn game(player: &str, opponent: &str, halves: u8) -> Rated {
    Rated {
        player: player.into(),
        opponent: opponent.into(),
        halves,
    }
}

/// The opponents in Glickman's example are rated too, each by its own game.
#[test]
fn both_players_of_a_game_are_rated() {
    let mut glicko = Glicko::default();
    glicko.set("player", rating(1500.0, 200.0));
    glicko.set("first", rating(1400.0, 30.0));
    glicko.set("second", rating(1550.0, 100.0));
    glicko.set("third", rating(1700.0, 300.0));
    // Each game is recorded from a different side; the order does not matter.
    let games = [
        game("third", "player", 2),
        game("player", "first", 2),
        game("second", "player", 2),
    ];
    glicko.event(&games).unwrap();
    is(
        glicko.rating("player"),
        1_464.050_67,
        151.516_524,
        0.059_995_984,
    );
    is(
        glicko.rating("first"),
        1_398.143_56,
        31.670_215_3,
        0.059_999_124,
    );
    is(
        glicko.rating("second"),
        1_570.394_74,
        97.709_168_5,
        0.059_999_419,
    );
    is(
        glicko.rating("third"),
        1_784.421_79,
        251.565_565,
        0.059_999_012,
    );
}

#[test]
fn newcomers_begin_at_1500_and_draws_bring_players_together() {
    let newcomer = Rating::default();
    assert_eq!(
        (newcomer.rating, newcomer.deviation, newcomer.volatility),
        (1500.0, 350.0, 0.06)
    );
    assert_eq!(newcomer.interval(), (800.0, 2200.0));
    let mut glicko = Glicko::default();
    assert_eq!(glicko.rating("winner"), None);
    glicko.event(&[game("winner", "loser", 2)]).unwrap();
    is(
        glicko.rating("winner"),
        1_662.310_89,
        290.318_964,
        0.059_999_675,
    );
    is(
        glicko.rating("loser"),
        1_337.689_11,
        290.318_964,
        0.059_999_675,
    );

    let mut glicko = Glicko::default();
    glicko.set("known", rating(1800.0, 60.0));
    glicko.event(&[game("known", "new", 1)]).unwrap();
    is(
        glicko.rating("known"),
        1_796.315_96,
        60.595_758_0,
        0.059_999_312,
    );
    is(
        glicko.rating("new"),
        1_658.095_67,
        284.639_414,
        0.059_999_550,
    );
    let order: Vec<_> = glicko.table().iter().map(|(name, _)| *name).collect();
    assert_eq!(order, ["known", "new"]);

    // Player without a game: the square root of 50^2 + (173.7178 * 0.06)^2.
    let mut glicko = Glicko::default();
    glicko.set("away", rating(1600.0, 50.0));
    glicko.event(&[]).unwrap();
    is(glicko.rating("away"), 1600.0, 51.074_850_4, 0.06);
}

#[test]
fn equal_ratings_are_listed_by_name() {
    let mut glicko = Glicko::default();
    for name in ["c", "a", "b"] {
        glicko.set(name, rating(1500.0, 100.0));
    }
    glicko.set("best", rating(1501.0, 100.0));
    let names: Vec<_> = glicko.table().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["best", "a", "b", "c"]);
    let text = serde_json::to_string(&glicko).unwrap();
    assert!(text.starts_with(r#"{"a":{"rating":1500.0,"deviation":100.0,"volatility":0.06}"#));
    assert_eq!(serde_json::from_str::<Glicko>(&text).unwrap(), glicko);
}

#[test]
fn games_that_cannot_be_rated_are_named() {
    let mut glicko = Glicko::default();
    let text = |games: &[Rated], glicko: &mut Glicko| -> String {
        let error: GlickoError = glicko.event(games).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        text(&[game("a", "b", 2), game("c", "d", 3)], &mut glicko),
        "'c' cannot score 3 half points in one game"
    );
    assert_eq!(
        text(&[game("a", "a", 1)], &mut glicko),
        "'a' played against itself: such a game does not rate it"
    );
    assert_eq!(glicko, Glicko::default());
}
