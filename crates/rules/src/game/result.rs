//! Scores of colours and seats, places and winners.

use super::{Game, Seat, Ties};
use crate::{Colour, TileSet};

/// Scores and places of all seats.
///
/// ```
/// use duoforge_rules::{Game, GameVariant, Seat};
///
/// let game = Game::new(&GameVariant::DUO);
/// let result = game.result();
/// assert!(result.is_draw());
/// assert_eq!(result.winners(), [Seat(0), Seat(1)]);
/// assert_eq!(result.seats()[1].score, -89);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    seats: Vec<SeatResult>,
}

/// Score and place of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeatResult {
    /// The seat.
    pub seat: Seat,
    /// Score in points: the sum over the seat's colours.
    pub score: i32,
    /// Place, from 1 for the best: one more than the number of seats with a better place.
    pub place: u8,
}

impl GameResult {
    /// Returns the results in the order of seats.
    #[must_use]
    pub fn seats(&self) -> &[SeatResult] {
        &self.seats
    }

    /// Returns the seats in the first place; several of them draw.
    #[must_use]
    pub fn winners(&self) -> Vec<Seat> {
        let first = self.seats.iter().filter(|result| result.place == 1);
        first.map(|result| result.seat).collect()
    }

    /// True if several seats share the first place.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.winners().len() > 1
    }
}

impl Game {
    /// Returns the number of cells that `colour` has covered.
    #[must_use]
    pub fn cells_placed(&self, colour: Colour) -> u32 {
        TileSet::FULL.cell_count() - self.tiles_left(colour).cell_count()
    }

    /// Returns the score of `colour` in points by the variant's scoring rule, as if the game ended
    /// now.
    #[must_use]
    pub fn colour_score(&self, colour: Colour) -> i32 {
        let scoring = self.variant.scoring();
        scoring.points(self.tiles_left(colour), self.last_tile(colour))
    }

    /// Returns the score of `seat` in points, as if the game ended now: the sum over its colours. A
    /// shared colour counts for no seat.
    #[must_use]
    pub fn seat_score(&self, seat: Seat) -> i32 {
        let colours = self.variant.colours_of(seat);
        colours.map(|colour| self.colour_score(colour)).sum()
    }

    /// Returns the scores and places of all seats, as if the game ended now.
    #[must_use]
    pub fn result(&self) -> GameResult {
        let scores: Vec<i32> = self.seats().map(|seat| self.seat_score(seat)).collect();
        let rank = |seat: Seat| match self.variant.ties() {
            Ties::Shared => (scores[seat.index()], 0),
            Ties::LaterSeat => (scores[seat.index()], seat.0),
        };
        let result = |seat: Seat| SeatResult {
            seat,
            score: scores[seat.index()],
            place: 1 + self
                .seats()
                .filter(|&other| rank(other) > rank(seat))
                .count() as u8,
        };
        GameResult {
            seats: self.seats().map(result).collect(),
        }
    }
}
