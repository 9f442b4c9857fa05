//! Resources below `/api/v1`. Each handler is a route and an operation of the OpenAPI document at
//! once, so that none can be missing in it.

mod analyses;
mod comparisons;
mod devices;
mod document;
mod events;
mod files;
mod games;
mod ladder;
mod play;
mod positions;
mod serial;
mod service;
mod trees;
mod variants;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use serde_json::Value;
use utoipa::IntoResponses;
use utoipa::OpenApi;
use utoipa::openapi::schema::Ref;
use utoipa::openapi::{ContentBuilder, RefOr, Response, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::API;
use crate::app::App;
use crate::dto::schema;
use crate::problem::{MEDIA_TYPE, Problem};

pub use service::ApiDocument;

/// State of all handlers.
pub type Shared = axum::extract::State<Arc<App>>;

/// Refusals that every operation may answer with.
pub struct Refused;

const REFUSALS: [(u16, &str); 15] = [
    (400, "malformed request (duoforge::request)"),
    (401, "token missing or unknown (duoforge::token)"),
    (
        403,
        "other origin, role too low, or game read-only (duoforge::origin, role, read-only)",
    ),
    (404, "resource that does not exist (duoforge::not-found)"),
    (
        405,
        "method that the resource does not have (duoforge::method)",
    ),
    (408, "body that is too slow (duoforge::timeout)"),
    (
        409,
        "request against the present state (duoforge::stale, turn, over, no-undo, device, event, journal::locked)",
    ),
    (
        413,
        "body or position that is too large (duoforge::too-large)",
    ),
    (414, "address that is too long (duoforge::too-large)"),
    (
        415,
        "content type other than application/json (duoforge::content-type)",
    ),
    (
        421,
        "host that is not a name of the service (duoforge::host)",
    ),
    (
        422,
        "invalid value (duoforge::illegal, code, variant, player, seats, limit, model, blksgf, tree, \
         tournament::plan)",
    ),
    (431, "headers that are too large"),
    (
        500,
        "failure of the service or its disk (duoforge::internal)",
    ),
    (503, "no capacity left (duoforge::busy)"),
];

impl IntoResponses for Refused {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let refusal = |(status, about): (u16, &str)| {
            let problem = Ref::from_schema_name("Problem");
            let content = ContentBuilder::new().schema(Some(problem)).build();
            let response = ResponseBuilder::new()
                .description(about)
                .content(MEDIA_TYPE, content);
            (status.to_string(), response.into())
        };
        REFUSALS.into_iter().map(refusal).collect()
    }
}

/// Description of the service in the document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "duoforge",
        description = "Games, positions, events and analyses of Blokus Duo and its variants."
    ),
    paths(files::record_file),
    components(schemas(Problem))
)]
struct Document;

/// Creates the routes, and the OpenAPI document that describes them.
pub fn routes(app: Arc<App>) -> (Router, Value) {
    let resources = OpenApiRouter::new()
        .routes(routes!(service::health))
        .routes(routes!(service::session))
        .routes(routes!(service::stream))
        .routes(routes!(service::players))
        .routes(routes!(serial::socket))
        .routes(routes!(service::openapi))
        .routes(routes!(variants::list))
        .routes(routes!(variants::tiles))
        .routes(routes!(variants::actions))
        .routes(routes!(positions::post))
        .routes(routes!(positions::empty))
        .routes(routes!(positions::get))
        .routes(routes!(positions::hints_of_empty))
        .routes(routes!(positions::hints))
        .routes(routes!(trees::post))
        .routes(routes!(games::list, play::create))
        .routes(routes!(games::get))
        .routes(routes!(play::moves))
        .routes(routes!(play::undo))
        .routes(routes!(play::resign))
        .routes(routes!(wire::bytes))
        .routes(routes!(wire::evidence))
        .routes(routes!(events::list, events::create))
        .routes(routes!(events::get))
        .routes(routes!(events::stop))
        .routes(routes!(events::resume))
        .routes(routes!(ladder::get))
        .routes(routes!(analyses::list, analyses::create))
        .routes(routes!(analyses::get, analyses::cancel))
        .routes(routes!(devices::identify))
        .routes(routes!(devices::conform))
        .routes(routes!(devices::list))
        .routes(routes!(devices::get, devices::cancel))
        .routes(routes!(comparisons::create))
        .routes(routes!(comparisons::get, comparisons::cancel));
    let router = OpenApiRouter::with_openapi(Document::openapi()).nest(API, resources);
    let (router, document) = router.split_for_parts();
    let mut document = serde_json::to_value(document).expect("a document is made of texts");
    schema::complete(&mut document);
    document::complete(&mut document);
    (router.with_state(app), document)
}
