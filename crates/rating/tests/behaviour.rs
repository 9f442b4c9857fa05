//! Properties that hold for arbitrary counts.

use duoforge_rating::{
    Glicko, GlickoError, Pairs, Rated, Rating, Singles, Sprt, SprtError, Verdict, elo,
    elo_of_score, score_of_elo,
};
use proptest::prelude::*;

/// Returns the number of equal pairs that decide a test, and the verdict.
fn needed(test: &Sprt, halves: u8) -> (u64, Verdict) {
    let mut pairs = Pairs::default();
    loop {
        pairs.add(halves);
        let judgement = test.judge(&pairs);
        if judgement.verdict != Verdict::Undecided {
            return (pairs.0.iter().sum(), judgement.verdict);
        }
        assert!(pairs.0[usize::from(halves)] < 10_000, "{judgement:?}");
    }
}

#[test]
fn lost_or_won_without_exception_ends_a_test() {
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let (lost, verdict) = needed(&test, 0);
    assert_eq!(verdict, Verdict::NotStronger);
    let (won, verdict) = needed(&test, 4);
    assert_eq!(verdict, Verdict::Stronger);
    assert!(lost < 20 && won < 20, "{lost} {won}");
    let narrow = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
    assert_eq!(needed(&narrow, 0).1, Verdict::NotStronger);
    assert_eq!(needed(&narrow, 4).1, Verdict::Stronger);
    assert_eq!(needed(&narrow, 2).1, Verdict::NotStronger);
}

#[test]
fn without_games_nothing_is_known() {
    let estimate = elo(&Pairs::default());
    assert_eq!((estimate.score, estimate.elo), (0.5, 0.0));
    assert_eq!(
        (estimate.low, estimate.high),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
    let judgement = Sprt::new(0.0, 5.0, 0.05, 0.05)
        .unwrap()
        .judge(&Singles::default());
    assert_eq!(
        (judgement.llr, judgement.verdict),
        (0.0, Verdict::Undecided)
    );
}

#[test]
fn pairs_alike_leave_room_for_other_ones() {
    let won = elo(&Pairs([0, 0, 0, 0, 10]));
    assert_eq!((won.elo, won.high), (f64::INFINITY, f64::INFINITY));
    // Ten wins in a row: with 97.5 % certainty, at least 0.025^(1/10) = 0.691 of all pairs are won.
    assert!((score_of_elo(won.low) - 0.6915).abs() < 1e-4, "{won:?}");
    for number in 1..100 {
        let [lost, won] =
            [[number, 0, 0, 0, 0], [0, 0, 0, 0, number]].map(|pairs| elo(&Pairs(pairs)));
        assert_eq!((lost.low, won.high), (f64::NEG_INFINITY, f64::INFINITY));
    }
    let drawn = elo(&Pairs([0, 0, 10, 0, 0]));
    assert!(
        (drawn.low + drawn.high).abs() < 1e-9 && drawn.high > 50.0,
        "{drawn:?}"
    );
    assert_eq!(
        serde_json::to_value(won).unwrap()["elo"],
        serde_json::Value::Null
    );
}

#[test]
fn numbers_that_make_no_test_are_refused() {
    for (elo0, elo1) in [
        (5.0, 0.0),
        (0.0, 0.0),
        (f64::NAN, 1.0),
        (0.0, f64::INFINITY),
    ] {
        assert!(matches!(
            Sprt::new(elo0, elo1, 0.05, 0.05),
            Err(SprtError::Hypotheses { .. })
        ));
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.0), (0.5, 0.5), (f64::NAN, 0.1)] {
        assert!(matches!(
            Sprt::new(0.0, 1.0, alpha, beta),
            Err(SprtError::Chances { .. })
        ));
    }
}

#[test]
fn who_stays_away_becomes_uncertain_and_nothing_else() {
    let mut glicko = Glicko::default();
    let known = Rating {
        rating: 1600.0,
        deviation: 50.0,
        volatility: 0.06,
    };
    glicko.set("away", known);
    let game = Rated {
        player: "new".into(),
        opponent: "other".into(),
        halves: 2,
    };
    glicko.event(std::slice::from_ref(&game)).unwrap();
    let away = glicko.rating("away").unwrap();
    assert_eq!((away.rating, away.volatility), (1600.0, 0.06));
    assert!(away.deviation > 50.0 && away.deviation < 53.0, "{away:?}");
    let names: Vec<_> = glicko
        .table()
        .into_iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(names, ["new", "away", "other"]);

    let before = glicko.clone();
    let wrong = Rated {
        halves: 3,
        ..game.clone()
    };
    let itself = Rated {
        opponent: "new".into(),
        ..game.clone()
    };
    assert!(matches!(
        glicko.event(&[game.clone(), wrong]),
        Err(GlickoError::Score { halves: 3, .. })
    ));
    assert_eq!(
        glicko.event(&[itself]),
        Err(GlickoError::Itself("new".into()))
    );
    assert_eq!(glicko, before);
}

proptest! {
    #[test]
    fn the_opponent_sees_the_opposite(counts in prop::array::uniform5(0_u64..500)) {
        let pairs = Pairs(counts);
        let (own, other) = (elo(&pairs), elo(&pairs.reversed()));
        prop_assert!((own.score + other.score - 1.0).abs() < 1e-9);
        if own.low.is_finite() && other.high.is_finite() {
            prop_assert!((own.low + other.high).abs() < 1e-6, "{own:?} {other:?}");
        }
        let test = Sprt::new(-7.0, 7.0, 0.05, 0.05).unwrap();
        let (llr, opposite) = (test.judge(&pairs).llr, test.judge(&pairs.reversed()).llr);
        prop_assert!((llr + opposite).abs() < 1e-6, "{llr} {opposite}");
    }

    #[test]
    fn better_results_speak_for_the_stronger_hypothesis(
        counts in prop::array::uniform5(0_u64..500),
        from in 0_usize..4,
    ) {
        prop_assume!(counts[from] > 0);
        let mut better = counts;
        better[from] -= 1;
        better[from + 1] += 1;
        prop_assert!(elo(&Pairs(better)).score > elo(&Pairs(counts)).score);
        let estimate = elo(&Pairs(counts));
        prop_assert!(estimate.low <= estimate.elo && estimate.elo <= estimate.high);
    }

    #[test]
    fn a_ratio_is_a_number(
        counts in prop::array::uniform5(prop_oneof![Just(0), 0_u64..5, 0..u64::from(u32::MAX)]),
        elo0 in -3_000.0..3_000.0,
        width in 0.1..3_000.0,
    ) {
        let test = Sprt::new(elo0, elo0 + width, 0.05, 0.1).unwrap();
        prop_assert!(test.judge(&Pairs(counts)).llr.is_finite());
    }

    #[test]
    fn score_and_difference_belong_together(score in 0.001..0.999) {
        prop_assert!((score_of_elo(elo_of_score(score)) - score).abs() < 1e-9);
    }
}
