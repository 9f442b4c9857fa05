//! Tree reuse: a search continues from the moves played since the last one, and from nothing else.

mod common;

use duoforge_maxn::{MaxnEngine, MaxnResult, MaxnSettings};
use duoforge_rules::{Game, GameVariant, Move, Passing};
use duoforge_twin::Rng;

fn engine(text: &str) -> MaxnEngine {
    MaxnEngine::new(&text.parse::<MaxnSettings>().expect("settings"))
}

/// Random position after a number of plies.
fn random(variant: &GameVariant, plies: usize, rng: &mut Rng) -> Game {
    let mut game = Game::new(variant);
    while game.plies().len() < plies && !game.is_over() {
        let legal = game.legal();
        let mv = match legal.len() {
            0 => Move::Pass,
            n => legal[rng.below(n as u32) as usize].into(),
        };
        game.play(mv).expect("a legal move");
    }
    game
}

fn visits(result: &MaxnResult) -> u64 {
    let candidates = result.candidates.iter();
    candidates.map(|it| u64::from(it.visits)).sum()
}

/// Move, values, candidates with visits and value, and number of nodes of a result.
type Parts = (Move, Vec<f64>, Vec<(Move, u32, f64)>, usize);

/// Every part of a result but its time.
fn parts(result: &MaxnResult) -> Parts {
    let candidates = result.candidates.iter();
    let candidates = candidates.map(|it| (Move::Place(it.placement), it.visits, it.value));
    (
        result.mv,
        result.values.clone(),
        candidates.collect(),
        result.nodes,
    )
}

/// The visits of a search that continues are those of the node that it continues from and its own.
#[test]
fn a_search_continues_from_the_moves_played() {
    let small = common::small(9, 2, |_| ());
    let mut rng = Rng::new(3);
    for variant in [&small, &GameVariant::CLASSIC_2, &GameVariant::CLASSIC] {
        let mut game = random(variant, 6, &mut rng);
        let mut reused = engine("sims=4000,reuse_tree=1");
        let mut fresh = engine("sims=4000");
        let first = reused.choose(&game).expect("a move");
        assert_eq!(visits(&first), first.simulations);
        let best = first.candidates[0];
        game.play(first.mv).expect("a legal move");
        // The next seat to move, with the tree of the first.
        let second = reused.choose(&game).expect("a move");
        assert_eq!(second.simulations, 4_000);
        let kept = visits(&second) - second.simulations;
        // The first visits of the move came before it had a node.
        assert!(
            kept > 0 && kept < u64::from(best.visits),
            "{kept} of {}",
            best.visits
        );
        assert!(second.nodes > fresh.choose(&game).expect("a move").nodes);
        assert_eq!(second.values.len(), variant.seat_count());
        assert!(
            second
                .values
                .iter()
                .all(|value| (0.0..=1.0).contains(value))
        );
        // Two plies later, by moves that the search knows.
        for _ in 0..2 {
            let mv = reused.choose(&game).expect("a move").mv;
            game.play(mv).expect("a legal move");
        }
        let third = reused.choose(&game).expect("a move");
        assert!(visits(&third) > third.simulations);
    }
}

/// Without the setting, and in any game that does not continue the last one, the search is that of
/// an engine without the setting.
#[test]
fn other_games_start_from_nothing() {
    let mut rng = Rng::new(8);
    let passes = common::small(9, 2, |definition| definition.passing = Passing::CONTEST);
    for variant in [&passes, &GameVariant::CLASSIC_2] {
        let game = random(variant, 8, &mut rng);
        let earlier = {
            let mut game = game.clone();
            game.undo();
            game.undo();
            game
        };
        let other = random(variant, 9, &mut rng);
        let another = random(&GameVariant::DUO, 8, &mut rng);
        let voluntary = {
            let mut game = game.clone();
            game.play(Move::Pass).is_ok().then_some(game)
        };
        assert_eq!(voluntary.is_some(), variant.passing() == Passing::CONTEST);
        let mut on = engine("sims=500,reuse_tree=1");
        let mut off = engine("sims=500,reuse_tree=0");
        let mut plain = engine("sims=500");
        for next in [Some(other), Some(another), voluntary, Some(earlier)]
            .iter()
            .flatten()
        {
            for game in [&game, next] {
                let [on, off, plain] =
                    [&mut on, &mut off, &mut plain].map(|it| it.choose(game).expect("a move"));
                assert_eq!(parts(&on), parts(&off));
                assert_eq!(parts(&off), parts(&plain));
                assert_eq!(visits(&on), on.simulations);
            }
        }
        // A new seed forgets the tree.
        let mut continued = game.clone();
        let mv = on.choose(&game).expect("a move").mv;
        continued.play(mv).expect("a legal move");
        on.seed(4);
        off.seed(4);
        let [on, off] = [&mut on, &mut off].map(|it| it.choose(&continued).expect("a move"));
        assert_eq!(parts(&on), parts(&off));
    }
}
