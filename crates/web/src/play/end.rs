//! Ends of casual games.

use duoforge_journal::{CasualEnded, CasualRecord, now_ms};
use duoforge_rules::Game;

/// Seats that win a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winners {
    /// The best ones.
    Best,
    /// The best ones of all but the seat that resigned or failed.
    Without(u8),
    /// None: the game was not decided.
    None,
}

/// Record of the end of a game in which no side can move.
pub fn played_out(game: &Game) -> CasualRecord {
    ended(game, "played-out", "no side can move", Winners::Best)
}

/// Record of the end of a game.
pub fn ended(game: &Game, ending: &str, detail: &str, winners: Winners) -> CasualRecord {
    let result = game.result();
    let seats = result.seats();
    let rest = seats.iter().filter(|seat| match winners {
        Winners::Best => true,
        Winners::Without(loser) => seat.seat.0 != loser,
        Winners::None => false,
    });
    let best = rest.clone().map(|seat| seat.place).min();
    let winners = rest.filter(|seat| Some(seat.place) == best);
    CasualRecord::Ended(CasualEnded {
        ending: ending.to_owned(),
        detail: detail.to_owned(),
        scores: seats.iter().map(|seat| seat.score).collect(),
        winners: winners.map(|seat| seat.seat.0).collect(),
        plies: game.plies().len() as u32,
        at_ms: now_ms(),
    })
}
