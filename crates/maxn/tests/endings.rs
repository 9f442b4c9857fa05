//! Endings: the engine's choice compared with an exhaustive search over the rules.

mod common;

use duoforge_maxn::{MaxnEngine, MaxnSettings};
use duoforge_rules::{Game, GameVariant, Move, Passing, Seat};
use duoforge_twin::Rng;

/// Maximum number of positions of an exhaustive search.
const MAX_POSITIONS: u32 = 3_000;

/// Result for seat 0 of two with best play: 1 win, 0 draw, -1 loss. `None` if there are more
/// positions than the budget.
fn solve(game: &mut Game, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let Some(seat) = game.seat_to_move() else {
        return Some((game.seat_score(Seat(0)) - game.seat_score(Seat(1))).signum());
    };
    let values = values(game, budget)?;
    let values = values.into_iter().map(|(_, value)| value);
    if seat == Seat(0) {
        values.max()
    } else {
        values.min()
    }
}

/// Result for seat 0 of each legal move, voluntary passes included.
fn values(game: &mut Game, budget: &mut u32) -> Option<Vec<(Move, i32)>> {
    let moves = game.legal_moves();
    let mut values = Vec::new();
    for mv in moves {
        game.play(mv).expect("a legal move");
        let value = solve(game, budget);
        game.undo();
        values.push((mv, value?));
    }
    Some(values)
}

/// Plays random games, and takes back plies while the exhaustive search has the budget; compares
/// the engine's choice in each position in which the choice decides the result. Returns the number
/// of these positions, and of the choices that give the best result.
fn decided(variant: &GameVariant, games: u32, rng: &mut Rng) -> (u32, u32) {
    let settings: MaxnSettings = "sims=20000".parse().expect("settings");
    let (mut positions, mut best) = (0, 0);
    for seed in 0..games {
        let mut game = Game::new(variant);
        while !game.is_over() {
            let legal = game.legal();
            let mv = match legal.len() {
                0 => Move::Pass,
                n => legal[rng.below(n as u32) as usize].into(),
            };
            game.play(mv).expect("a legal move");
        }
        while game.undo().is_some() {
            let seat = game.seat_to_move().expect("the game is not over");
            let Some(values) = values(&mut game, &mut MAX_POSITIONS.clone()) else {
                break;
            };
            let sign = if seat == Seat(0) { 1 } else { -1 };
            let value = |it: &(Move, i32)| sign * it.1;
            let most = values.iter().map(value).max().expect("a legal move");
            // Without a voluntary pass the best result is the same.
            let is_placement = |it: &&(Move, i32)| it.0 != Move::Pass;
            let placed = values.iter().filter(is_placement).map(value).max();
            assert!(placed.is_none_or(|placed| placed == most), "\n{game}");
            if values.iter().all(|it| value(it) == most) {
                continue;
            }
            positions += 1;
            let mut engine = MaxnEngine::new(&settings);
            engine.seed(seed.into());
            let chosen = engine.choose(&game).expect("the game is not over").mv;
            let chosen = values.iter().find(|it| it.0 == chosen);
            best += u32::from(value(chosen.expect("a legal move")) == most);
        }
    }
    (positions, best)
}

/// Every decisive ending of small boards with two and with four colours.
#[test]
fn won_endings_are_won_and_drawn_ones_held() {
    let mut rng = Rng::new(4);
    let two = common::small(8, 2, |_| ());
    let four = common::small(9, 4, |_| ());
    let passes = common::small(8, 2, |definition| definition.passing = Passing::CONTEST);
    let mut all = (0, 0);
    for variant in [two, four, passes] {
        let (positions, best) = decided(&variant, 20, &mut rng);
        assert!(positions >= 10, "{positions}");
        all = (all.0 + positions, all.1 + best);
    }
    assert_eq!(all.0, all.1, "of {} choices {} are best", all.0, all.1);
}

/// Games from decided positions to their end, in which one engine moves for both seats and reuses
/// its tree. In each position another engine chooses with a new tree: the reused one chooses the best
/// result about as often. Neither proves endings, so a choice may miss it.
#[test]
fn reused_trees_win_endings_as_often_as_new_ones() {
    let settings: MaxnSettings = "sims=20000,reuse_tree=1".parse().expect("settings");
    let new: MaxnSettings = "sims=20000".parse().expect("settings");
    let mut rng = Rng::new(9);
    let (mut positions, mut best, mut best_new) = (0_u32, 0_u32, 0_u32);
    let two = common::small(8, 2, |_| ());
    let passes = common::small(8, 2, |definition| definition.passing = Passing::CONTEST);
    for (seed, variant) in [&two, &passes].into_iter().cycle().take(16).enumerate() {
        let mut game = Game::new(variant);
        while !game.is_over() {
            let legal = game.legal();
            let mv = match legal.len() {
                0 => Move::Pass,
                n => legal[rng.below(n as u32) as usize].into(),
            };
            game.play(mv).expect("a legal move");
        }
        // The earliest position of the game that the exhaustive search can decide.
        while let Some(played) = game.undo() {
            if values(&mut game, &mut MAX_POSITIONS.clone()).is_none() {
                game.play(played.mv).expect("a legal move");
                break;
            }
        }
        let mut engine = MaxnEngine::new(&settings);
        engine.seed(seed as u64);
        while let Some(seat) = game.seat_to_move() {
            let Some(values) = values(&mut game, &mut MAX_POSITIONS.clone()) else {
                break;
            };
            let sign = if seat == Seat(0) { 1 } else { -1 };
            let most = values.iter().map(|it| sign * it.1).max();
            let is_best = |chosen: Move| {
                let found = values.iter().find(|it| it.0 == chosen);
                u32::from(Some(sign * found.expect("a legal move").1) == most)
            };
            let chosen = engine.choose(&game).expect("the game is not over").mv;
            positions += 1;
            best += is_best(chosen);
            let mut other = MaxnEngine::new(&new);
            other.seed(seed as u64);
            best_new += is_best(other.choose(&game).expect("the game is not over").mv);
            game.play(chosen).expect("a legal move");
        }
    }
    assert!(positions >= 40, "{positions}");
    let text = format!("of {positions} choices {best} are best, and {best_new} with new trees");
    assert!(
        best + 2 >= best_new && 20 * best >= 19 * positions,
        "{text}"
    );
}
