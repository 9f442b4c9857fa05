//! Turns: moves that are played and taken back, passes and the end of the game.

use super::position::with_position;
use super::{ForcedPass, Game, PlayedMove, Seat, VoluntaryPass};
use crate::{Colour, IllegalMove, Move, Placement};

/// Turn of a game. Sets of colours are bits by colour index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Colour that has the turn, or had it at the end of the game.
    colour: Colour,
    /// Colours that have passed since the last placement.
    passed: u8,
    /// Colours that take no further turn after a final pass.
    out: u8,
    /// Colours that have placed a tile or passed.
    moved: u8,
    over: bool,
}

impl Turn {
    /// Turn of colour 0 at the begin of a game.
    pub(super) const FIRST: Self = Self {
        colour: Colour(0),
        passed: 0,
        out: 0,
        moved: 0,
        over: false,
    };
}

impl Game {
    /// Returns the colour to move, or `None` after the end of the game.
    #[must_use]
    pub fn to_move(&self) -> Option<Colour> {
        (!self.turn.over).then_some(self.turn.colour)
    }

    /// Returns the seat to move, or `None` after the end of the game.
    #[must_use]
    pub fn seat_to_move(&self) -> Option<Seat> {
        self.to_move().map(|colour| self.seat_of(colour))
    }

    /// True if the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.turn.over
    }

    /// True if `colour` has passed and takes no further turn.
    #[must_use]
    pub fn is_out(&self, colour: Colour) -> bool {
        self.turn.out & bit(colour) != 0
    }

    /// True if the colour to move has no legal placement and must pass.
    #[must_use]
    pub fn is_pass_forced(&self) -> bool {
        self.to_move().is_some_and(|colour| !self.can_place(colour))
    }

    /// Checks that the move is legal for the colour to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal. A move that breaks several rules has the first reason in
    /// the order of [`IllegalMove`].
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        let colour = self.to_move().ok_or(IllegalMove::GameOver)?;
        match mv {
            Move::Place(placement) => {
                with_position!(&self.position, position => position.check(colour, placement))
            }
            Move::Pass => self.check_pass(colour),
        }
    }

    fn check_pass(&self, colour: Colour) -> Result<(), IllegalMove> {
        let is_first_turn = self.turn.moved & bit(colour) == 0;
        let reason = match self.variant.passing().voluntary {
            VoluntaryPass::Never => IllegalMove::PassWithPlacement,
            VoluntaryPass::AfterFirstTurn if is_first_turn => IllegalMove::PassOnFirstTurn,
            VoluntaryPass::AfterFirstTurn | VoluntaryPass::Always => return Ok(()),
        };
        // Without a legal placement, a pass is the only move.
        if self.can_place(colour) {
            Err(reason)
        } else {
            Ok(())
        }
    }

    /// Plays a move for the colour to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        match mv {
            Move::Place(placement) => self.place(placement),
            Move::Pass => self.pass(),
        }
        Ok(())
    }

    /// Takes back the last ply and returns it, or returns `None` if no move has been played.
    pub fn undo(&mut self) -> Option<PlayedMove> {
        let played = self.plies.pop()?;
        self.turn = self.turns_before.pop()?;
        if let Move::Place(_) = played.mv {
            with_position!(&mut self.position, position => position.take_back());
        }
        Some(played)
    }

    /// Places a tile of the colour to move; the placement must be legal.
    pub(super) fn place(&mut self, placement: Placement) {
        let colour = self.turn.colour;
        self.record(colour, Move::Place(placement));
        with_position!(&mut self.position, position => position.place(colour, placement));
        self.turn.passed = 0;
        let has_ended = self.variant.ending().all_placed && self.tiles_left(colour).is_empty();
        self.finish_turn(has_ended);
    }

    fn pass(&mut self) {
        let colour = self.turn.colour;
        self.record(colour, Move::Pass);
        self.turn.passed |= bit(colour);
        if self.variant.passing().is_final {
            self.turn.out |= bit(colour);
        }
        self.finish_turn(false);
    }

    fn record(&mut self, colour: Colour, mv: Move) {
        let seat = self.seat_of(colour);
        self.plies.push(PlayedMove { colour, seat, mv });
        self.turns_before.push(self.turn);
        self.turn.moved |= bit(colour);
    }

    /// Passes the turn to the next colour that takes turns, or ends the game.
    fn finish_turn(&mut self, has_ended: bool) {
        let next = self.following().find(|&colour| self.takes_turn(colour));
        // The turn has come round to a colour that passed: no colour placed a tile in between.
        let all_passed = next.is_none_or(|next| self.turn.passed & bit(next) != 0);
        self.turn.over = has_ended || all_passed || self.none_places();
        if let Some(next) = next {
            self.turn.colour = next;
        }
    }

    /// True if the game ends since no colour that takes turns has a placement.
    fn none_places(&self) -> bool {
        let places = |colour| !self.is_out(colour) && self.can_place(colour);
        self.variant.ending().no_placement && !self.colours().any(places)
    }

    /// Iterates over all colours in the order of turns, from the one after the colour to move.
    fn following(&self) -> impl Iterator<Item = Colour> + use<> {
        let count = self.variant.colour_count() as u8;
        let current = self.turn.colour.0;
        (1..=count).map(move |step| Colour((current + step) % count))
    }

    /// True if `colour` gets a turn in the present position.
    fn takes_turn(&self, colour: Colour) -> bool {
        let is_skipped = || {
            let forced = self.variant.passing().forced;
            forced == ForcedPass::Skipped && !self.can_place(colour)
        };
        !self.is_out(colour) && !is_skipped()
    }
}

/// Bit of a colour in a set.
fn bit(colour: Colour) -> u8 {
    1 << colour.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameVariant, Tile};

    #[test]
    fn a_shared_colour_is_placed_by_the_seats_in_turn() {
        let mut game = Game::new(&GameVariant::CLASSIC_3);
        let mut seats = Vec::new();
        while seats.len() < 7 {
            let (colour, seat) = (game.to_move().unwrap(), game.seat_to_move().unwrap());
            match colour {
                Colour(3) => seats.push(seat.0),
                Colour(owner) => assert_eq!(seat, Seat(owner)),
            }
            let placements = game.legal();
            let big = placements.iter().rfind(|it| it.tile() != Tile::MONOMINO);
            game.place(*big.expect("a placement"));
        }
        assert_eq!(seats, [0, 1, 2, 0, 1, 2, 0]);
        assert!(game.plies().iter().all(|ply| ply.mv != Move::Pass));
    }
}
