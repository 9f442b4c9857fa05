//! Random positions, which follow from a seed.

use duoforge_rules::{Game, GameVariant, Move, Placement};
use duoforge_twin::Rng;

/// Maximum number of games in which a forced pass is sought. Nearly every random game has one.
const MAX_GAMES: u64 = 50;

/// Returns a random legal placement of the side to move; a pass without any.
pub fn random_move(game: &Game, rng: &mut Rng) -> Move {
    pick(&game.legal(), rng)
}

/// Returns a random one of the smallest legal placements; a pass without any.
pub fn small_move(game: &Game, rng: &mut Rng) -> Move {
    let mut legal = game.legal();
    let smallest = legal.iter().map(|placement| placement.tile().size()).min();
    legal.retain(|placement| Some(placement.tile().size()) == smallest);
    pick(&legal, rng)
}

fn pick(placements: &[Placement], rng: &mut Rng) -> Move {
    match u32::try_from(placements.len()) {
        Ok(0) | Err(_) => Move::Pass,
        Ok(count) => Move::Place(placements[(rng.next_u32() % count) as usize]),
    }
}

/// Plays a move that is legal by construction.
pub fn play(game: &mut Game, mv: Move) {
    game.play(mv).expect("the host plays legal moves");
}

/// Returns the position of a random game after a number of plies, or at its end.
pub fn after(variant: &GameVariant, plies: usize, rng: &mut Rng) -> Game {
    let mut game = Game::new(variant);
    while game.plies().len() < plies && !game.is_over() {
        let mv = random_move(&game, rng);
        play(&mut game, mv);
    }
    game
}

/// Returns a position of a random game in which the side to move must pass.
pub fn forced_pass(variant: &GameVariant, seed: u64) -> Option<Game> {
    (0..MAX_GAMES).find_map(|number| {
        let mut rng = Rng::new(seed.wrapping_add(number));
        let mut game = Game::new(variant);
        while !game.is_over() {
            if game.is_pass_forced() {
                return Some(game);
            }
            let mv = random_move(&game, &mut rng);
            play(&mut game, mv);
        }
        None
    })
}

/// Returns the move that stands for a forfeited one, by the definition of `docs/bots.md`: a pass
/// where a pass costs one turn only, otherwise the first legal placement of the largest tile.
pub fn forfeited(game: &Game) -> Move {
    let mut passed = game.clone();
    let is_legal = passed.play(Move::Pass).is_ok();
    if is_legal && !passed.is_over() && !game.variant().passing().is_final {
        return Move::Pass;
    }
    substitute(game)
}

/// Returns the first legal placement of the largest tile; a pass without any.
pub fn substitute(game: &Game) -> Move {
    let legal = game.legal();
    let largest = legal.iter().map(|placement| placement.tile().size()).max();
    let found = legal
        .iter()
        .find(|placement| Some(placement.tile().size()) == largest);
    found.map_or(Move::Pass, |&placement| Move::Place(placement))
}

/// Formats the moves of a game, separated by blanks.
pub fn list(game: &Game) -> String {
    let codes: Vec<_> = game
        .plies()
        .iter()
        .map(|played| played.mv.to_string())
        .collect();
    codes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(mv: Move) -> Option<u8> {
        match mv {
            Move::Place(placement) => Some(placement.tile().size()),
            Move::Pass => None,
        }
    }

    #[test]
    fn positions_have_the_number_of_plies_that_was_asked_for() {
        for plies in [0, 1, 7, 16] {
            let game = after(&GameVariant::DUO, plies, &mut Rng::new(1));
            assert_eq!(game.plies().len(), plies);
        }
        let whole = after(&GameVariant::DUO, 1000, &mut Rng::new(1));
        assert!(whole.is_over());
    }

    #[test]
    fn small_moves_and_substitutes_place_the_smallest_and_the_largest_tile() {
        for plies in [0, 5, 10, 15] {
            let game = after(&GameVariant::DUO, plies, &mut Rng::new(2));
            let sizes = || {
                game.legal()
                    .into_iter()
                    .map(|placement| placement.tile().size())
            };
            let small = small_move(&game, &mut Rng::new(3));
            assert_eq!(size(small), sizes().min());
            let large = substitute(&game);
            assert_eq!(size(large), sizes().max());
            let first = game
                .legal()
                .into_iter()
                .find(|placement| Some(placement.tile().size()) == sizes().max());
            assert_eq!(large, first.map_or(Move::Pass, Move::Place));
        }
    }

    /// A second pass in a row would end the game.
    #[test]
    fn after_a_pass_a_placement_stands_for_a_forfeited_move() {
        let mut game = after(&GameVariant::DUO, 6, &mut Rng::new(4));
        play(&mut game, Move::Pass);
        let mv = forfeited(&game);
        assert!(size(mv).is_some());
        assert_eq!(mv, substitute(&game));
        assert_eq!(mv, game.forfeited_move());
    }

    /// A pass replaces a forfeited move if it is legal and the colour may place tiles again later.
    #[test]
    fn a_forfeited_move_is_a_pass_that_costs_one_turn_or_a_placement() {
        for variant in &GameVariant::BUILT_IN {
            for plies in [0, 6] {
                let game = after(variant, plies, &mut Rng::new(4));
                let passes = plies > 0 && matches!(variant.name(), "duo");
                let mv = forfeited(&game);
                assert_eq!(mv == Move::Pass, passes, "{} after {plies}", variant.name());
                assert!(mv == Move::Pass || mv == substitute(&game));
                assert_eq!(game.check(mv), Ok(()));
            }
        }
    }
}
