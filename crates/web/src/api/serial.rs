//! Socket of a board that a visitor's page plugs in.

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Refused, Shared};
use crate::extract::Search;
use crate::problem::Problem;
use crate::serial::{self, MAX_FRAME, PlugError};

/// Query of the socket.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SocketQuery {
    /// Random key of the board, chosen by its page: 32 digits 0-9 and a-f.
    #[param(
        pattern = "^[0-9a-f]{32}$",
        example = "00112233445566778899aabbccddeeff"
    )]
    device: String,
}

/// Socket of a board on the computer of the client
///
/// A WebSocket: the bytes of the board come and go in binary frames, requests and reports in text
/// frames. docs/service.md describes them.
#[utoipa::path(
    get,
    path = "/serial",
    tag = "service",
    params(SocketQuery),
    responses((status = 101, description = "the socket is open"), Refused)
)]
pub async fn socket(
    State(app): Shared,
    Search(query): Search<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    // A page sees the reason of a refusal only without the upgrade.
    let plugged = app.players.boards().plug(&query.device).map_err(refusal)?;
    let upgrade = upgrade
        .map_err(|error| Problem::request(format!("not a WebSocket: {}", error.body_text())))?;
    let upgrade = upgrade
        .max_frame_size(MAX_FRAME)
        .max_message_size(MAX_FRAME)
        .read_buffer_size(2 * MAX_FRAME);
    Ok(upgrade.on_upgrade(move |socket| serial::run(socket, app, plugged)))
}

fn refusal(error: PlugError) -> Problem {
    let message = error.to_string();
    match error {
        PlugError::Key => Problem::request(message),
        PlugError::Taken => {
            Problem::conflict("duoforge::device", message).help("close the other page of the board")
        }
        PlugError::Full => Problem::busy(message),
    }
}
