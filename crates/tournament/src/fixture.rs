//! Game of a schedule.

use duoforge_arena::{Seat, Setup};
use duoforge_protocol::StartCell;

/// Scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Number in the tournament, from 1.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Indices of players 1 and 2 in the plan.
    pub players: [usize; 2],
    /// Pair of the tournament, from 0; two successive games form a pair.
    pub pair: u32,
    /// Opening, from 0; the games of a pair have the same opening.
    pub opening: u32,
    /// First player and start cells.
    pub setup: Setup,
}

impl Fixture {
    /// Index of the player in `seat`.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> usize {
        self.players[seat as usize]
    }
}

/// Creates the two games of a pair. Each player moves first in one of them, from the same start
/// cell, so colours and start cells are swapped. The start cell of the first player alternates
/// between openings.
pub(crate) fn pair(after: usize, round: u32, players: [usize; 2], opening: u32) -> [Fixture; 2] {
    let from = if opening.is_multiple_of(2) {
        StartCell::Five
    } else {
        StartCell::A
    };
    let fixture = |second: bool| {
        let number = u32::try_from(after).expect("schedules are limited") + u32::from(second) + 1;
        Fixture {
            number,
            round,
            players,
            pair: (number - 1) / 2,
            opening,
            setup: if second {
                Setup {
                    first: Seat::Two,
                    start: from.other(),
                }
            } else {
                Setup {
                    first: Seat::One,
                    start: from,
                }
            },
        }
    };
    [fixture(false), fixture(true)]
}
