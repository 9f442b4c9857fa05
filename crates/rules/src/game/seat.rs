//! Seats, and the ownership of colours.

use core::fmt;

/// Seat: place in a match that owns colours and decides for them, numbered from 0.
///
/// A seat is not a colour: it may own two of them, and a shared colour belongs to no seat. Turns
/// belong to colours, scores and results to seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the index of the seat, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Writes the number of the seat, counted from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u32::from(self.0) + 1)
    }
}

/// Owner of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The seat places every tile of the colour, and the colour's score counts for it.
    Seat(Seat),
    /// The seats place the colour's tiles in turn: seat 0 the first, seat 1 the second, and so on.
    /// The colour's score counts for no seat.
    Shared,
}
