//! Moves in place of a player that has none.

use duoforge_rules::{Game, Move, Placement};

/// Returns the move of the colour to move in place of its player: a pass if one is legal, otherwise
/// the first of the legal placements with the largest tile.
///
/// # Panics
/// If the game has ended.
#[must_use]
pub fn substitute(game: &Game) -> Move {
    if game.check(Move::Pass).is_ok() {
        return Move::Pass;
    }
    Move::Place(largest(game).expect("a colour to move has a legal move"))
}

/// Returns the move in place of one that a player forfeits by its first time-out: where a pass ends
/// the game of a colour, the first of the legal placements with the largest tile; otherwise the
/// [`substitute`].
pub(super) fn forfeited_move(game: &Game) -> Move {
    let placement = largest(game).filter(|_| game.variant().passing().is_final);
    placement.map_or_else(|| substitute(game), Move::Place)
}

/// Returns the first of the legal placements with the largest tile.
fn largest(game: &Game) -> Option<Placement> {
    let placements = game.legal().into_iter();
    // Of equal keys, `max_by_key` returns the last.
    placements.rev().max_by_key(|it| it.tile().size())
}

#[cfg(test)]
mod tests {
    use duoforge_rules::GameVariant;

    use super::*;

    #[test]
    fn a_substitute_passes_where_it_may_and_finishes_every_game() {
        for variant in &GameVariant::BUILT_IN {
            let mut game = Game::new(variant);
            while !game.is_over() {
                let mv = substitute(&game);
                assert!(game.check(mv).is_ok(), "{}: {mv}", variant.name());
                game.play(mv).unwrap();
            }
            let passes = game.plies().iter().filter(|ply| ply.mv == Move::Pass);
            assert_eq!(
                passes.count() > 0,
                variant.size() == 14,
                "{}",
                variant.name()
            );
        }
    }

    #[test]
    fn the_first_placement_of_the_largest_tile_is_chosen() {
        let game = Game::new(&GameVariant::CLASSIC);
        let Move::Place(placement) = substitute(&game) else {
            panic!("a pass is illegal")
        };
        assert_eq!(placement.tile().size(), 5);
        let first = game.legal().into_iter().find(|it| it.tile().size() == 5);
        assert_eq!(Some(placement), first);
    }
}
