//! Rules as data.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use duoforge_rules::GameVariant;
use duoforge_view::{TileTable, Version};

use super::Refused;
use crate::dto::schema::TilesSchema;
use crate::dto::{ActionList, VariantList, VariantView};
use crate::extract::Segments;
use crate::position::variant;
use crate::problem::Problem;

/// The data of a release never change.
const CACHE: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "max-age=3600")];

/// Built-in variants
#[utoipa::path(get, path = "/variants", tag = "rules", responses((status = 200, body = VariantList), Refused))]
pub async fn list() -> impl IntoResponse {
    let variants = GameVariant::BUILT_IN.iter().map(VariantView::new).collect();
    let version = Version;
    (CACHE, Json(VariantList { version, variants }))
}

/// Cells of all orientations
#[utoipa::path(
    get,
    path = "/variants/{variant}/tiles",
    tag = "rules",
    params(("variant" = String, Path, description = "Name of the variant", example = "duo")),
    responses((status = 200, body = TilesSchema), Refused)
)]
pub async fn tiles(Segments(name): Segments<String>) -> Result<impl IntoResponse, Problem> {
    let table = TileTable::new(variant(&name)?.size());
    Ok((CACHE, Json(table)))
}

/// All actions by number
#[utoipa::path(
    get,
    path = "/variants/{variant}/actions",
    tag = "rules",
    params(("variant" = String, Path, description = "Name of the variant", example = "duo")),
    responses((status = 200, body = ActionList), Refused)
)]
pub async fn actions(Segments(name): Segments<String>) -> Result<impl IntoResponse, Problem> {
    Ok((CACHE, Json(ActionList::new(variant(&name)?))))
}
