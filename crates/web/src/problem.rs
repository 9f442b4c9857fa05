//! Errors of the service as `application/problem+json`, with the codes of the commands.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use duoforge_rules::IllegalMove;
use serde::Serialize;
use utoipa::ToSchema;

/// Media type of errors.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Error of a request, by RFC 9457.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: `code` distinguishes the errors.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Name of the status.
    title: &'static str,
    /// HTTP status.
    status: u16,
    /// Code of the error, as the commands print it.
    #[schema(example = "duoforge::illegal")]
    code: &'static str,
    /// Input, fault and permitted range.
    detail: String,
    /// Next action.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'static str>,
    /// Keyword of the rule that a move breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "edge-contact")]
    reason: Option<&'static str>,
    /// Cell at fault, `[x, y]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<[u8; 2]>,
    /// Ply of the move at fault, from 0; for a stale ply the ply of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
}

impl Problem {
    /// Creates an error.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code,
            detail: detail.into(),
            help: None,
            reason: None,
            cell: None,
            ply: None,
        }
    }

    /// Adds the next action.
    pub fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }

    /// Adds the ply at fault.
    pub fn at(mut self, ply: usize) -> Self {
        self.ply = Some(u32::try_from(ply).unwrap_or(u32::MAX));
        self
    }

    /// Adds the keyword of the rule that a move breaks.
    pub fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Malformed request.
    pub fn request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "duoforge::request", detail)
            .help("/api/v1/openapi.json describes every request")
    }

    /// Resource that does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "duoforge::not-found", detail)
    }

    /// Value that the request may not have.
    pub fn invalid(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// Request that contradicts the present state.
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// Request that is too large.
    pub fn too_large(status: StatusCode, detail: impl Into<String>) -> Self {
        Self::new(status, "duoforge::too-large", detail)
    }

    /// Service that has no capacity left.
    pub fn busy(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "duoforge::busy", detail).help("try again later")
    }

    /// Fault of the service itself, or of its disk.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "duoforge::internal",
            detail,
        )
    }

    /// Illegal move.
    pub fn illegal(ply: usize, code: &str, fault: &IllegalMove) -> Self {
        let (reason, cell) = reason(fault);
        let mut problem = Self::invalid(
            "duoforge::illegal",
            format!("{code} at ply {ply} is illegal: {fault}"),
        )
        .at(ply)
        .help("legal.codes of the state lists the legal moves");
        problem.reason = Some(reason);
        problem.cell = cell;
        problem
    }

    /// Input, fault and permitted range.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// HTTP status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).expect("created from a status")
    }
}

/// Returns the keyword of a rule and the cell at fault.
fn reason(fault: &IllegalMove) -> (&'static str, Option<[u8; 2]>) {
    match fault {
        IllegalMove::GameOver => ("game-over", None),
        IllegalMove::PassOnFirstTurn => ("pass-on-first-turn", None),
        IllegalMove::PassWithPlacement => ("pass-with-placement", None),
        IllegalMove::TileUsed { .. } => ("tile-used", None),
        IllegalMove::OffBoard => ("off-board", None),
        IllegalMove::Occupied { cell } => ("occupied", Some([cell.x, cell.y])),
        IllegalMove::EdgeContact { cell } => ("edge-contact", Some([cell.x, cell.y])),
        IllegalMove::StartCellMissed { start } => ("start-cell-missed", Some([start.x, start.y])),
        IllegalMove::StartCellsMissed { .. } => ("start-cells-missed", None),
        IllegalMove::NoConnection { .. } => ("no-connection", None),
        IllegalMove::NoCornerContact => ("no-corner-contact", None),
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = serde_json::to_vec(&self).expect("an error is made of texts and numbers");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            }
            StatusCode::UNAUTHORIZED => {
                let scheme = HeaderValue::from_static("Bearer");
                headers.insert(header::WWW_AUTHENTICATE, scheme);
            }
            // The rest of the request's body is not read.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
