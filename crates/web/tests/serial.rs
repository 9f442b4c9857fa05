//! Boards of visitors behind a socket: games, jobs, and hostile sockets.

mod common;

use std::fs;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use common::{Service, wait_for};
use duoforge_protocol::TeamCode;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::{Policy, Twin};
use serde_json::{Value, json};
use tungstenite::client::ClientRequestBuilder;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::{Error, Message, WebSocket};

const GAMES: &str = "/api/v1/games";

/// Longer than any reply takes, even on a slow machine.
const SOON: Duration = Duration::from_secs(60);

fn key(n: usize) -> String {
    format!("{n:032x}")
}

fn place(key: &str) -> String {
    format!("/api/v1/serial?device={key}")
}

/// Opens a socket as a page does.
fn connect(service: &Service, key: &str, token: &str) -> Result<WebSocket<TcpStream>, u16> {
    let address = format!("ws://{}{}", service.address, place(key));
    let request = ClientRequestBuilder::new(address.parse().unwrap())
        .with_header("Origin", format!("http://{}", service.address))
        .with_header("Sec-Fetch-Site", "same-origin")
        .with_header("Cookie", format!("duoforge_token={token}"));
    match tungstenite::client(request, service.connect()) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => {
            Err(answer.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

/// Next message within the time limit of the socket; the code and the reason of its end.
fn read(socket: &mut WebSocket<TcpStream>) -> Result<Message, (u16, String)> {
    match socket.read() {
        Ok(Message::Close(Some(close))) => Err((close.code.into(), close.reason.to_string())),
        Ok(message) => Ok(message),
        Err(_) => Err((0, String::new())),
    }
}

/// Action of a board.
enum Act {
    Send(Message),
    /// Ends the connection without a close frame.
    Vanish,
}

/// Twin behind a socket, as a page forwards it.
struct Board {
    player: String,
    acts: Sender<Act>,
    reports: Receiver<Value>,
    /// True once the board replies to nothing any more.
    is_mute: Arc<AtomicBool>,
}

impl Board {
    fn plug(service: &Service, key: &str) -> Self {
        let mut socket = connect(service, key, "").unwrap();
        let hello: Value = match read(&mut socket).unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other}"),
        };
        assert_eq!(hello["type"], "hello");
        let poll = Some(Duration::from_millis(5));
        socket.get_ref().set_read_timeout(poll).unwrap();
        let (acts, actions) = channel();
        let (sender, reports) = channel();
        let is_mute = Arc::new(AtomicBool::new(false));
        let mute = Arc::clone(&is_mute);
        thread::spawn(move || forward(socket, &actions, &sender, &mute));
        Self {
            player: hello["player"].as_str().unwrap().to_owned(),
            acts,
            reports,
            is_mute,
        }
    }

    fn ask(&self, action: &str) {
        let text = json!({ "do": action }).to_string();
        self.acts.send(Act::Send(Message::text(text))).unwrap();
    }

    /// Next report of a type.
    fn until(&self, kind: &str) -> Value {
        loop {
            let report = self.reports.recv_timeout(SOON).expect("a report");
            if report["type"] == kind {
                return report;
            }
        }
    }
}

/// Forwards bytes between the socket and a twin until the test ends the board.
fn forward(
    mut socket: WebSocket<TcpStream>,
    actions: &Receiver<Act>,
    reports: &Sender<Value>,
    is_mute: &AtomicBool,
) {
    let mut twin = Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default());
    loop {
        match actions.try_recv() {
            Ok(Act::Send(message)) => {
                if socket.send(message).is_err() {
                    return;
                }
            }
            Ok(Act::Vanish) => return,
            Err(_) => {}
        }
        match socket.read() {
            Ok(Message::Binary(bytes)) => {
                for frame in bytes.iter().filter_map(|&byte| twin.receive(byte)) {
                    if !is_mute.load(Ordering::SeqCst) {
                        let reply = Message::binary(frame.as_bytes().to_vec());
                        if socket.send(reply).is_err() {
                            return;
                        }
                    }
                }
            }
            Ok(Message::Text(text)) => {
                // The test may have ended.
                let _ = reports.send(serde_json::from_str(&text).unwrap());
            }
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}

/// Creates a game and returns its address.
fn create(service: &Service, seats: [&str; 2]) -> String {
    let seat = |name: &str| match name {
        "-" => json!({ "kind": "person" }),
        name => json!({ "kind": "player", "player": name }),
    };
    let request = json!({ "variant": "duo", "seats": seats.map(seat) });
    let answer = service.post(GAMES, &request);
    assert_eq!(answer.status, 201, "{answer:?}");
    format!("{GAMES}/{}", answer.json()["id"].as_str().unwrap())
}

/// Waits until a person is to move or the game has ended.
fn waiting(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let game = service.value(place);
        let seat = game["to_move"]["seat"].as_u64();
        let is_person = seat.is_some_and(|seat| game["seats"][seat as usize]["kind"] == "person");
        (is_person || game["status"] == "ended").then_some(game)
    })
}

