//! Casual games: create, move, take back, resign. Each record is on the disk before the answer.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use super::{Refused, Shared};
use crate::access::API;
use crate::app::App;
use crate::dto::GameView;
use crate::extract::{Body, Segments};
use crate::play::NewGame;
use crate::problem::Problem;

/// Move of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
    /// Number of plies that the person saw.
    ply: usize,
    /// Code (any alias), action number, or `0000` for a pass.
    #[schema(example = "53e0")]
    code: String,
}

/// Request to take a move back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// Number of plies that the person saw.
    ply: usize,
}

/// Resignation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Number of plies that the person saw.
    ply: usize,
    /// Seat of the person, from 0.
    #[schema(maximum = 3)]
    seat: u8,
}

/// Runs what waits for the disk outside the threads that serve connections.
pub(super) async fn blocking<T: Send + 'static>(
    app: Arc<App>,
    action: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = spawn_blocking(move || action(&app)).await;
    done.unwrap_or_else(|_| Err(Problem::internal("the request failed")))
}

/// New game
#[utoipa::path(
    post,
    path = "/games",
    tag = "games",
    request_body = NewGame,
    responses((status = 201, body = GameView), Refused)
)]
pub async fn create(
    State(app): Shared,
    Body(request): Body<NewGame>,
) -> Result<impl IntoResponse, Problem> {
    let game = blocking(app, move |app| app.tables.create(&request)).await?;
    let place = format!("{API}/games/{}", game.summary.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Json(game)))
}

/// Move of a person
#[utoipa::path(
    post,
    path = "/games/{id}/moves",
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    request_body = NewMove,
    responses((status = 200, body = GameView), Refused)
)]
pub async fn moves(
    State(app): Shared,
    Segments(id): Segments<String>,
    Body(request): Body<NewMove>,
) -> Result<Json<GameView>, Problem> {
    let NewMove { ply, code } = request;
    blocking(app, move |app| app.tables.open(&id)?.play(ply, &code))
        .await
        .map(Json)
}

/// Take back to the last turn of a person
#[utoipa::path(
    post,
    path = "/games/{id}/undo",
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    request_body = Undo,
    responses((status = 200, body = GameView), Refused)
)]
pub async fn undo(
    State(app): Shared,
    Segments(id): Segments<String>,
    Body(Undo { ply }): Body<Undo>,
) -> Result<Json<GameView>, Problem> {
    blocking(app, move |app| app.tables.open(&id)?.undo(ply))
        .await
        .map(Json)
}

/// Resignation of a person
#[utoipa::path(
    post,
    path = "/games/{id}/resign",
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    request_body = Resign,
    responses((status = 200, body = GameView), Refused)
)]
pub async fn resign(
    State(app): Shared,
    Segments(id): Segments<String>,
    Body(Resign { ply, seat }): Body<Resign>,
) -> Result<Json<GameView>, Problem> {
    blocking(app, move |app| app.tables.resign(&id, ply, seat))
        .await
        .map(Json)
}
