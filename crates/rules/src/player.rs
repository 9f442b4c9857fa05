//! A player.

use core::fmt;

/// A player, numbered from 0 in the order of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The player's number, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other one of two players.
    #[must_use]
    pub const fn rival(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Writes the player's number counted from 1, as people do.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u32::from(self.0) + 1)
    }
}
