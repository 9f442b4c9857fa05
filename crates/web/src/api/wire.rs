//! Bytes and evidence of games.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::play::blocking;
use super::{Refused, Shared};
use crate::app::App;
use crate::dto::WireView;
use crate::extract::Segments;
use crate::feed::ShownGame;
use crate::play;
use crate::position::shown;
use crate::problem::Problem;
use crate::wire::{self, CASUAL, EVIDENCE};

/// Bytes between host and devices, with their times
///
/// Present for casual games with devices, and for refereed games that left evidence.
#[utoipa::path(
    get,
    path = "/games/{id}/wire",
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    responses((status = 200, body = WireView), Refused)
)]
pub async fn bytes(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<WireView>, Problem> {
    let view = blocking(app, move |app| {
        let (game, journal) = found(app, &id)?;
        Ok(WireView::new(&game, wire::read(&journal, &game)))
    });
    view.await.map(Json)
}

/// File of the evidence of a game, as an attachment: wire log, replay, list, summary or picture
#[utoipa::path(
    get,
    path = "/games/{id}/evidence/{file}",
    tag = "games",
    params(
        ("id" = String, Path, description = "Id of the game"),
        ("file" = String, Path, description = "Name of a file that GET games/{id}/wire lists")
    ),
    responses(
        (status = 200, content(
            (String = "text/plain"),
            (String = "application/json"),
            (String = "application/x-ndjson"),
            (String = "text/html"),
            (String = "image/svg+xml")
        )),
        Refused
    )
)]
pub async fn evidence(
    State(app): Shared,
    Segments((id, file)): Segments<(String, String)>,
) -> Result<Response, Problem> {
    let name = [CASUAL].into_iter().chain(EVIDENCE);
    let name = name.into_iter().find(|name| *name == file);
    let unknown = || Problem::not_found(format!("the game has no file '{}'", shown(&file)));
    let name = name.ok_or_else(unknown)?;
    let filename = format!("attachment; filename=\"duoforge-{}.{name}\"", shown(&id));
    let missing = unknown();
    let content = blocking(app, move |app| {
        let (game, journal) = found(app, &id)?;
        let path = wire::file(&journal, &game, name).ok_or(missing)?;
        std::fs::read(path).map_err(|_| Problem::internal("the file cannot be read"))
    });
    let content = content.await?;
    let kind = match name.rsplit('.').next() {
        Some("json") => "application/json",
        Some("jsonl") => "application/x-ndjson",
        Some("svg") => "image/svg+xml",
        Some("html") => "text/html; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, filename),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((headers, content).into_response())
}

/// Returns a game and the path of its journal.
fn found(app: &App, id: &str) -> Result<(ShownGame, std::path::PathBuf), Problem> {
    let game = app.feed.game(id).ok_or_else(|| play::unknown(id))?;
    let path = app.feed.path(&game.journal);
    let path = path.ok_or_else(|| play::unknown(id))?;
    Ok((game, path))
}
