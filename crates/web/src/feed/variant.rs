//! Games of variants in journals, refereed for one to four seats.

use duoforge_journal::{VariantEnded, VariantHistory, VariantMoved};
use duoforge_rules::GameVariant;
use duoforge_view::read_variant;

use super::shown::{ShownGame, seats};
use crate::dto::{GameOutcome, MoveView, SeatKind, SeatView, Status};

/// Describes a game; `None` for a variant that this release does not know.
pub fn shown(journal: &str, kind: &str, records: u64, game: &VariantHistory) -> Option<ShownGame> {
    let begun = &game.begun;
    let variant = match &begun.definition {
        Some(definition) => read_variant(definition).ok()?,
        None => GameVariant::named(&begun.variant)?.clone(),
    };
    let views = begun.players.iter().map(|name| SeatView {
        name: name.clone(),
        kind: SeatKind::Unknown,
        player: None,
        level: None,
        unofficial: false,
        colours: Vec::new(),
    });
    Some(ShownGame {
        journal: journal.to_owned(),
        kind: kind.to_owned(),
        number: begun.game,
        attempt: begun.attempt,
        round: 1,
        status: match (&game.ended, game.is_annulled) {
            (Some(_), _) => Status::Ended,
            (None, true) => Status::Annulled,
            (None, false) => Status::Running,
        },
        seats: seats(&variant, views),
        moves: game.moves.iter().map(played).collect(),
        result: game.ended.as_ref().map(outcome),
        begun_ms: begun.at_ms,
        ended_ms: game.ended.as_ref().map(|ended| ended.at_ms),
        playable: false,
        evidence: None,
        first_line: 1,
        records,
        variant,
    })
}

fn outcome(ended: &VariantEnded) -> GameOutcome {
    let first = (0..).zip(&ended.seats).filter(|(_, seat)| seat.place == 1);
    let winners: Vec<u8> = first.map(|(seat, _)| seat).collect();
    GameOutcome {
        scores: ended.seats.iter().map(|seat| seat.score).collect(),
        draw: winners.len() > 1,
        winners,
        ending: ended.ending.clone(),
        detail: ended.detail.clone(),
    }
}

/// Describes a move.
pub fn played(moved: &VariantMoved) -> MoveView {
    MoveView {
        ply: moved.ply.saturating_sub(1) as usize,
        colour: moved.colour,
        seat: moved.seat,
        code: moved.code.clone(),
        legal: moved.legal,
        us: moved.us,
        sim_us: None,
        host_us: Some(moved.host_us),
        forfeit: moved.forfeit,
        at_ms: None,
    }
}
