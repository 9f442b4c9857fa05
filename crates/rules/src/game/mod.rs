//! Games of every variant: colours, seats, turns, passes, end and scores as data.
//!
//! A [`Game`] plays a [`GameVariant`] on a board of any size. Callers name colours and seats, and
//! read sets of cells whose size is a value. [`Board`](crate::Board) remains the faster path for
//! one board size, with the contest's scores.
//!
//! | module | content |
//! |---|---|
//! | `variant`, `built_in`, `definition` | variants as data; custom variants and their checks |
//! | `start`, `seat`, `options`, `scoring` | parts of a variant |
//! | `position` | state of the colours on a board |
//! | `turns`, `legal`, `result` | turns, legal moves, scores and places |
//! | `actions` | numbers of moves |
//! | `stand_ins` | moves in place of those that a player does not make |
//! | `diagnostics`, `hints`, `reference` | what programs and people ask about a position |

use core::fmt;
use std::sync::Arc;

use crate::{Cell, Colour, Move, Tile, TileSet};

mod actions;
mod built_in;
mod cell_set;
mod definition;
mod diagnostics;
mod hints;
mod legal;
mod options;
mod position;
mod reference;
mod result;
mod scoring;
mod seat;
mod stand_ins;
mod start;
mod turns;
mod variant;

pub use actions::ActionSpace;
pub use cell_set::CellSet;
pub use definition::{ColourDefinition, VariantDefinition, VariantError};
pub use diagnostics::{ColourDiagnostics, Diagnostics};
pub use options::{Ending, ForcedPass, Passing, Ties, VoluntaryPass};
pub use reference::{Offset, PositionReference, ShapeReference};
pub use result::{GameResult, SeatResult};
pub use scoring::ScoringRule;
pub use seat::{Owner, Seat};
pub use start::StartCells;
pub use variant::GameVariant;

use position::{AnyPosition, cell_set, with_position};
use turns::Turn;

/// Game of any variant: the position, the turn and the moves played.
///
/// Methods that take a colour panic if the variant has no such colour.
///
/// ```
/// use duoforge_rules::{Colour, Game, GameVariant, Move, Seat};
///
/// let mut game = Game::new(&GameVariant::CLASSIC_2);
/// assert_eq!(game.count_legal(), 58);
/// while let (Some(colour), Some(seat)) = (game.to_move(), game.seat_to_move()) {
///     assert_eq!(seat, Seat(colour.0 % 2));
///     let placement = game.legal()[0];
///     game.play(Move::Place(placement))?;
/// }
/// let result = game.result();
/// let seat = &result.seats()[0];
/// assert_eq!(seat.score, game.colour_score(Colour(0)) + game.colour_score(Colour(2)));
/// # Ok::<(), duoforge_rules::IllegalMove>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    variant: Arc<GameVariant>,
    position: AnyPosition,
    turn: Turn,
    plies: Vec<PlayedMove>,
    /// Turns before each ply.
    turns_before: Vec<Turn>,
}

/// Ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayedMove {
    /// Colour that moved.
    pub colour: Colour,
    /// Seat that decided.
    pub seat: Seat,
    /// Move: a placement or a pass.
    pub mv: Move,
}

impl Game {
    /// Creates a game of `variant` with an empty board.
    #[must_use]
    pub fn new(variant: &GameVariant) -> Self {
        Self {
            position: AnyPosition::new(variant),
            variant: Arc::new(variant.clone()),
            turn: Turn::FIRST,
            plies: Vec::new(),
            turns_before: Vec::new(),
        }
    }

    /// Returns the variant that is played.
    #[must_use]
    pub fn variant(&self) -> &GameVariant {
        &self.variant
    }

    /// Returns the number of columns of the board, equal to the number of rows.
    #[must_use]
    pub fn size(&self) -> u8 {
        self.variant.size()
    }

    /// Iterates over the colours in the order of turns.
    pub fn colours(&self) -> impl DoubleEndedIterator<Item = Colour> + ExactSizeIterator + use<> {
        self.variant.colours()
    }

    /// Iterates over the seats.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        self.variant.seats()
    }

    /// Returns the moves played, passes included, in order.
    #[must_use]
    pub fn plies(&self) -> &[PlayedMove] {
        &self.plies
    }

    /// Returns the seat that places the next tile of `colour`: its owner, or for a shared colour
    /// the seat whose turn it is to place a tile of it.
    #[must_use]
    pub fn seat_of(&self, colour: Colour) -> Seat {
        match self.variant.owner(colour) {
            Owner::Seat(seat) => seat,
            Owner::Shared => {
                let placed = Tile::COUNT as u32 - self.tiles_left(colour).len();
                Seat((placed % self.variant.seat_count() as u32) as u8)
            }
        }
    }

    /// Returns the tiles that `colour` has not placed.
    #[must_use]
    pub fn tiles_left(&self, colour: Colour) -> TileSet {
        with_position!(&self.position, position => position.left(colour))
    }

    /// Returns the tile that `colour` placed last, or `None` before its first placement.
    #[must_use]
    pub fn last_tile(&self, colour: Colour) -> Option<Tile> {
        with_position!(&self.position, position => position.last(colour))
    }

    /// Returns the colour that covers `cell`, or `None` for an empty cell or one off the board.
    #[must_use]
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        with_position!(&self.position, position => position.colour_at(cell))
    }

    /// Returns the cells that `colour` has covered.
    #[must_use]
    pub fn cells(&self, colour: Colour) -> CellSet {
        cell_set!(&self.position, position => position.cells(colour))
    }

    /// Returns the cells that any colour has covered.
    #[must_use]
    pub fn occupied(&self) -> CellSet {
        cell_set!(&self.position, position => position.occupied())
    }

    /// Returns the cells that no colour has covered.
    #[must_use]
    pub fn empty_cells(&self) -> CellSet {
        cell_set!(&self.position, position => position.empty())
    }

    /// Allowed cells: empty cells that share no edge with a tile of `colour`.
    #[must_use]
    pub fn allowed(&self, colour: Colour) -> CellSet {
        cell_set!(&self.position, position => position.allowed(colour))
    }

    /// Corner points: allowed cells diagonal to a tile of `colour`, and allowed start cells before
    /// the first tile, or always if the variant keeps them. Every placement covers at least one.
    #[must_use]
    pub fn corner_points(&self, colour: Colour) -> CellSet {
        cell_set!(&self.position, position => position.corner_points(colour))
    }

    /// Void cells: empty cells that `colour` can never cover, since they share an edge with one of
    /// its tiles.
    #[must_use]
    pub fn void_cells(&self, colour: Colour) -> CellSet {
        cell_set!(&self.position, position => position.void(colour))
    }
}

/// Draws the board: the number of the colour, from 1, on a covered cell and `.` on an empty one.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        cell_set::draw(f, self.size(), |cell| {
            let colour = self.colour_at(cell);
            colour.map_or('.', |colour| char::from(b'1' + colour.0))
        })
    }
}
