//! The service itself: condition, rights, players, stream, document.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use duoforge_view::Version;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa::IntoParams;

use super::{Refused, Shared};
use crate::app::RELEASE;
use crate::dto::{Health, PlayerList, Session, StreamCount};
use crate::extract::{Client, Search};
use crate::feed::FeedCounts;
use crate::problem::Problem;
use crate::stream;

/// OpenAPI document of the service.
#[derive(Clone, Debug)]
pub struct ApiDocument(pub Arc<Value>);

/// Condition of the service
#[utoipa::path(get, path = "/health", tag = "service", responses((status = 200, body = Health), Refused))]
pub async fn health(State(app): Shared) -> Json<Health> {
    let FeedCounts {
        journals,
        faults,
        running,
    } = app.feed.counts();
    Json(Health {
        version: Version,
        status: "ok",
        release: RELEASE,
        uptime_ms: u64::try_from(app.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        journals,
        faults,
        games_running: running,
        streams: StreamCount {
            open: app.streams.open(),
            limit: app.streams.limit(),
        },
    })
}

/// Rights of the client
#[utoipa::path(get, path = "/session", tag = "service", responses((status = 200, body = Session), Refused))]
pub async fn session(State(app): Shared, Client(role): Client) -> Json<Session> {
    Json(Session {
        version: Version,
        role,
        tokens: app.access.has_tokens(),
    })
}

/// Players that games can be created with
#[utoipa::path(get, path = "/players", tag = "service", responses((status = 200, body = PlayerList), Refused))]
pub async fn players(State(app): Shared) -> Json<PlayerList> {
    Json(PlayerList {
        version: Version,
        players: app.players.views(),
    })
}

/// Query of a stream.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StreamQuery {
    /// Ids of journals, separated by commas; default: all.
    journal: Option<String>,
}

/// Event stream: records, programs that think, analyses
///
/// Server-sent events `hello`, `journal`, `record`, `thinking`, `analysis` and `gone`. The last id is
/// sent back as Last-Event-ID: no record is then missing and none comes twice. A snapshot, `journal`,
/// may come again.
#[utoipa::path(
    get,
    path = "/stream",
    tag = "service",
    params(StreamQuery),
    responses((status = 200, body = String, content_type = "text/event-stream"), Refused)
)]
pub async fn stream(
    State(app): Shared,
    Client(role): Client,
    Search(query): Search<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let filter = stream::named(query.journal.as_deref())?;
    stream::open(&app, role, filter, &headers)
}

/// OpenAPI document
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses((status = 200, body = Object), Refused))]
pub async fn openapi(Extension(document): Extension<ApiDocument>) -> Json<Value> {
    Json((*document.0).clone())
}
