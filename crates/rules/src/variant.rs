//! Game variants, as data.

use crate::Cell;

/// Variant of the game: board, start cells, scoring and rule options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Human-readable name.
    pub name: &'static str,
    /// Number of columns, equal to the number of rows.
    pub size: u8,
    /// Start cells in the order of turns; their number is the number of players.
    pub starts: &'static [Cell],
    /// Scoring of a player.
    pub scoring: Scoring,
    /// True if a player that has passed takes no further turn.
    pub pass_is_final: bool,
    /// True if a player may pass on the first turn although a tile could be placed.
    pub may_pass_first_turn: bool,
    /// True if the game ends as soon as one player has placed every tile.
    pub ends_when_all_placed: bool,
    /// True if the game ends once every player has passed in a row. If false, the board accepts
    /// further moves.
    pub ends_when_all_pass: bool,
}

impl Variant {
    /// Maximum number of players of a variant.
    pub const MAX_PLAYERS: usize = 4;

    /// Two-player game on 14x14 cells, by the rules of the contest.
    ///
    /// A voluntary pass is legal, except on a player's first turn.
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

    /// Contest game as a device tracks it: no end condition, and every pass is legal. The referee
    /// decides when the game is over.
    pub const ENDLESS_DUO: Self = Self {
        name: "duo without an end",
        may_pass_first_turn: true,
        ends_when_all_placed: false,
        ends_when_all_pass: false,
        ..Self::DUO
    };

    /// Four-player game on 20x20 cells; each player starts in a corner.
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

    /// Returns the number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.starts.len()
    }
}

/// Scoring rules of a player, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Points for each cell of the tiles that were not placed.
    pub cell_left: i32,
    /// Bonus for placing every tile.
    pub all_placed: i32,
    /// Bonus that replaces `all_placed` if the monomino was placed last.
    pub monomino_last: i32,
}

impl Scoring {
    /// Contest scoring: -1 for each cell left, 15 for placing every tile, 20 if the monomino was
    /// placed last.
    pub const STANDARD: Self = Self {
        cell_left: -1,
        all_placed: 15,
        monomino_last: 20,
    };
}
