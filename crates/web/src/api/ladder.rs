//! Ladder over all journals.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use duoforge_rules::GameVariant;
use serde::Deserialize;
use utoipa::IntoParams;

use super::play::blocking;
use super::{Refused, Shared};
use crate::app::App;
use crate::dto::{LadderUnitView, LadderView};
use crate::extract::Search;
use crate::problem::Problem;

/// Query of the ladder.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LadderQuery {
    /// Name of the variant whose games are rated; default: `duo`.
    variant: Option<String>,
    /// Unit that has a rating; default: `version`.
    #[param(inline)]
    by: Option<LadderUnitView>,
}

/// Ratings over the refereed games of all journals
///
/// The object of `duoforge ladder --json`, and the numbers of games by variant.
#[utoipa::path(
    get,
    path = "/ladder",
    tag = "events",
    params(LadderQuery),
    responses((status = 200, body = LadderView), Refused)
)]
pub async fn get(
    State(app): Shared,
    Search(LadderQuery { variant, by }): Search<LadderQuery>,
) -> Result<Response, Problem> {
    let text = blocking(app, move |app| {
        let variant = variant.as_deref().unwrap_or(GameVariant::DUO.name());
        app.ladders.text(variant, by.unwrap_or_default())
    });
    let headers = [(header::CONTENT_TYPE, "application/json")];
    Ok((headers, text.await?).into_response())
}

/// Checks the name of a variant of which no game was found.
pub(super) fn known(app: &App, variant: &str) -> Result<(), Problem> {
    app.ladders.check(variant)
}
