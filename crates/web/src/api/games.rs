//! Games: list, one game, its files.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use duoforge_view::Version;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Refused, Shared, files, ladder};
use crate::dto::{GameList, GameView};
use crate::extract::{Search, Segments};
use crate::feed::GameFilter;
use crate::play;
use crate::problem::Problem;

/// Maximum number of games of an answer.
pub const MAX_GAMES: usize = 1000;

/// Query of games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    /// True for games in progress, false for all others; default: both.
    running: Option<bool>,
    /// Id of a journal; default: all.
    journal: Option<String>,
    /// Name of a variant; default: all.
    variant: Option<String>,
    /// Name of a player that has a seat.
    player: Option<String>,
    /// Name of a player that has another seat.
    opponent: Option<String>,
    /// Maximum number of games, up to 1000; default: 100.
    #[param(maximum = 1000)]
    limit: Option<usize>,
    /// Number of games to skip.
    offset: Option<usize>,
}

/// Query of one game.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GameQuery {
    /// Number of plies of the state; default: all.
    pub ply: Option<usize>,
}

/// Games of all journals, the newest first
#[utoipa::path(
    get,
    path = "/games",
    tag = "games",
    params(GamesQuery),
    responses((status = 200, body = GameList), Refused)
)]
pub async fn list(
    State(app): Shared,
    Search(query): Search<GamesQuery>,
) -> Result<Json<GameList>, Problem> {
    let limit = query.limit.unwrap_or(100);
    if limit > MAX_GAMES {
        let message = format!("limit={limit} is out of range: expected 0 to {MAX_GAMES}");
        return Err(Problem::request(message));
    }
    let offset = query.offset.unwrap_or(0);
    let filter = GameFilter {
        running: query.running,
        journal: query.journal.as_deref(),
        variant: query.variant.as_deref(),
        players: [query.player.as_deref(), query.opponent.as_deref()],
    };
    let (total, games) = app.feed.games(&filter, offset, limit);
    if total == 0
        && let Some(name) = filter.variant
    {
        ladder::known(&app, name)?;
    }
    let version = Version;
    Ok(Json(GameList {
        version,
        total,
        games,
    }))
}

/// Game with its moves and the state at one ply
#[utoipa::path(
    get,
    path = "/games/{id}",
    tag = "games",
    params(("id" = String, Path, description = "Id of the game"), GameQuery),
    responses((status = 200, body = GameView), Refused)
)]
pub async fn get(
    State(app): Shared,
    Segments(id): Segments<String>,
    Search(query): Search<GameQuery>,
) -> Result<Response, Problem> {
    let (id, format) = match files::split(&id) {
        Some((id, format)) => (id, Some(format)),
        None => (&*id, None),
    };
    let game = app.feed.game(id).ok_or_else(|| play::unknown(id))?;
    if let Some(ply) = query.ply
        && ply > game.moves.len()
    {
        let plies = game.moves.len();
        let message = format!("ply={ply} is out of range: expected 0 to {plies}");
        return Err(Problem::request(message));
    }
    if let Some(format) = format {
        return files::file(&game, format, query.ply);
    }
    let view = game.view(query.ply, app.tables.can_undo(id));
    Ok(Json(view).into_response())
}
