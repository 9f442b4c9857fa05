//! Devices of the operator: identification and conformance checks.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use duoforge_view::Version;

use super::play::blocking;
use super::{Refused, Shared};
use crate::access::API;
use crate::dto::{Conformance, ConformanceList, Identification};
use crate::examinations::NewConformance;
use crate::extract::{Body, Segments};
use crate::problem::Problem;

/// Team code and build id of a device
///
/// Sends `0` and `????` to a device of the operator that no game uses. Needs the role `referee`.
#[utoipa::path(
    post,
    path = "/players/{name}/identify",
    tag = "devices",
    params(("name" = String, Path, description = "Name of the device's profile")),
    responses((status = 200, body = Identification), Refused)
)]
pub async fn identify(
    State(app): Shared,
    Segments(name): Segments<String>,
) -> Result<Json<Identification>, Problem> {
    let view = blocking(app, move |app| app.examinations.identify(&name));
    view.await.map(Json)
}

/// New run of conformance checks: one runs, four wait
///
/// Needs the role `referee`.
#[utoipa::path(
    post,
    path = "/players/{name}/conform",
    tag = "devices",
    params(("name" = String, Path, description = "Name of the device's profile")),
    request_body = NewConformance,
    responses((status = 202, body = Conformance), Refused)
)]
pub async fn conform(
    State(app): Shared,
    Segments(name): Segments<String>,
    Body(request): Body<NewConformance>,
) -> Result<impl IntoResponse, Problem> {
    let run = app.examinations.create(&name, &request)?;
    let place = format!("{API}/conformances/{}", run.id);
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(run)))
}

/// Runs of conformance checks that run, wait or have ended
#[utoipa::path(
    get,
    path = "/conformances",
    tag = "devices",
    responses((status = 200, body = ConformanceList), Refused)
)]
pub async fn list(State(app): Shared) -> Json<ConformanceList> {
    Json(ConformanceList {
        version: Version,
        conformances: app.examinations.list(),
    })
}

/// Run of conformance checks and its results
#[utoipa::path(
    get,
    path = "/conformances/{id}",
    tag = "devices",
    params(("id" = String, Path, description = "Id of the run")),
    responses((status = 200, body = Conformance), Refused)
)]
pub async fn get(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Conformance>, Problem> {
    app.examinations.get(&id).map(Json)
}

/// Cancel a run of conformance checks
///
/// Needs the role `referee`.
#[utoipa::path(
    delete,
    path = "/conformances/{id}",
    tag = "devices",
    params(("id" = String, Path, description = "Id of the run")),
    responses((status = 200, body = Conformance), Refused)
)]
pub async fn cancel(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Conformance>, Problem> {
    app.examinations.cancel(&id).map(Json)
}
