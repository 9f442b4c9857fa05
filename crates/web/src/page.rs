//! Files of the page.

use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use duoforge_page::{PageFile, page_file};

use crate::access::API;
use crate::position::shown;
use crate::problem::Problem;

/// Media types by extension.
const TYPES: [(&str, &str); 11] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
];

/// Answers every address that is not a resource: a file of the page, or the page itself for an
/// address without an extension, which is one of its views.
pub async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return no_method().await.into_response();
    }
    let is_resource = path == "/api" || path.starts_with("/api/") || path.starts_with(API);
    let name = path.trim_start_matches('/');
    let last = name.rsplit('/').next().unwrap_or_default();
    let name = if last.contains('.') {
        name
    } else {
        "index.html"
    };
    match page_file(name) {
        Some(file) if !is_resource => answer(&request, name, file),
        _ => Problem::not_found(format!("{} does not exist", shown(path))).into_response(),
    }
}

/// Answers a method that a resource does not have.
pub async fn no_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "duoforge::method",
        "the resource does not have this method",
    )
    .help("/api/v1/openapi.json lists the methods")
}

fn answer(request: &Request, name: &str, file: &PageFile) -> Response {
    let digits: String = file.sha256[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{digits}\"");
    let extension = name.rsplit('.').next().unwrap_or_default();
    let kind = TYPES.iter().find(|(known, _)| *known == extension);
    let kind = kind.map_or("application/octet-stream", |(_, kind)| kind);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.parse().expect("digits")),
    ];
    let known = request.headers().get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.to_vec()).into_response()
}
