//! The games that are played with these tiles, as data.

use crate::Cell;

/// A game: its board, its players and what its rules leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Name for people.
    pub name: &'static str,
    /// Number of columns, and of rows.
    pub size: u8,
    /// Start cells in the order of turns; there are as many players.
    pub starts: &'static [Cell],
    /// How a player's score is counted.
    pub scoring: Scoring,
    /// Whether a player who has passed takes no further turn.
    pub pass_is_final: bool,
    /// Whether a player may pass on the first turn although a tile could be placed.
    pub may_pass_first_turn: bool,
    /// Whether the game ends as soon as one player has placed every tile.
    pub ends_when_all_placed: bool,
    /// Whether the game ends when every player has passed in a row. Where it does not, a board
    /// goes on for as long as it is asked to.
    pub ends_when_all_pass: bool,
}

impl Variant {
    /// Most players that a variant may have.
    pub const MAX_PLAYERS: usize = 4;

    /// The two-player game on 14x14 cells by the rules of the contest.
    ///
    /// A pass is accepted even where a tile could be placed, except on a player's first turn.
    pub const DUO: Self = Self {
        name: "duo",
        size: 14,
        starts: &[Cell::new(4, 4), Cell::new(9, 9)],
        scoring: Scoring::STANDARD,
        pass_is_final: false,
        may_pass_first_turn: false,
        ends_when_all_placed: true,
        ends_when_all_pass: true,
    };

    /// The game of the contest as a board keeps it: it goes on for as long as somebody is asked, since the
    /// end is the referee's business, and a pass is always accepted.
    pub const ENDLESS_DUO: Self = Self {
        name: "duo without an end",
        may_pass_first_turn: true,
        ends_when_all_placed: false,
        ends_when_all_pass: false,
        ..Self::DUO
    };

    /// The four-player game on 20x20 cells, each player starting in a corner.
    pub const CLASSIC: Self = Self {
        name: "classic",
        size: 20,
        starts: &[
            Cell::new(0, 0),
            Cell::new(19, 0),
            Cell::new(19, 19),
            Cell::new(0, 19),
        ],
        scoring: Scoring::STANDARD,
        pass_is_final: true,
        may_pass_first_turn: false,
        ends_when_all_placed: false,
        ends_when_all_pass: true,
    };

    /// Number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.starts.len()
    }
}

/// How a player's score is counted, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Points for each cell of a tile that was not placed.
    pub square_left: i32,
    /// Bonus for having placed every tile.
    pub all_placed: i32,
    /// Bonus, instead of the former, where the monomino was placed last.
    pub monomino_last: i32,
}

impl Scoring {
    /// One point lost for each cell left, 15 won for placing every tile, 20 if the monomino
    /// came last.
    pub const STANDARD: Self = Self {
        square_left: -1,
        all_placed: 15,
        monomino_last: 20,
    };
}