/// Plays legal moves for the person until the game has at least this number of plies or has ended.
fn play_to(service: &Service, place: &str, plies: u64) -> Value {
    loop {
        let game = waiting(service, place);
        let ply = game["ply"].as_u64().unwrap();
        if game["status"] == "ended" || ply >= plies {
            return game;
        }
        let codes = game["state"]["legal"]["codes"].as_array().unwrap();
        let code = &codes[codes.len() * 9 / 10];
        let answer = service.post(
            &format!("{place}/moves"),
            &json!({ "ply": ply, "code": code }),
        );
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

fn ended(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let game = service.value(place);
        (game["status"] == "ended").then_some(game)
    })
}

#[test]
fn a_board_plays_a_whole_game_whose_times_are_unofficial() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let board = Board::plug(&service, &key(1));
    assert_eq!(board.player, format!("browser:{}", key(1)));
    let place = create(&service, [&board.player, "-"]);
    let game = play_to(&service, &place, u64::MAX);
    assert_eq!(game["result"]["ending"], "played-out", "{}", game["result"]);
    // The pattern policy is the oracle of the twin's moves.
    let mut position = DuoBoard::duo();
    for (ply, played) in game["moves"].as_array().unwrap().iter().enumerate() {
        let code = played["code"].as_str().unwrap();
        if ply % 2 == 0 {
            let best = Policy::default().best(&position);
            let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
            assert_eq!(code, mv.to_string(), "ply {ply}");
            assert!(played["host_us"].is_u64(), "{played}");
        }
        position.play(code.parse().unwrap()).unwrap();
    }
    assert_eq!(
        (
            &game["seats"][0]["unofficial"],
            &game["seats"][1]["unofficial"]
        ),
        (&json!(true), &json!(false))
    );
    // The name with the key is for the board's page alone; the journal has it and the remark.
    assert!(!game.to_string().contains(&key(1)), "{game}");
    let id = game["id"].as_str().unwrap();
    let journal = folder
        .path()
        .join("games")
        .join(id.replace(".1", ".journal"));
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.contains("\"unofficial\":true"), "{journal}");
    assert_eq!(journal.matches(&key(1)).count(), 1, "{journal}");
    let wire = wait_for(|| {
        let wire = service.value(&format!("{place}/wire"));
        let entries = wire["entries"].as_array().unwrap();
        (entries.last()?["text"] == "9").then_some(wire)
    });
    let prompts = wire["entries"].as_array().unwrap();
    assert!(prompts.iter().any(|it| it["text"] == "25"), "{wire}");
    let replay = service.get(&format!("{place}.html"));
    assert!(replay.body.contains("times of Board in a browser"));
    // The bytes have a meaning, in both directions.
    let reports: Vec<_> = board.reports.try_iter().collect();
    for (dir, part) in [
        ("to-board", "asks for the team code"),
        ("from-board", "team TW"),
    ] {
        let told = |it: &&Value| it["dir"] == dir && it["meaning"].to_string().contains(part);
        assert!(reports.iter().any(|it| told(&it)), "{part}: {reports:?}");
    }
}

