//! Errors of casual games.

use axum::http::StatusCode;
use duoforge_journal::JournalError;
use duoforge_rules::ScoringRule;

use crate::players::OfferError;
use crate::position;
use crate::problem::Problem;

/// Variant that does not exist.
pub fn unknown_variant(name: &str) -> Problem {
    let message = format!("no variant is called '{}'", position::shown(name));
    Problem::invalid("duoforge::variant", message).help("GET /api/v1/variants lists the variants")
}

pub(super) fn unknown_scoring(name: &str) -> Problem {
    let names = ScoringRule::ALL.map(ScoringRule::name).join(", ");
    let name = position::shown(name);
    let message = format!("no scoring rule is called '{name}': expected one of {names}");
    Problem::invalid("duoforge::variant", message)
}

/// Game that does not exist.
pub fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no game has the id '{}'", position::shown(id)))
        .help("GET /api/v1/games lists the games")
}

pub(super) fn read_only() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "duoforge::read-only",
        "the game is not played at this service",
    )
    .help("only games with playable=true accept moves")
}

pub(super) fn locked() -> Problem {
    let message = "another program has the journal of the game open for writing";
    Problem::new(StatusCode::FORBIDDEN, "duoforge::read-only", message)
        .help("end the other program, or play at its service")
}

/// Refusal of a player.
pub fn bad_player(error: &OfferError) -> Problem {
    if let OfferError::Busy(_) = error {
        return Problem::conflict("duoforge::device", error.to_string())
            .help("finish or resign the game of the device first, or stop its tournament");
    }
    Problem::invalid("duoforge::player", error.to_string())
        .help("GET /api/v1/players lists the players, their levels and variants")
}

/// Failure of a journal, without its path.
pub(super) fn disk(error: &JournalError) -> Problem {
    Problem::internal(match error {
        JournalError::Full(_) => "the disk or the quota is full",
        _ => "the journal of the game cannot be written",
    })
    .help("the operator must check the directory of the games")
}
