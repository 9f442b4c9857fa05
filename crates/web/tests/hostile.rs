//! Hostile requests: each is refused with its status and its code.

mod common;

use std::io::Write;
use std::time::Duration;

use common::{Service, answer};

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn hostile_requests_are_refused_with_their_status() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
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

#[test]
fn heads_that_are_too_large_or_not_http_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let own = &service.address;
    let head = format!(
        "GET / HTTP/1.1\r\nHost: {own}\r\nX: {}\r\n\r\n",
        "x".repeat(200_000)
    );
    assert_eq!(service.raw(head.as_bytes()).status, 431);
    assert_eq!(
        service.raw(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").status,
        400
    );
    let smuggled = format!(
        "POST /api/v1/positions HTTP/1.1\r\nHost: {own}\r\nContent-Type: application/json\r\n\
         Content-Length: 17\r\nContent-Length: 5\r\n\r\n{{\"variant\":\"duo\"}}"
    );
    assert_eq!(service.raw(smuggled.as_bytes()).status, 400);
    // A body without a length is limited too.
    let part = format!("8000\r\n{}\r\n", " ".repeat(0x8000));
    let chunked = format!(
        "POST /api/v1/positions HTTP/1.1\r\nHost: {own}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        part.repeat(3)
    );
    let answer = service.raw(chunked.as_bytes());
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (413, "duoforge::too-large")
    );
    assert_eq!(service.get("/api/v1/health").status, 200);
}

#[test]
fn slow_and_half_open_requests_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    // A body that never comes: 408. A head that never ends: closed.
    let mut slow = service.connect();
    let head = format!(
        "POST /api/v1/positions HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{",
        service.address
    );
    slow.write_all(head.as_bytes()).unwrap();
    let mut open = service.connect();
    open.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    // Others are served meanwhile.
    let mut idle: Vec<_> = (0..5).map(|_| service.connect()).collect();
    assert_eq!(service.get("/api/v1/health").status, 200);
    let slow = answer(&mut slow);
    assert_eq!(
        (slow.status, slow.code().as_str()),
        (408, "duoforge::timeout")
    );
    assert_eq!(answer(&mut open).status, 0);
    for stream in &mut idle {
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        assert_eq!(answer(stream).status, 0);
    }
}
