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
    let content = match (extension, std::str::from_utf8(&file.data)) {
        ("js" | "css", Ok(text)) => lean(text).into_bytes(),
        _ => Cow::into_owned(file.data.clone()),
    };
    (headers, content).into_response()
}

/// Removes comments that begin a line, and indentation. No text of the page's scripts and styles
/// extends over lines, so that only blanks and comments are lost.
fn lean(text: &str) -> String {
    let mut lean = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines() {
        let mut rest = line.trim_start();
        loop {
            if in_comment {
                let Some((_, after)) = rest.split_once("*/") else {
                    rest = "";
                    break;
                };
                in_comment = false;
                rest = after.trim_start();
            }
            match rest.strip_prefix("/*") {
                Some(comment) => {
                    in_comment = true;
                    rest = comment;
                }
                None => break,
            }
        }
        if !rest.starts_with("//") {
            lean.push_str(rest);
        }
        lean.push('\n');
    }
    lean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scripts and styles with their names.
    fn texts() -> Vec<(String, String)> {
        let names = Page::iter().map(Cow::into_owned);
        let names = names.filter(|name| name.ends_with(".js") || name.ends_with(".css"));
        names
            .map(|name| {
                let data = Page::get(&name).unwrap().data;
                let text = String::from_utf8(data.into_owned()).unwrap();
                (name, text)
            })
            .collect()
    }

    #[test]
    fn comments_and_indentation_are_not_served() {
        let text = "/** Head. */\n\n/**\n * @param {string} a\n */\nf(a => {\n\t// Why.\n\t\
                    return '/* a */ // b'; // c\n\t/** @type {B} */ (b).c = 1; /* d */\n});\n";
        let expected =
            "\n\n\n\n\nf(a => {\n\nreturn '/* a */ // b'; // c\n(b).c = 1; /* d */\n});\n";
        assert_eq!(lean(text), expected);
    }

    #[test]
    fn scripts_and_styles_together_are_served_in_at_most_150_kb() {
        let texts = texts();
        let bytes: usize = texts.iter().map(|(_, text)| lean(text).len()).sum();
        assert!((50_000..=150_000).contains(&bytes), "{bytes} bytes");
    }

    /// Lines inside of a template would lose their indentation.
    #[test]
    fn no_template_extends_over_lines() {
        for (name, text) in texts() {
            for (number, line) in text.lines().enumerate() {
                let is_comment = line.trim_start().starts_with(['/', '*']);
                let marks = line.matches('`').count();
                assert!(
                    is_comment || marks % 2 == 0,
                    "{name}:{}: {line}",
                    number + 1
                );
            }
        }
    }
}
