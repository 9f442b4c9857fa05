//! Records of games of variants.

use std::time::Duration;

use duoforge_journal::{SeatEnded, VariantBegun, VariantEnded, VariantMoved, now_ms};
use duoforge_referee::variant::{VariantGame, VariantPly};
use duoforge_rules::GameVariant;

/// Creates the record of the beginning of a game. `players` are the names and versions in the order
/// of seats.
///
/// # Panics
/// Never: every variant has a definition as TOML.
#[must_use]
pub fn variant_begun(
    game: u32,
    attempt: u32,
    variant: &GameVariant,
    players: impl IntoIterator<Item = (String, Option<String>)>,
) -> VariantBegun {
    let (players, versions): (Vec<_>, Vec<_>) = players.into_iter().unzip();
    let is_known = versions.iter().any(Option::is_some);
    let is_built_in = GameVariant::named(variant.name()).is_some();
    let definition = || toml::to_string(&variant.definition()).expect("a definition is a table");
    VariantBegun {
        game,
        attempt,
        variant: variant.name().to_owned(),
        definition: (!is_built_in).then(definition),
        players,
        versions: if is_known { versions } else { Vec::new() },
        at_ms: now_ms(),
    }
}

/// Creates the record of a move; `number` counts from 1.
#[must_use]
pub fn variant_moved(game: u32, attempt: u32, number: u32, ply: &VariantPly) -> VariantMoved {
    VariantMoved {
        game,
        attempt,
        ply: number,
        seat: ply.played.seat.0,
        colour: ply.played.colour.0,
        code: ply.played.mv.to_string(),
        legal: ply.legal,
        us: micros(ply.time),
        host_us: micros(ply.host),
        forfeit: ply.forfeit,
        remark: ply.remark.clone(),
        log: ply.log.clone(),
    }
}

/// Creates the record of a finished game.
#[must_use]
pub fn variant_ended(game: &VariantGame, number: u32, attempt: u32) -> VariantEnded {
    let seats = game.seats.iter().map(|seat| SeatEnded {
        score: seat.score,
        place: seat.place,
        cells: seat.cells,
        fault: seat.fault.as_ref().map(|it| it.kind.word().to_owned()),
        log: seat.log.clone(),
    });
    VariantEnded {
        game: number,
        attempt,
        ending: game.word().to_owned(),
        detail: game.to_string(),
        seats: seats.collect(),
        plies: game.plies.len() as u32,
        at_ms: now_ms(),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
