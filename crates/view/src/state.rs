//! State of a game.

use duoforge_rules::{Game, Move};
use serde::{Deserialize, Serialize};

use crate::{ColourState, Version};

/// State of a game of any variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Version of the object.
    pub version: Version,
    /// Name of the variant, for example `classic-2`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-z0-9-]{1,40}$")))]
    pub variant: String,
    /// Number of plies played, passes included.
    pub ply: u32,
    /// Colour and seat to move; null after the end of the game.
    pub to_move: Option<ToMove>,
    /// True if the game has ended.
    pub over: bool,
    /// Rows of the board, top row first: `.` is an empty cell, `1` a cell of colour 0, and so on.
    #[cfg_attr(
        feature = "schema",
        schemars(length(min = 5, max = 20), inner(regex(pattern = "^[.1-4]{5,20}$")))
    )]
    pub board: Vec<String>,
    /// State by colour, in the order of turns.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4)))]
    pub colours: Vec<ColourState>,
    /// Legal moves of the colour to move.
    pub legal: Legal,
    /// Time left; absent in games without time control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Scores and places of the seats; null before the end of the game.
    pub result: Option<Outcome>,
}

/// Colour and seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToMove {
    /// Number of the colour, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub colour: u8,
    /// Number of the seat that decides, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub seat: u8,
}

/// Legal moves of the colour to move. Entry `i` of `actions` and entry `i` of `codes` are the same
/// move. The lists are empty after the end of the game, and not before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Legal {
    /// Mobility: number of legal placements. A legal pass does not count.
    pub count: u32,
    /// Action numbers in increasing order: the placements, then the pass if it is legal.
    #[cfg_attr(feature = "schema", schemars(inner(range(max = 30_433))))]
    pub actions: Vec<u32>,
    /// Canonical codes in the order of `actions`; `0000` is the pass.
    #[cfg_attr(
        feature = "schema",
        schemars(inner(regex(pattern = "^([1-9a-k]{2}[a-u][0-7]|0000)$")))
    )]
    pub codes: Vec<String>,
}

/// Time left to the seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Time left by seat, in milliseconds, when the seat to move was asked; null for a seat without
    /// a limit.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4)))]
    pub left_ms: Vec<Option<u64>>,
    /// Time at which the seat to move was asked, in milliseconds since the game began.
    pub asked_at_ms: u64,
}

/// Result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Scores and places by seat.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4)))]
    pub seats: Vec<SeatOutcome>,
    /// Seats in the first place. Several of them draw.
    #[cfg_attr(
        feature = "schema",
        schemars(length(min = 1, max = 4), inner(range(max = 3)))
    )]
    pub winners: Vec<u8>,
    /// True if several seats share the first place.
    pub draw: bool,
}

/// Result of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatOutcome {
    /// Number of the seat, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 3)))]
    pub seat: u8,
    /// Score in points: the sum over the seat's colours.
    pub score: i32,
    /// Place, from 1 for the best. Seats may share a place.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4)))]
    pub place: u8,
}

impl State {
    /// Returns the state of a game, without a clock.
    ///
    /// ```
    /// use duoforge_rules::{Game, GameVariant};
    /// use duoforge_view::State;
    ///
    /// let state = State::new(&Game::new(&GameVariant::DUO));
    /// assert_eq!((state.ply, state.over), (0, false));
    /// assert_eq!((state.legal.count, state.legal.actions[0]), (414, 60));
    /// assert_eq!(state.legal.codes[0], "55a0");
    /// assert_eq!(state.colours[1].corner_points, [[9, 9]]);
    /// ```
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let colours = game.colours();
        Self {
            version: Version,
            variant: game.variant().name().to_owned(),
            ply: game.plies().len() as u32,
            to_move: ToMove::new(game),
            over: game.is_over(),
            // A drawn row has blanks between the cells.
            board: game
                .to_string()
                .lines()
                .map(|row| row.replace(' ', ""))
                .collect(),
            colours: colours
                .map(|colour| ColourState::new(game, colour))
                .collect(),
            legal: Legal::new(game),
            clock: None,
            result: game.is_over().then(|| Outcome::new(game)),
        }
    }

    /// Returns the state with the time left.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }
}

impl ToMove {
    /// Returns the colour and the seat to move, or `None` after the end of the game.
    #[must_use]
    pub fn new(game: &Game) -> Option<Self> {
        let (colour, seat) = (game.to_move()?, game.seat_to_move()?);
        Some(Self {
            colour: colour.0,
            seat: seat.0,
        })
    }
}

impl Legal {
    /// Returns the legal moves of the colour to move.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        Self::of(game, game.legal_moves())
    }

    /// Lists moves that are in the order of their action numbers, and on the board.
    pub(crate) fn of(game: &Game, moves: Vec<Move>) -> Self {
        let space = game.actions();
        let placements = moves.iter().filter(|mv| **mv != Move::Pass);
        Self {
            count: placements.count() as u32,
            actions: moves.iter().filter_map(|&mv| space.number(mv)).collect(),
            codes: moves.iter().map(Move::to_string).collect(),
        }
    }
}

impl Outcome {
    /// Returns the scores and places of all seats, as if the game ended now.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let result = game.result();
        let seats = result.seats().iter();
        Self {
            seats: seats
                .map(|result| SeatOutcome {
                    seat: result.seat.0,
                    score: result.score,
                    place: result.place,
                })
                .collect(),
            winners: result.winners().into_iter().map(|seat| seat.0).collect(),
            draw: result.is_draw(),
        }
    }
}
