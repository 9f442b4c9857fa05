//! Tests of heads and bodies that are too large, malformed or slow.

use std::io::Write;
use std::time::Duration;

use crate::common::{Service, answer};

#[test]
fn heads_that_are_too_large_or_not_http_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
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
    // A chunk without a valid length.
    let malformed = service.raw(chunked.replace("\r\n\r\n", "\r\n\r\nzz\r\n").as_bytes());
    assert_eq!(
        (malformed.status, malformed.code().as_str()),
        (400, "duoforge::request")
    );
    assert_eq!(service.get("/api/v1/health").status, 200);
}

#[test]
fn slow_and_half_open_requests_are_ended() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
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
