//! Random games of every variant: the fast game against the slow checker.

use duoforge_rules::{
    Ending, ForcedPass, GameVariant, Move, Passing, ScoringRule, Ties, VariantDefinition,
    VoluntaryPass,
};

mod common;

use common::{Pair, Random, definition, random_code, random_move};

/// Positions that are compared of each built-in variant.
const POSITIONS: usize = 10_000;

/// One position in this number is compared for every colour, not only for the one to move.
const EVERY_COLOUR: usize = 8;

/// Plays random games until `positions` positions have been compared. Returns the number of games
/// that ended.
fn compare(variant: &GameVariant, positions: usize) -> usize {
    let mut random = Random(variant.name().bytes().map(u64::from).sum());
    let (mut compared, mut ended) = (0, 0);
    while compared < positions {
        let mut pair = Pair::new(variant);
        let mut before = Vec::new();
        // One game in four has many passes.
        let passes = if random.below(4) == 0 { 5 } else { 64 };
        loop {
            pair.compare_state();
            pair.compare_legal();
            if compared % EVERY_COLOUR == 0 {
                pair.compare_placements();
            }
            for _ in 0..4 {
                pair.judge(random_code(variant.size(), &mut random));
            }
            compared += 1;
            if pair.fast.is_over() || compared == positions {
                break;
            }
            if ended % 16 == 0 {
                before.push(pair.fast.clone());
            }
            pair.play(random_move(&pair.fast, &mut random, passes));
        }
        ended += usize::from(pair.fast.is_over());
        while let Some(expected) = before.pop() {
            pair.fast.undo();
            assert_eq!(pair.fast, expected);
        }
    }
    ended
}

#[test]
fn duo_follows_the_slow_checker() {
    assert!(compare(&GameVariant::DUO, POSITIONS) > 200);
}

#[test]
fn duo_corner_follows_the_slow_checker() {
    assert!(compare(&GameVariant::DUO_CORNER, POSITIONS) > 200);
}

#[test]
fn classic_follows_the_slow_checker() {
    assert!(compare(&GameVariant::CLASSIC, POSITIONS) > 100);
}

#[test]
fn classic_free_follows_the_slow_checker() {
    assert!(compare(&GameVariant::CLASSIC_FREE, POSITIONS) > 100);
}

#[test]
fn classic_2_follows_the_slow_checker() {
    assert!(compare(&GameVariant::CLASSIC_2, POSITIONS) > 100);
}

#[test]
fn classic_3_follows_the_slow_checker() {
    assert!(compare(&GameVariant::CLASSIC_3, POSITIONS) > 100);
}

/// Custom variants with options that no built-in variant combines.
fn custom() -> Vec<VariantDefinition> {
    let middle: &[[i64; 2]] = &[[2, 2], [2, 1], [1, 2]];
    let around: &[[i64; 2]] = &[
        [0, 0],
        [3, 0],
        [6, 0],
        [6, 3],
        [6, 6],
        [3, 6],
        [0, 6],
        [0, 3],
    ];
    let shared = |mut definition: VariantDefinition| {
        definition.colours[0].seat = Some(2);
        definition.colours[1].seat = None;
        definition.colours[1].shared = true;
        definition.colours[2].seat = Some(1);
        definition
    };
    vec![
        VariantDefinition {
            scoring: ScoringRule::Basic,
            passing: Passing {
                forced: ForcedPass::Played,
                voluntary: VoluntaryPass::Never,
                is_final: false,
            },
            ..definition("one-start-for-four", 5, 4, &[middle; 4])
        },
        VariantDefinition {
            passing: Passing {
                forced: ForcedPass::Skipped,
                voluntary: VoluntaryPass::Always,
                is_final: false,
            },
            ties: Ties::LaterSeat,
            ..shared(definition(
                "second-is-shared",
                9,
                3,
                &[&[[0, 0]], &[[8, 8]], &[[4, 4]], &[[8, 0]]],
            ))
        },
        VariantDefinition {
            passing: Passing {
                forced: ForcedPass::Skipped,
                voluntary: VoluntaryPass::AfterFirstTurn,
                is_final: true,
            },
            ties: Ties::LaterSeat,
            ..definition(
                "final-and-skipped",
                15,
                2,
                &[&[[3, 3]], &[[11, 11]], &[[3, 11]]],
            )
        },
        VariantDefinition {
            scoring: ScoringRule::Alternative,
            ending: Ending {
                all_placed: true,
                no_placement: false,
            },
            passing: Passing {
                forced: ForcedPass::Played,
                voluntary: VoluntaryPass::Never,
                is_final: true,
            },
            ..definition("alone", 20, 1, &[&[[10, 10]]])
        },
        VariantDefinition {
            starts_stay: true,
            ending: Ending {
                all_placed: true,
                no_placement: false,
            },
            passing: Passing {
                forced: ForcedPass::Played,
                voluntary: VoluntaryPass::Always,
                is_final: false,
            },
            ..definition("eight-starts", 7, 2, &[around, around])
        },
    ]
}

