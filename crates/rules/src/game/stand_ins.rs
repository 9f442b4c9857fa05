//! Moves in place of those that a player does not make.

use super::Game;
use crate::{Move, Placement};

impl Game {
    /// Returns the move of the colour to move in place of its player: a pass if one is legal,
    /// otherwise the first of the legal placements with the largest tile.
    ///
    /// # Panics
    /// If the game has ended.
    #[must_use]
    pub fn substitute(&self) -> Move {
        if self.check(Move::Pass).is_ok() {
            return Move::Pass;
        }
        Move::Place(
            self.largest()
                .expect("a colour to move has a legal placement or a legal pass"),
        )
    }

    /// Returns the move in place of one that a player forfeits: where a pass puts the colour out of
    /// the game or ends the game, the first of the legal placements with the largest tile; otherwise
    /// the [`substitute`](Self::substitute).
    ///
    /// A forfeited move is one move that the player does not make, as in the contests from which the
    /// time bank comes. In Duo a pass is exactly that, unless all other colours have passed since
    /// the last placement: the game would then end. In other variants a pass may be illegal, or may
    /// put the colour out of the game for good; a forfeited move would then forfeit the game.
    ///
    /// # Panics
    /// If the game has ended.
    ///
    /// ```
    /// use duoforge_rules::{Game, GameVariant, Move};
    ///
    /// let mut game = Game::new(&GameVariant::DUO);
    /// // No pass is legal on the first turn.
    /// assert!(matches!(game.forfeited_move(), Move::Place(it) if it.tile().size() == 5));
    /// for code in ["53e0", "a8e0"] {
    ///     game.play(code.parse()?)?;
    /// }
    /// assert_eq!(game.forfeited_move(), Move::Pass);
    /// game.play(Move::Pass)?;
    /// // A second pass in a row would end the game.
    /// assert!(matches!(game.forfeited_move(), Move::Place(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forfeited_move(&self) -> Move {
        let placement = match self.variant().passing().is_final || self.is_ended_by_pass() {
            true => self.largest(),
            false => None,
        };
        placement.map_or_else(|| self.substitute(), Move::Place)
    }

    /// True if a pass is legal and ends the game.
    fn is_ended_by_pass(&self) -> bool {
        let mut after = self.clone();
        after.play(Move::Pass).is_ok() && after.is_over()
    }

    /// Returns the first of the legal placements with the largest tile.
    fn largest(&self) -> Option<Placement> {
        let placements = self.legal().into_iter();
        // Of equal keys, `max_by_key` returns the last.
        placements.rev().max_by_key(|it| it.tile().size())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, GameVariant, Move};

    #[test]
    fn a_substitute_passes_where_it_may_and_finishes_every_game() {
        for variant in &GameVariant::BUILT_IN {
            let mut game = Game::new(variant);
            while !game.is_over() {
                let mv = game.substitute();
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
        let Move::Place(placement) = game.substitute() else {
            panic!("a pass is illegal")
        };
        assert_eq!(placement.tile().size(), 5);
        let first = game.legal().into_iter().find(|it| it.tile().size() == 5);
        assert_eq!(Some(placement), first);
    }

    /// A pass that is final or illegal, or that ends the game, does not stand for a forfeited move
    /// while the colour has a placement.
    #[test]
    fn a_forfeited_move_costs_one_turn_in_every_variant() {
        for variant in &GameVariant::BUILT_IN {
            let mut game = Game::new(variant);
            let mut passes = 0;
            while !game.is_over() {
                let mv = game.forfeited_move();
                let is_forced = game.legal().is_empty();
                if mv == Move::Pass {
                    passes += 1;
                    assert!(is_forced || !variant.passing().is_final);
                }
                game.play(mv).unwrap();
                let is_ended_by_forfeit = mv == Move::Pass && !is_forced && game.is_over();
                assert!(!is_ended_by_forfeit, "{}", variant.name());
            }
            assert!(passes > 0 || variant.name() != "duo");
        }
    }
}
