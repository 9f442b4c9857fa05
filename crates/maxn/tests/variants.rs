//! The engine in games of every variant: legal moves, candidates, determinism, limits.

mod common;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use duoforge_maxn::{MaxnEngine, MaxnResult, MaxnSettings};
use duoforge_rules::{
    Ending, ForcedPass, Game, GameVariant, Move, Passing, Placement, ScoringRule, Ties,
    VoluntaryPass,
};

use duoforge_twin::Rng;
use duoforge_twin::search::Limit;

/// Returns the built-in variants, and others with every kind of pass, end and tie.
fn variants() -> Vec<GameVariant> {
    let mut variants = GameVariant::BUILT_IN.to_vec();
    variants.push(GameVariant::DUO.with_scoring(ScoringRule::Alternative));
    // A shared colour, forced and voluntary passes.
    variants.push(common::small(15, 3, |definition| {
        definition.colours[2].seat = None;
        definition.colours[2].shared = true;
        definition.passing = Passing {
            forced: ForcedPass::Played,
            voluntary: VoluntaryPass::Always,
            is_final: false,
        };
        definition.ending = Ending {
            all_placed: true,
            no_placement: false,
        };
        definition.ties = Ties::LaterSeat;
    }));
    // Voluntary passes although forced ones are skipped.
    variants.push(common::small(9, 4, |definition| {
        definition.passing = Passing {
            forced: ForcedPass::Skipped,
            voluntary: VoluntaryPass::Always,
            is_final: true,
        };
        definition.starts_stay = true;
        definition.scoring = ScoringRule::Cells;
    }));
    // A single seat with both colours.
    variants.push(common::small(7, 2, |definition| {
        definition.seats = 1;
        definition.colours[1].seat = Some(0);
    }));
    variants
}

/// Plays random legal moves, passes included, until a random ply or shortly before the end.
fn random_game(variant: &GameVariant, rng: &mut Rng, max_plies: u32) -> Game {
    let mut game = Game::new(variant);
    for _ in 0..rng.below(max_plies + 1) {
        let moves = game.legal_moves();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        game.play(mv).expect("a legal move");
        if game.is_over() {
            game.undo();
            break;
        }
    }
    game
}

fn settings(text: &str) -> MaxnSettings {
    text.parse().expect("valid settings")
}

fn choose(game: &Game, text: &str) -> MaxnResult {
    let mut engine = MaxnEngine::new(&settings(text));
    engine.choose(game).expect("the game is not over")
}

#[test]
fn random_positions_of_every_variant_have_a_legal_choice() {
    let mut rng = Rng::new(1);
    for variant in variants() {
        for _ in 0..25 {
            let game = random_game(&variant, &mut rng, 84);
            let result = choose(&game, "sims=40");
            assert_eq!(game.check(result.mv), Ok(()), "{}\n{game}", variant.name());
            // The candidates are all legal placements; a pass is chosen only without one.
            let mut candidates: Vec<Placement> =
                result.candidates.iter().map(|it| it.placement).collect();
            candidates.sort_unstable();
            let mut legal = game.legal();
            legal.sort_unstable();
            assert!(candidates == legal, "{}\n{game}", variant.name());
            assert_eq!(result.mv == Move::Pass, candidates.is_empty());
            let simulations = if candidates.len() > 1 { 40 } else { 0 };
            assert_eq!(result.simulations, simulations);
            let visits: u32 = result.candidates.iter().map(|it| it.visits).sum();
            assert_eq!(u64::from(visits), simulations);
            if simulations > 0 {
                assert_eq!(result.mv, result.candidates[0].placement.into());
                assert_eq!(result.visits, result.candidates[0].visits);
                assert_eq!(result.values.len(), variant.seat_count());
            }
            let priors: f64 = result.candidates.iter().map(|it| it.prior).sum();
            assert!(
                candidates.is_empty() || (priors - 1.0).abs() < 1e-4,
                "{priors}"
            );
            let is_share = |value: f64| (0.0..=1.0).contains(&value);
            assert!(result.values.iter().copied().all(is_share));
            assert!(result.candidates.iter().all(|it| is_share(it.value)));
        }
    }
}

#[test]
fn whole_games_of_every_variant_end() {
    for variant in variants() {
        let mut engine = MaxnEngine::new(&settings("sims=15"));
        let mut game = Game::new(&variant);
        while let Some(result) = engine.choose(&game) {
            game.play(result.mv).expect("a legal move");
        }
        assert!(game.is_over());
    }
}

/// Everything but the time.
fn without_time(mut result: MaxnResult) -> MaxnResult {
    result.time = Duration::ZERO;
    result
}

#[test]
fn equal_seeds_give_equal_searches() {
    let mut rng = Rng::new(2);
    for variant in variants() {
        let game = random_game(&variant, &mut rng, 12);
        let [first, second, other] = ["sims=300,seed=5", "sims=300,seed=5", "sims=300,seed=6"]
            .map(|text| without_time(choose(&game, text)));
        assert_eq!(first, second, "{}", variant.name());
        if first.simulations > 0 {
            assert_ne!(first, other, "{}", variant.name());
        }
        // A new seed resets an engine that has been used.
        let mut engine = MaxnEngine::new(&settings("sims=300,seed=9"));
        engine.choose(&Game::new(&variant));
        engine.seed(5);
        let again = engine.choose(&game).expect("the game is not over");
        assert_eq!(first, without_time(again));
    }
}

#[test]
fn limits_and_the_progress_function_stop_a_search() {
    let game = Game::new(&GameVariant::CLASSIC);
    let mut engine = MaxnEngine::new(&MaxnSettings::default());
    let mut calls = Vec::new();
    let result = engine.choose_while(&game, Limit::Simulations(10_000), |progress| {
        assert_eq!(game.check(progress.best.into()), Ok(()));
        assert!(u64::from(progress.visits) <= progress.simulations);
        assert!((0.0..=1.0).contains(&progress.value));
        calls.push(progress.simulations);
        match calls.len() {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(calls, [256, 512, 768]);
    assert_eq!(result.expect("the game is not over").simulations, 768);

    let begin = Instant::now();
    let limit = Limit::Time(Duration::from_millis(30));
    let result = engine.choose_while(&game, limit, |_| ControlFlow::Continue(()));
    let result = result.expect("the game is not over");
    assert!(begin.elapsed() >= Duration::from_millis(30));
    assert!(result.time >= Duration::from_millis(30) && result.simulations > 0);

    // A limit of 0 runs a single simulation.
    for limit in [Limit::Simulations(0), Limit::Simulations(1)] {
        let result = engine.choose_while(&game, limit, |_| ControlFlow::Continue(()));
        assert_eq!(result.map(|result| result.simulations), Some(1));
    }
}

#[test]
fn a_full_tree_no_longer_grows() {
    let game = Game::new(&GameVariant::DUO);
    let full = choose(&game, "sims=3000,memory=1");
    let large = choose(&game, "sims=3000");
    assert!(full.is_full && !large.is_full);
    assert!(full.nodes < large.nodes, "{} {}", full.nodes, large.nodes);
    assert_eq!(full.simulations, 3_000);
}

#[test]
fn a_finished_game_has_no_choice() {
    let mut game = Game::new(&GameVariant::DUO_CORNER);
    let mut rng = Rng::new(3);
    while !game.is_over() {
        let moves = game.legal_moves();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        game.play(mv).expect("a legal move");
    }
    assert_eq!(MaxnEngine::new(&settings("sims=10")).choose(&game), None);
}
