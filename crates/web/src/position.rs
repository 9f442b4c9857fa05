//! Positions from requests.

use axum::http::StatusCode;
use duoforge_rules::{CodeError, Game, GameVariant};
use duoforge_view::{ActionError, read_move};

use crate::problem::Problem;

/// Maximum number of plies of a position.
pub const MAX_PLIES: usize = 200;

/// Returns a built-in variant.
pub fn variant(name: &str) -> Result<&'static GameVariant, Problem> {
    GameVariant::named(name).ok_or_else(|| {
        Problem::not_found(format!("no variant is called '{}'", shown(name)))
            .help("GET /api/v1/variants lists the variants")
    })
}

/// Plays moves from the beginning of a game.
pub fn play<'a>(
    variant: &GameVariant,
    codes: impl Iterator<Item = &'a str>,
) -> Result<Game, Problem> {
    let mut game = Game::new(variant);
    let actions = game.actions();
    let codes: Vec<&str> = codes.take(MAX_PLIES + 1).collect();
    if codes.len() > MAX_PLIES {
        return Err(Problem::too_large(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the position has too many plies: expected at most {MAX_PLIES}"),
        ));
    }
    for (ply, text) in codes.into_iter().enumerate() {
        let mv = read_move(text, &actions).map_err(|error| bad_code(ply, &error))?;
        let played = game.play(mv);
        played.map_err(|fault| Problem::illegal(ply, &mv.to_string(), &fault))?;
    }
    Ok(game)
}

/// Reads one move of a game.
pub fn bad_code(ply: usize, error: &ActionError) -> Problem {
    let text = shown(&error.to_string());
    let mut problem = Problem::invalid("duoforge::code", format!("ply {ply}: {text}")).at(ply);
    let is_off_board = match error {
        ActionError::OffBoard { .. } => true,
        ActionError::Code { reason, .. } => matches!(reason, CodeError::OffBoard(_)),
        _ => false,
    };
    if is_off_board {
        problem = problem.because("off-board");
    }
    problem.help("a move is four letters (column, row, tile, rotation), 0000 or an action number")
}

/// Splits codes at commas; an empty text is the empty board.
pub fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(move |_| !text.is_empty())
}

/// Text of a request in an error: printable and short.
pub fn shown(text: &str) -> String {
    let printable = text.chars().filter(|c| !c.is_control());
    printable.take(120).collect()
}
