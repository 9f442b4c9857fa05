//! Access: hosts, origins, tokens and roles, and the headers of every answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::{Role, Tokens};

/// Prefix of all resources.
pub const API: &str = "/api/v1";

/// Maximum length of path and query in bytes.
const MAX_ADDRESS: usize = 8 << 10;

/// Resources whose writes need the role `referee`.
const OF_REFEREES: [&str; 3] = ["/players/", "/conformances/", "/events"];

/// Name of the cookie that holds the token.
const COOKIE: &str = "duoforge_token";

/// Headers of every answer. The page loads nothing from elsewhere, and no other page may frame or
/// read it.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
         form-action 'self'; object-src 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Rules of access.
#[derive(Clone, Debug)]
pub struct Access {
    address: SocketAddr,
    names: Vec<String>,
    tokens: Option<Tokens>,
}

impl Access {
    /// Creates the rules for a service at `address`, which also has the host names `names`.
    pub fn new(address: SocketAddr, names: Vec<String>, tokens: Option<Tokens>) -> Self {
        Self {
            address,
            names,
            tokens,
        }
    }

    /// True if clients need tokens.
    pub const fn has_tokens(&self) -> bool {
        self.tokens.is_some()
    }

    /// Checks a request and returns the role of the client.
    fn check(&self, request: &Request) -> Result<Role, Problem> {
        let uri = request.uri();
        let length = uri.path_and_query().map_or(0, |it| it.as_str().len());
        if length > MAX_ADDRESS {
            return Err(Problem::too_large(
                StatusCode::URI_TOO_LONG,
                format!("the address has {length} bytes: expected at most {MAX_ADDRESS}"),
            ));
        }
        let headers = request.headers();
        self.check_host(headers, uri.host())?;
        let path = uri.path();
        let Some(resource) = path.strip_prefix(API) else {
            return Ok(Role::Watch);
        };
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_socket = resource == "/serial";
        if !is_read || is_socket || resource == "/stream" {
            check_origin(headers)?;
        }
        if matches!(resource, "/health" | "/openapi.json") && is_read {
            return Ok(Role::Watch);
        }
        let role = self.role(headers)?;
        let needed = match *request.method() {
            _ if (is_read && !is_socket) || matches!(resource, "/positions" | "/trees") => {
                Role::Watch
            }
            _ if OF_REFEREES
                .iter()
                .any(|prefix| resource.starts_with(prefix)) =>
            {
                Role::Referee
            }
            _ => Role::Play,
        };
        if role < needed {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "duoforge::role",
                format!("the role {role} may not do this: expected {needed}"),
            )
            .help("ask the operator for a token of that role"));
        }
        Ok(role)
    }

    /// Checks the name by which the client calls the service: a page of another name that resolves
    /// to this machine (rebinding) must not reach it.
    fn check_host(&self, headers: &HeaderMap, uri: Option<&str>) -> Result<(), Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default(),
            (None, _) => return Err(Problem::request("the header Host is absent")),
            _ => return Err(Problem::request("the header Host occurs twice")),
        };
        // A request in absolute form must name the same host.
        let same = uri.is_none_or(|uri| split(host).is_some_and(|(name, _)| name == uri));
        let allowed = split(host).is_some_and(|(name, port)| self.is_allowed(name, port));
        if same && allowed {
            return Ok(());
        }
        let shown: String = host.chars().filter(|c| !c.is_control()).take(80).collect();
        Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "duoforge::host",
            format!("the host '{shown}' is not a name of this service"),
        )
        .help("`duoforge serve --host NAME` adds a name"))
    }

    fn is_allowed(&self, name: &str, port: Option<u16>) -> bool {
        if self
            .names
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
        {
            // A proxy may serve another port.
            return true;
        }
        if port.unwrap_or(80) != self.address.port() {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        match bare.unwrap_or(name).parse::<IpAddr>() {
            // An address is not a name: it cannot be rebound.
            Ok(ip) if ip.is_loopback() => {
                let own = self.address.ip();
                own == ip || own.is_unspecified() || own.is_loopback()
            }
            Ok(ip) => self.address.ip() == ip || self.address.ip().is_unspecified(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }

    fn role(&self, headers: &HeaderMap) -> Result<Role, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(Role::Referee);
        };
        let role = token(headers).and_then(|token| tokens.role(token));
        role.ok_or_else(|| {
            Problem::new(
                StatusCode::UNAUTHORIZED,
                "duoforge::token",
                "the token is missing or unknown",
            )
            .help("open /?token=TOKEN in the browser, or send Authorization: Bearer TOKEN")
        })
    }

    /// Answers `/?token=TOKEN`: stores a known token in a cookie that scripts cannot read.
    fn greet(&self, request: &Request) -> Option<Result<Response, UnknownToken>> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == "/");
        let token = query?.split('&').find_map(|it| it.strip_prefix("token="))?;
        if self.tokens.as_ref()?.role(token).is_none() {
            return Some(Err(UnknownToken));
        }
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
        let cookie = HeaderValue::from_str(&cookie).ok()?;
        let place = HeaderValue::from_static("/");
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, place)];
        Some(Ok((StatusCode::SEE_OTHER, headers).into_response()))
    }
}

