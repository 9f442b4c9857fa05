//! Analyses.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use duoforge_view::Version;

use super::{Refused, Shared};
use crate::access::API;
use crate::analyses::NewAnalysis;
use crate::dto::{Analysis, AnalysisList};
use crate::extract::{Body, Segments};
use crate::problem::Problem;

/// Analyses that run, wait or have ended
#[utoipa::path(get, path = "/analyses", tag = "analyses", responses((status = 200, body = AnalysisList), Refused))]
pub async fn list(State(app): Shared) -> Json<AnalysisList> {
    let version = Version;
    let analyses = app.analyses.list();
    Json(AnalysisList { version, analyses })
}

/// New analysis: one runs, four wait
#[utoipa::path(
    post,
    path = "/analyses",
    tag = "analyses",
    request_body = NewAnalysis,
    responses((status = 202, body = Analysis), Refused)
)]
pub async fn create(
    State(app): Shared,
    Body(request): Body<NewAnalysis>,
) -> Result<impl IntoResponse, Problem> {
    let analysis = app.analyses.create(&request)?;
    let place = format!("{API}/analyses/{}", analysis.id);
    Ok((
        StatusCode::ACCEPTED,
        [(header::LOCATION, place)],
        Json(analysis),
    ))
}

/// Analysis and its progress
#[utoipa::path(
    get,
    path = "/analyses/{id}",
    tag = "analyses",
    params(("id" = String, Path, description = "Id of the analysis")),
    responses((status = 200, body = Analysis), Refused)
)]
pub async fn get(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Analysis>, Problem> {
    app.analyses.get(&id).map(Json)
}

/// Cancel an analysis
#[utoipa::path(
    delete,
    path = "/analyses/{id}",
    tag = "analyses",
    params(("id" = String, Path, description = "Id of the analysis")),
    responses((status = 200, body = Analysis), Refused)
)]
pub async fn cancel(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Analysis>, Problem> {
    app.analyses.cancel(&id).map(Json)
}
