//! Tests of hostile handshakes and sockets: each is refused or closed.

use std::fs;

use serde_json::json;
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::board::{Act, Board};
use crate::common::{self, Service, wait_for};
use crate::requests::{create, ended, play_to};
use crate::socket::{connect, key, place, read};

#[test]
fn hostile_handshakes_are_refused_with_their_status() {
    let directory = tempfile::tempdir().unwrap();
    let tokens = directory.path().join("tokens.toml");
    let text = "watcher-0123456789 = \"watch\"\nplayer-0123456789 = \"play\"\n";
    fs::write(&tokens, text).unwrap();
    let service = Service::with(directory.path(), &["--tokens", tokens.to_str().unwrap()]);
    let own = service.address.clone();
    let valid = place(&key(1));
    let upgrade = "Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let player = "Cookie: duoforge_token=player-0123456789\r\n";
    let watcher = "Cookie: duoforge_token=watcher-0123456789\r\n";
    let with = |parts: &[&str]| parts.concat();
    let other = "Origin: http://evil.example\r\n";
    // Columns: host, path, headers, status, code.
    for (host, path, headers, status, code) in [
        (
            "evil.example",
            &*valid,
            with(&[upgrade, player]),
            421,
            "duoforge::host",
        ),
        (
            &own,
            &valid,
            with(&[upgrade, player, other]),
            403,
            "duoforge::origin",
        ),
        (
            &own,
            &valid,
            with(&[upgrade, player, "Origin: null\r\n"]),
            403,
            "duoforge::origin",
        ),
        (
            &own,
            &valid,
            with(&[upgrade, player, "Sec-Fetch-Site: cross-site\r\n"]),
            403,
            "duoforge::origin",
        ),
        (
            &own,
            &valid,
            with(&[upgrade, player, "Sec-Fetch-Site: same-site\r\n"]),
            403,
            "duoforge::origin",
        ),
        (&own, &valid, with(&[upgrade]), 401, "duoforge::token"),
        (
            &own,
            &valid,
            with(&[upgrade, watcher]),
            403,
            "duoforge::role",
        ),
        (
            &own,
            &valid,
            with(&["Connection: close\r\n", player]),
            400,
            "duoforge::request",
        ),
        (
            &own,
            &valid,
            with(&[&upgrade.replace("13", "12"), player]),
            400,
            "duoforge::request",
        ),
        (
            &own,
            "/api/v1/serial",
            with(&[upgrade, player]),
            400,
            "duoforge::request",
        ),
        (
            &own,
            &place("1"),
            with(&[upgrade, player]),
            400,
            "duoforge::request",
        ),
        (
            &own,
            &place("/dev/ttyUSB0"),
            with(&[upgrade, player]),
            400,
            "duoforge::request",
        ),
        (
            &own,
            &format!("{valid}&path=/dev/ttyUSB0"),
            with(&[upgrade, player]),
            400,
            "duoforge::request",
        ),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        let mut stream = service.connect();
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let answer = common::answer(&mut stream);
        assert_eq!(
            (answer.status, &*answer.code()),
            (status, code),
            "{request}"
        );
    }
    let json = format!("Content-Type: application/json\r\n{player}");
    let post = service.send("POST", &valid, &json, "{}");
    assert_eq!(
        (post.status, post.code().as_str()),
        (405, "duoforge::method")
    );

    // A key has one socket, and the number of boards has a limit.
    let token = "player-0123456789";
    let first = connect(&service, &key(0), token).unwrap();
    assert_eq!(connect(&service, &key(0), token).err(), Some(409));
    let rest: Vec<_> = (1..16)
        .map(|n| connect(&service, &key(n), token).unwrap())
        .collect();
    assert_eq!(connect(&service, &key(99), token).err(), Some(503));
    // A page learns the reason without the upgrade.
    let reason = service.send("GET", &place(&key(0)), player, "");
    assert_eq!(
        (reason.status, reason.code().as_str()),
        (409, "duoforge::device")
    );
    drop((first, rest));
    wait_for(|| connect(&service, &key(0), token).ok());
}

#[test]
fn hostile_sockets_are_closed_with_a_reason() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let frame = |code: Data, bytes: Vec<u8>| {
        let frame = Frame::message(bytes, OpCode::Data(code), true);
        vec![Message::Frame(frame)]
    };
    let part = |is_last| {
        let code = if is_last {
            Data::Continue
        } else {
            Data::Binary
        };
        Message::Frame(Frame::message(
            vec![b'x'; 3000],
            OpCode::Data(code),
            is_last,
        ))
    };
    for (n, (name, messages, reason)) in [
        ("bytes as text", vec![Message::text("1TW")], "not a request"),
        (
            "another request",
            vec![Message::text("{\"do\":\"exec\"}")],
            "not a request",
        ),
        (
            "a request with a path",
            vec![Message::text(
                "{\"do\":\"conform\",\"device\":\"/dev/ttyS0\"}",
            )],
            "not a request",
        ),
        (
            "text that is not UTF-8",
            frame(Data::Text, vec![0xff; 8]),
            "",
        ),
        (
            "an unknown kind of frame",
            frame(Data::Reserved(3), vec![0; 8]),
            "",
        ),
        (
            "an oversized frame",
            vec![Message::binary(vec![b'x'; 5000])],
            "too long",
        ),
        (
            "oversized fragments",
            vec![part(false), part(true)],
            "too long",
        ),
        (
            "a flood of bytes",
            vec![Message::binary(vec![b'x'; 4096]); 1000],
            "more bytes",
        ),
        (
            "a flood of requests",
            vec![Message::text("{\"do\":\"cancel\"}"); 1000],
            "more bytes",
        ),
        (
            "a flood of nothing",
            vec![Message::binary(Vec::new()); 300_000],
            "more bytes",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let mut socket = connect(&service, &key(n), "").unwrap();
        // A closed socket takes no more.
        for message in messages {
            if socket.write(message).is_err() {
                break;
            }
        }
        let _ = socket.flush();
        let (code, found) = loop {
            if let Err(end) = read(&mut socket) {
                break end;
            }
        };
        // The reason may be lost if the service closes with unread bytes.
        assert!(code == 1008 || code == 0, "{name}: {code} {found}");
        assert!(
            code == 0 || found.to_lowercase().contains(reason),
            "{name}: {found}"
        );
        assert!(code == 1008 || name.contains("flood"), "{name}: no reason");
        drop(socket);
        let again = wait_for(|| connect(&service, &key(n), "").ok());
        drop(again);
    }
    // A flood ends the game of its board.
    let board = Board::plug(&service, &key(50));
    let place = create(&service, [&board.player, "-"]);
    play_to(&service, &place, 3);
    for _ in 0..100 {
        // Its thread ends once the socket is closed.
        let _ = board
            .acts
            .send(Act::Send(Message::binary(vec![b'x'; 4096])));
    }
    let game = ended(&service, &place);
    assert_eq!(game["result"]["winners"], json!([1]), "{}", game["result"]);
}
