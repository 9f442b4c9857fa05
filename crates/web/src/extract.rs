//! Extractors whose rejections are problems.

use std::error::Error;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::Role;
use crate::problem::Problem;

/// Maximum size of a body in bytes.
pub const MAX_BODY: usize = 64 << 10;

/// Maximum time for a body.
pub const BODY_TIME: Duration = Duration::from_secs(10);

/// Maximum number of bytes that are read of a body that is refused.
const MAX_DRAINED: usize = 1 << 20;

/// Maximum time for reading a body that is refused.
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "duoforge::content-type",
                "the content type is not supported: expected application/json",
            ));
        }
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > MAX_BODY) {
            // A connection that is closed with unread bytes may lose the answer.
            let _ = timeout(DRAIN_TIME, to_bytes(request.into_body(), MAX_DRAINED)).await;
            return Err(large());
        }
        let body = timeout(BODY_TIME, to_bytes(request.into_body(), MAX_DRAINED)).await;
        let Ok(body) = body else {
            let seconds = BODY_TIME.as_secs();
            return Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "duoforge::timeout",
                format!("the body is incomplete after {seconds} s"),
            ));
        };
        let body = body.map_err(|error| {
            if is_of_connection(&error) {
                cut_off()
            } else {
                large()
            }
        })?;
        if body.len() > MAX_BODY {
            return Err(large());
        }
        let value = serde_json::from_slice(&body);
        value
            .map(Self)
            .map_err(|error| Problem::request(format!("invalid body: {error}")))
    }
}

/// True if the connection or the coding of the body failed, false if the body is too large.
fn is_of_connection(error: &axum::Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        if error.is::<hyper::Error>() {
            return true;
        }
        source = error.source();
    }
    false
}

fn cut_off() -> Problem {
    Problem::request("the body cannot be read: it is cut off, or its chunks are malformed")
}

fn large() -> Problem {
    Problem::too_large(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the body is too large: expected at most {MAX_BODY} bytes"),
    )
}

/// Variable segments of the path.
pub struct Segments<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Segments<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        let path = path.map_err(|error| Problem::request(error.body_text()))?;
        Ok(Self(path.0))
    }
}

/// Query of the address.
pub struct Search<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Search<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        let query = query.map_err(|error| Problem::request(error.body_text()))?;
        Ok(Self(query.0))
    }
}

/// Role of the client, which the layer of access determined.
pub struct Client(pub Role);

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let role = parts.extensions.get::<Role>().copied();
        Ok(Self(role.unwrap_or(Role::Watch)))
    }
}
