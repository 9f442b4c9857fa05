//! One game of a schedule.

use duoforge_arena::{Seat, Setup};
use duoforge_protocol::StartCell;

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// Its round, from 1.
    pub round: u32,
    /// Who plays: indices of players 1 and 2 in the plan.
    pub players: [usize; 2],
    /// Which pair of the tournament it belongs to, from 0; two games in a row make a pair.
    pub pair: u32,
    /// Which opening is played, from 0; the games of a pair have the same.
    pub opening: u32,
    /// Who moves first, and from where.
    pub setup: Setup,
}

impl Fixture {
    /// Who sits at `seat`.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> usize {
        self.players[seat as usize]
    }
}

/// The two games of a pair: each player moves first in one of them, from the same start cell, so that
/// both colours and start cells are swapped. The start cell of whoever moves first alternates between
/// openings.
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
