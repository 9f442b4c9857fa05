//! Time for which a seat has been asked for its move.

use std::time::{Duration, Instant};

use duoforge_journal::now_ms;
use duoforge_rules::Game;

use crate::feed::ShownGame;

/// Moment at which the seat to move was asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Moment since which this table measures.
    pub at: Instant,
    /// Time before that moment, when the table was not open.
    before: Duration,
}

impl Asked {
    /// The present moment.
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            before: Duration::ZERO,
        }
    }

    /// Moment at the opening of a table. A person has been asked since the time of a record, in
    /// milliseconds since 1970; a program is asked now. A clock that was set back adds no time.
    pub fn at_opening(shown: &ShownGame, game: &Game, at_ms: Option<u64>) -> Self {
        let seat = game.seat_to_move().map(|seat| usize::from(seat.0));
        let is_person = seat.is_some_and(|seat| shown.seats[seat].player.is_none());
        let waited = at_ms.filter(|_| is_person);
        let waited = waited.map_or(0, |at_ms| now_ms().saturating_sub(at_ms));
        Self {
            before: Duration::from_millis(waited),
            ..Self::now()
        }
    }

    /// Time since the moment in microseconds.
    pub fn elapsed_us(self) -> u64 {
        let elapsed = self.before.saturating_add(self.at.elapsed());
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }
}