/// The address holds a token that the service does not have.
struct UnknownToken;

/// Splits a host into its name and its port.
fn split(host: &str) -> Option<(&str, Option<u16>)> {
    let end = host.rfind(']').map_or(0, |end| end + 1);
    match host[end..].split_once(':') {
        Some((rest, port)) => Some((&host[..end + rest.len()], Some(port.parse().ok()?))),
        None => Some((host, None)),
    }
}

/// Checks that a request comes from the page itself, or from no page.
fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| {
        let value = headers.get(name);
        value.map(|value: &HeaderValue| value.to_str().unwrap_or("?"))
    };
    let host = text(header::HOST).unwrap_or_default();
    let is_own = |origin: &str| {
        let rest = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    };
    let site = text(header::HeaderName::from_static("sec-fetch-site"));
    let own_site = site.is_none_or(|site| matches!(site, "same-origin" | "none"));
    if own_site && text(header::ORIGIN).is_none_or(is_own) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "duoforge::origin",
        "the request comes from a page of another origin",
    )
    .help("use the page of this service"))
}

/// Token of a request: in the header Authorization, or in the cookie.
fn token(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        return value.to_str().ok()?.strip_prefix("Bearer ");
    }
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Layer around all routes: refuses what may not pass, and adds the headers.
pub async fn guard(
    State(access): State<Arc<Access>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match access.check(&request) {
        Err(problem) => problem.into_response(),
        Ok(role) => match access.greet(&request) {
            Some(Ok(response)) => response,
            greeting => {
                request.extensions_mut().insert(role);
                let mut response = next.run(request).await;
                // The page explains the refusal, which its own requests get too.
                if greeting.is_some() && response.status().is_success() {
                    *response.status_mut() = StatusCode::UNAUTHORIZED;
                }
                response
            }
        },
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_or_addresses_of_the_service() {
        let allowed = |listen: &str, host: &str| {
            let access = Access::new(listen.parse().unwrap(), vec!["hall.lan".to_owned()], None);
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            access.check_host(&headers, None).is_ok()
        };
        for (listen, host, expected) in [
            ("127.0.0.1:8080", "127.0.0.1:8080", true),
            ("127.0.0.1:8080", "localhost:8080", true),
            ("127.0.0.1:8080", "LocalHost:8080", true),
            ("127.0.0.1:8080", "[::1]:8080", true),
            ("127.0.0.1:80", "localhost", true),
            ("127.0.0.1:8080", "hall.lan", true),
            ("127.0.0.1:8080", "hall.lan:443", true),
            ("127.0.0.1:8080", "localhost", false),
            ("127.0.0.1:8080", "localhost:8081", false),
            ("127.0.0.1:8080", "localhost:", false),
            ("127.0.0.1:8080", "localhost:99999", false),
            ("127.0.0.1:8080", "evil.example:8080", false),
            ("127.0.0.1:8080", "127.0.0.1.evil.example:8080", false),
            ("127.0.0.1:8080", "localhost.evil.example:8080", false),
            ("127.0.0.1:8080", "10.0.0.1:8080", false),
            ("127.0.0.1:8080", "", false),
            ("10.0.0.1:8080", "10.0.0.1:8080", true),
            ("10.0.0.1:8080", "127.0.0.1:8080", false),
            ("0.0.0.0:8080", "10.0.0.1:8080", true),
            ("0.0.0.0:8080", "evil.example:8080", false),
        ] {
            assert_eq!(allowed(listen, host), expected, "{host} at {listen}");
        }
    }

    #[test]
    fn tokens_come_in_a_header_or_a_cookie() {
        let mut headers = HeaderMap::new();
        assert_eq!(token(&headers), None);
        headers.insert(
            header::COOKIE,
            "a=b; duoforge_token=xyz; c=d".parse().unwrap(),
        );
        assert_eq!(token(&headers), Some("xyz"));
        headers.insert(header::AUTHORIZATION, "Bearer abc".parse().unwrap());
        assert_eq!(token(&headers), Some("abc"));
        headers.insert(header::AUTHORIZATION, "Basic abc".parse().unwrap());
        assert_eq!(token(&headers), None);
    }
}