#[test]
fn custom_variants_follow_the_slow_checker() {
    for definition in custom() {
        let variant = GameVariant::new(&definition).unwrap();
        assert!(compare(&variant, 2_000) > 20, "{}", variant.name());
    }
}

/// Each scoring rule can be chosen for each variant.
#[test]
fn every_scoring_rule_follows_the_slow_checker() {
    for variant in GameVariant::BUILT_IN {
        for scoring in ScoringRule::ALL {
            let variant = variant.clone().with_scoring(scoring);
            let mut pair = Pair::new(&variant);
            let mut random = Random(7);
            while !pair.fast.is_over() {
                pair.play(random_move(&pair.fast, &mut random, 99));
            }
            pair.compare_state();
        }
    }
}

/// Games of Duo in which one colour places every tile.
#[test]
fn games_with_bonuses_follow_the_slow_checker() {
    let games = include_str!("../../../tests/data/bonus_games.txt");
    for line in games.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for scoring in ScoringRule::ALL {
            let mut pair = Pair::new(&GameVariant::DUO.with_scoring(scoring));
            for code in &words[2..] {
                assert!(!pair.fast.is_over());
                pair.play(code.parse::<Move>().unwrap());
                pair.compare_state();
            }
            assert!(pair.fast.is_over());
            if scoring == ScoringRule::Advanced {
                let result = pair.fast.result();
                let scores = result.seats().iter().map(|seat| seat.score.to_string());
                assert_eq!(scores.collect::<Vec<_>>(), words[..2]);
            }
        }
    }
}

/// The same games where a colour without tiles does not end the game: it passes, and the other
/// colour continues.
#[test]
fn a_colour_without_tiles_ends_the_game_only_if_the_variant_states_so() {
    let mut definition = GameVariant::DUO.definition();
    definition.name = "duo-to-the-end".to_owned();
    definition.ending.all_placed = false;
    let variant = GameVariant::new(&definition).unwrap();
    let games = include_str!("../../../tests/data/bonus_games.txt");
    let mut continued = 0;
    for line in games.lines() {
        let mut pair = Pair::new(&variant);
        pair.play_all(&line.split(' ').skip(2).collect::<Vec<_>>().join(" "));
        assert!(!pair.fast.is_over());
        let without = pair.fast.plies().last().unwrap().colour;
        assert!(pair.fast.tiles_left(without).is_empty());
        let mut random = Random(1);
        while !pair.fast.is_over() {
            pair.compare_state();
            pair.compare_legal();
            let is_forced = pair.fast.is_pass_forced();
            assert!(is_forced || pair.fast.to_move() != Some(without));
            continued += usize::from(!is_forced);
            pair.play(random_move(&pair.fast, &mut random, usize::MAX));
        }
    }
    assert!(continued > 20, "{continued} placements after the last tile");
}
