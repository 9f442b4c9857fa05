//! Tests of complete requests that are hostile.

use crate::common::Service;

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn hostile_requests_are_refused_with_their_status() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let own = &service.address;
    let host = |host: &str| {
        format!("GET /api/v1/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    };
    for (request, status, code) in [
        (host("evil.example"), 421, "duoforge::host"),
        (host("localhost"), 421, "duoforge::host"),
        (host("127.0.0.1.evil.example"), 421, "duoforge::host"),
        (host("127.0.0.1:1"), 421, "duoforge::host"),
        (host(""), 421, "duoforge::host"),
        (
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
            400,
            "duoforge::request",
        ),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            ),
            400,
            "duoforge::request",
        ),
        (
            format!(
                "GET http://evil.example/ HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n"
            ),
            421,
            "duoforge::host",
        ),
    ] {
        let answer = service.raw(request.as_bytes());
        assert_eq!(answer.status, status, "{request}: {answer:?}");
        assert_eq!(answer.code(), code, "{request}");
    }
    assert_eq!(service.raw(host("hall.example").as_bytes()).status, 200);

    let long = format!("/api/v1/positions/duo/{}", "53e0,".repeat(2000));
    let plies = format!(
        "{{\"variant\":\"duo\",\"codes\":[{}\"0000\"]}}",
        "\"0000\",".repeat(200)
    );
    let large = format!("{{\"variant\":\"{}\"}}", "d".repeat(70_000));
    let position = "/api/v1/positions";
    let valid = "{\"variant\":\"duo\"}";
    let other = format!("{JSON}Origin: http://evil.example\r\n");
    let null = format!("{JSON}Origin: null\r\n");
    let cross = format!("{JSON}Sec-Fetch-Site: cross-site\r\n");
    let same_site = format!("{JSON}Sec-Fetch-Site: same-site\r\n");
    // Columns: method, path, headers, body, status, code.
    for (method, path, headers, body, status, code) in [
        (
            "POST",
            position,
            other.as_str(),
            valid,
            403,
            "duoforge::origin",
        ),
        ("POST", position, &null, valid, 403, "duoforge::origin"),
        ("POST", position, &cross, valid, 403, "duoforge::origin"),
        ("POST", position, &same_site, valid, 403, "duoforge::origin"),
        ("GET", "/api/v1/stream", &other, "", 403, "duoforge::origin"),
        ("GET", "/api/v1/stream", &cross, "", 403, "duoforge::origin"),
        (
            "GET",
            "/api/v1/stream",
            &same_site,
            "",
            403,
            "duoforge::origin",
        ),
        (
            "POST",
            "/api/v1/games",
            &other,
            valid,
            403,
            "duoforge::origin",
        ),
        (
            "POST",
            "/api/v1/games/x.1/moves",
            &cross,
            valid,
            403,
            "duoforge::origin",
        ),
        (
            "DELETE",
            "/api/v1/analyses/a1",
            &other,
            "",
            403,
            "duoforge::origin",
        ),
        (
            "POST",
            "/api/v1/trees",
            &other,
            "{}",
            403,
            "duoforge::origin",
        ),
        (
            "POST",
            "/api/v1/trees",
            JSON,
            &large,
            413,
            "duoforge::too-large",
        ),
        ("POST", position, "", valid, 415, "duoforge::content-type"),
        (
            "POST",
            position,
            "Content-Type: text/plain\r\n",
            valid,
            415,
            "duoforge::content-type",
        ),
        (
            "POST",
            position,
            "Content-Type: multipart/form-data; boundary=x\r\n",
            valid,
            415,
            "duoforge::content-type",
        ),
        (
            "POST",
            position,
            "Content-Type: application/x-www-form-urlencoded\r\n",
            valid,
            415,
            "duoforge::content-type",
        ),
        (
            "POST",
            position,
            "Content-Type: application/json5\r\n",
            valid,
            415,
            "duoforge::content-type",
        ),
        ("POST", position, JSON, &large, 413, "duoforge::too-large"),
        ("POST", position, JSON, &plies, 413, "duoforge::too-large"),
        ("POST", position, JSON, "{", 400, "duoforge::request"),
        ("POST", position, JSON, "[]", 400, "duoforge::request"),
        (
            "POST",
            position,
            JSON,
            "{\"variant\":\"duo\",\"path\":\"/etc\"}",
            400,
            "duoforge::request",
        ),
        (
            "POST",
            position,
            JSON,
            "{\"variant\":\"\u{0}\"}",
            400,
            "duoforge::request",
        ),
        (
            "POST",
            position,
            JSON,
            "{\"variant\":\"chess\"}",
            404,
            "duoforge::not-found",
        ),
        ("GET", &long, "", "", 414, "duoforge::too-large"),
        (
            "GET",
            "/api/v1/positions/duo/53e0,53e0",
            "",
            "",
            422,
            "duoforge::illegal",
        ),
        (
            "GET",
            "/api/v1/positions/duo/xyz",
            "",
            "",
            422,
            "duoforge::code",
        ),
        (
            "GET",
            "/api/v1/positions/duo/%FF",
            "",
            "",
            400,
            "duoforge::request",
        ),
        (
            "GET",
            "/api/v1/positions/../../etc/passwd",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "/../../../etc/passwd.txt",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "/..%2f..%2fetc%2fpasswd.txt",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "//etc/passwd.txt",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "/page/index.html",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "/api/v1/games/..%2F..%2Fetc%2Fpasswd",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        (
            "GET",
            "/api/v1/games/x.1",
            "",
            "",
            404,
            "duoforge::not-found",
        ),
        ("GET", "/api/v1/nothing", "", "", 404, "duoforge::not-found"),
        ("GET", "/api", "", "", 404, "duoforge::not-found"),
        (
            "GET",
            "/api/v1/games?limit=1001",
            "",
            "",
            400,
            "duoforge::request",
        ),
        (
            "GET",
            "/api/v1/games?path=/etc",
            "",
            "",
            400,
            "duoforge::request",
        ),
        (
            "GET",
            "/api/v1/positions/duo/hints",
            "",
            "",
            400,
            "duoforge::request",
        ),
        (
            "GET",
            "/api/v1/positions/duo/hints?cell=14,0",
            "",
            "",
            400,
            "duoforge::request",
        ),
        (
            "GET",
            "/api/v1/positions/duo/hints?tile=v",
            "",
            "",
            400,
            "duoforge::request",
        ),
        ("PUT", "/api/v1/games", JSON, "{}", 405, "duoforge::method"),
        ("TRACE", "/api/v1/games", "", "", 405, "duoforge::method"),
        ("OPTIONS", "/api/v1/games", "", "", 405, "duoforge::method"),
        ("BREW", "/api/v1/games", "", "", 405, "duoforge::method"),
        ("DELETE", "/api/v1/games", "", "", 405, "duoforge::method"),
        ("POST", "/", JSON, "{}", 405, "duoforge::method"),
        (
            "POST",
            "/api/v1/games",
            JSON,
            "{\"variant\":\"duo\",\"seats\":[]}",
            422,
            "duoforge::seats",
        ),
        (
            "POST",
            "/api/v1/games",
            JSON,
            "{\"variant\":\"duo\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"player\",\"player\":\"exec:/bin/sh\"}]}",
            422,
            "duoforge::player",
        ),
        (
            "POST",
            "/api/v1/games",
            JSON,
            "{\"variant\":\"duo\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"player\",\"player\":\"engine\",\"level\":10}]}",
            422,
            "duoforge::player",
        ),
        (
            "POST",
            "/api/v1/games",
            JSON,
            "{\"variant\":\"duo\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"player\",\"player\":\"serial:/dev/ttyS0\"}]}",
            422,
            "duoforge::player",
        ),
        (
            "POST",
            "/api/v1/games/x.1/moves",
            JSON,
            "{\"ply\":0,\"code\":\"53e0\"}",
            404,
            "duoforge::not-found",
        ),
        (
            "POST",
            "/api/v1/analyses",
            JSON,
            "{\"variant\":\"duo\"}",
            422,
            "duoforge::limit",
        ),
        (
            "POST",
            "/api/v1/analyses",
            JSON,
            "{\"variant\":\"duo\",\"ms\":100000}",
            422,
            "duoforge::limit",
        ),
        (
            "POST",
            "/api/v1/analyses",
            JSON,
            "{\"variant\":\"classic\",\"ms\":100}",
            422,
            "duoforge::variant",
        ),
    ] {
        let answer = service.send(method, path, headers, body);
        assert_eq!(
            answer.status, status,
            "{method} {path} {headers}: {answer:?}"
        );
        assert_eq!(answer.code(), code, "{method} {path} {headers}");
        assert!(answer.header("content-security-policy").is_some());
    }
    let answer = service.get("/api/v1/health");
    assert_eq!(answer.status, 200);
}