#[test]
fn a_board_that_vanishes_or_stalls_ends_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let boards = [1, 2, 3, 4].map(|n| Board::plug(&service, &key(n)));
    let [gone, mute, new, kept] = &boards;
    // While the person is to move.
    let place = create(&service, [&gone.player, "-"]);
    play_to(&service, &place, 3);
    gone.acts.send(Act::Vanish).unwrap();
    let game = ended(&service, &place);
    let result = &game["result"];
    assert_eq!(
        (&result["ending"], &result["winners"]),
        (&json!("player-failed"), &json!([1]))
    );
    let detail = result["detail"].as_str().unwrap();
    assert!(detail.starts_with("Board in a browser: "), "{detail}");
    // Its name is unknown now, and free for another socket.
    let request = json!({ "variant": "duo", "seats": [
        { "kind": "person" }, { "kind": "player", "player": gone.player }] });
    assert_eq!(service.post(GAMES, &request).code(), "duoforge::player");
    assert!(connect(&service, &key(1), "").is_ok());
    // While its reply is due, and before its first move.
    let place = create(&service, ["-", &mute.player]);
    play_to(&service, &place, 2);
    mute.is_mute.store(true, Ordering::SeqCst);
    let unmoved = create(&service, ["-", &new.player]);
    new.acts.send(Act::Vanish).unwrap();
    let game = ended(&service, &unmoved);
    assert_eq!(
        (&game["result"]["ending"], &game["result"]["winners"]),
        (&json!("broken-off"), &json!([]))
    );
    let game = play_to(&service, &place, u64::MAX);
    let detail = game["result"]["detail"].as_str().unwrap();
    assert!(detail.contains("5 s"), "{detail}");
    assert_eq!(game["result"]["winners"], json!([0]));
    assert_eq!(game["ply"], 3);
    // Another board is not affected; a restart of the service breaks its game off.
    let place = create(&service, [&kept.player, "-"]);
    play_to(&service, &place, 3);
    drop(service);
    let service = Service::start(folder.path());
    let game = play_to(&service, &place, u64::MAX);
    assert_eq!(game["result"]["ending"], "broken-off", "{}", game["result"]);
    let detail = game["result"]["detail"].as_str().unwrap();
    assert!(detail.contains("not plugged into the browser"), "{detail}");
}

#[test]
fn a_board_is_identified_and_checked_and_used_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let board = Board::plug(&service, &key(1));
    board.ask("identify");
    let ended = board.until("ended");
    assert_eq!(
        (&ended["job"], &ended["status"], &ended["team"]),
        (&json!("identify"), &json!("done"), &json!("TW"))
    );
    board.ask("conform");
    assert_eq!(board.until("begun")["checks"], 25);
    let check = board.until("check");
    assert_eq!(
        (&check["number"], &check["name"], &check["verdict"]),
        (&json!(1), &json!("handshake"), &json!("passed"))
    );
    board.ask("identify");
    let refused = board.until("ended");
    assert_eq!(
        (&refused["job"], &refused["status"]),
        (&json!("identify"), &json!("failed"))
    );
    let request = json!({ "variant": "duo", "seats": [
        { "kind": "person" }, { "kind": "player", "player": board.player }] });
    assert_eq!(service.post(GAMES, &request).code(), "duoforge::device");
    board.ask("cancel");
    assert_eq!(board.until("ended")["status"], "cancelled");
    let place = create(&service, [&board.player, "-"]);
    let game = waiting(&service, &place);
    assert_eq!(game["seats"][0]["name"], "Board TW in a browser");
    board.ask("conform");
    let refused = board.until("ended");
    assert_eq!(
        (&refused["job"], &refused["status"]),
        (&json!("conform"), &json!("failed"))
    );
    assert!(refused["reason"].as_str().unwrap().contains("a game"));
    let resign = json!({ "ply": game["ply"], "seat": 1 });
    assert_eq!(
        service.post(&format!("{place}/resign"), &resign).status,
        200
    );
    // A run whose board vanishes ends, and the service continues.
    let ended = wait_for(|| {
        board.ask("identify");
        let ended = board.until("ended");
        (ended["status"] == "done").then_some(ended)
    });
    assert_eq!(ended["team"], "TW");
    board.ask("conform");
    board.until("check");
    board.acts.send(Act::Vanish).unwrap();
    wait_for(|| (service.post(GAMES, &request).code() == "duoforge::player").then_some(()));
}

#[test]
fn hostile_handshakes_are_refused_with_their_status() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens.toml");
    let text = "watcher-0123456789 = \"watch\"\nplayer-0123456789 = \"play\"\n";
    fs::write(&tokens, text).unwrap();
    let service = Service::with(folder.path(), &["--tokens", tokens.to_str().unwrap()]);
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
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
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
