//! Casual games of journals.

use duoforge_journal::{CasualHistory, CasualMoved};
use duoforge_rules::{GameVariant, ScoringRule};

use super::shown::{ShownGame, seats};
use crate::dto::{GameOutcome, MoveView, SeatKind, SeatView, Status};

/// Rules of a casual game; `None` for a variant that this release does not know.
pub fn variant(name: &str, scoring: &str) -> Option<GameVariant> {
    let scoring = ScoringRule::named(scoring)?;
    Some(GameVariant::named(name)?.clone().with_scoring(scoring))
}

/// Describes a casual game; one of this service is playable.
pub fn shown(journal: &str, records: u64, game: &CasualHistory, is_own: bool) -> Option<ShownGame> {
    let begun = &game.begun;
    let variant = variant(&begun.variant, &begun.scoring)?;
    let views = begun.seats.iter().map(|seat| SeatView {
        name: seat.name.clone(),
        kind: if seat.player.is_some() {
            SeatKind::Player
        } else {
            SeatKind::Person
        },
        player: seat.player.clone(),
        level: seat.level,
        unofficial: seat.unofficial,
        colours: Vec::new(),
    });
    Some(ShownGame {
        journal: journal.to_owned(),
        kind: "casual".to_owned(),
        number: 1,
        attempt: 1,
        round: 1,
        status: if game.ended.is_some() {
            Status::Ended
        } else {
            Status::Running
        },
        seats: seats(&variant, views),
        moves: game.moves.iter().map(played).collect(),
        result: game.ended.as_ref().map(|ended| GameOutcome {
            scores: ended.scores.clone(),
            winners: ended.winners.clone(),
            draw: ended.winners.len() > 1,
            ending: ended.ending.clone(),
            detail: ended.detail.clone(),
        }),
        begun_ms: begun.at_ms,
        ended_ms: game.ended.as_ref().map(|ended| ended.at_ms),
        playable: is_own,
        evidence: None,
        first_line: 1,
        records,
        variant,
    })
}

/// Describes a move of a casual game.
pub fn played(moved: &CasualMoved) -> MoveView {
    MoveView {
        ply: moved.ply as usize,
        colour: moved.colour,
        seat: moved.seat,
        code: moved.code.clone(),
        legal: moved.legal,
        us: moved.us,
        sim_us: moved.sim_us,
        host_us: moved.host_us,
        forfeit: false,
        at_ms: Some(moved.at_ms),
    }
}
