//! Games of variants in JSON.

use std::time::Duration;

use duoforge_referee::variant::VariantGame;
use duoforge_view::State;
use serde::Serialize;

/// Game in JSON. Lists are in the order of seats.
#[derive(Serialize)]
pub struct GameObject<'a> {
    game: u32,
    variant: &'a str,
    seats: Vec<SeatObject<'a>>,
    plies: Vec<PlyObject<'a>>,
    ending: &'static str,
    detail: String,
    winners: Vec<u8>,
    state: State,
}

/// Seat in JSON.
#[derive(Serialize)]
struct SeatObject<'a> {
    name: &'a str,
    score: i32,
    place: u8,
    cells_placed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
}

/// Move in JSON.
#[derive(Serialize)]
struct PlyObject<'a> {
    seat: u8,
    colour: u8,
    code: String,
    legal: u32,
    us: u64,
    host_us: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forfeit: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
}

impl<'a> GameObject<'a> {
    /// Creates the object of a game.
    pub fn new(game: &'a VariantGame, number: u32) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let seats = game.seats.iter().map(|seat| SeatObject {
            name: &seat.name,
            score: seat.score,
            place: seat.place,
            cells_placed: seat.cells,
            fault: seat.fault.as_ref().map(|fault| fault.kind.word()),
        });
        let plies = game.plies.iter().map(|ply| PlyObject {
            seat: ply.played.seat.0,
            colour: ply.played.colour.0,
            code: ply.played.mv.to_string(),
            legal: ply.legal,
            us: micros(ply.time),
            host_us: micros(ply.host),
            forfeit: ply.forfeit,
            remark: ply.remark.as_deref(),
        });
        Self {
            game: number,
            variant: game.game.variant().name(),
            seats: seats.collect(),
            plies: plies.collect(),
            ending: game.word(),
            detail: game.to_string(),
            winners: game.winners().iter().map(|seat| seat.0).collect(),
            state: State::new(&game.game),
        }
    }
}
