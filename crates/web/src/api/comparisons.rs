//! Comparisons of a decision by device, twin and hardware in simulation.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::{Refused, Shared};
use crate::access::API;
use crate::comparisons::NewComparison;
use crate::dto::Comparison;
use crate::extract::{Body, Segments};
use crate::problem::Problem;

/// New comparison: one runs, four wait
#[utoipa::path(
    post,
    path = "/comparisons",
    tag = "comparisons",
    request_body = NewComparison,
    responses((status = 202, body = Comparison), Refused)
)]
pub async fn create(
    State(app): Shared,
    Body(request): Body<NewComparison>,
) -> Result<impl IntoResponse, Problem> {
    let comparison = app.comparisons.create(&request)?;
    let place = format!("{API}/comparisons/{}", comparison.id);
    Ok((
        StatusCode::ACCEPTED,
        [(header::LOCATION, place)],
        Json(comparison),
    ))
}

/// Comparison and its result
#[utoipa::path(
    get,
    path = "/comparisons/{id}",
    tag = "comparisons",
    params(("id" = String, Path, description = "Id of the comparison")),
    responses((status = 200, body = Comparison), Refused)
)]
pub async fn get(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Comparison>, Problem> {
    app.comparisons.get(&id).map(Json)
}

/// Cancel a comparison
#[utoipa::path(
    delete,
    path = "/comparisons/{id}",
    tag = "comparisons",
    params(("id" = String, Path, description = "Id of the comparison")),
    responses((status = 200, body = Comparison), Refused)
)]
pub async fn cancel(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<Comparison>, Problem> {
    app.comparisons.cancel(&id).map(Json)
}
