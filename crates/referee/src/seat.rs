//! The two seats of a match, and their start cells.

use std::fmt;
use std::ops::{Index, IndexMut};

use duoforge_protocol::StartCell;
use duoforge_rules::Cell;

/// Seat of a match, independent of which player moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// Player 1.
    One,
    /// Player 2.
    Two,
}

impl Seat {
    /// Both seats, player 1 first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// Seat of the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// Number shown to users: 1 or 2.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.number())
    }
}

/// Value for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats<T>(pub [T; 2]);

impl<T> Seats<T> {
    /// Creates the value of each player, player 1 first.
    pub fn each(make: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::BOTH.map(make))
    }

    /// Iterates over the values, player 1 first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> Index<Seat> for Seats<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat as usize]
    }
}

impl<T> IndexMut<Seat> for Seats<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat as usize]
    }
}

/// First player and start cells of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Player that moves first.
    pub first: Seat,
    /// Start cell of player 1; player 2 has the other one.
    pub start: StartCell,
}

impl Default for Setup {
    /// The contest's setup: player 1 moves first, from (5,5).
    fn default() -> Self {
        Self {
            first: Seat::One,
            start: StartCell::Five,
        }
    }
}

impl Setup {
    /// Start cell of a player.
    #[must_use]
    pub const fn start(&self, seat: Seat) -> StartCell {
        match seat {
            Seat::One => self.start,
            Seat::Two => self.start.other(),
        }
    }

    /// Seat of the player to move after `ply` moves.
    #[must_use]
    pub const fn mover(&self, ply: usize) -> Seat {
        if ply.is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    /// Start cells on the board, in the order of moves.
    #[must_use]
    pub fn start_cells(&self) -> [Cell; 2] {
        [self.first, self.first.other()].map(|seat| {
            let (x, y) = self.start(seat).coordinates();
            Cell::new(x, y)
        })
    }
}
