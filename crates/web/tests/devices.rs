//! Casual games against devices: their moves, bytes and faults, and the use of one device.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use common::{Service, wait_for};
use duoforge_protocol::TeamCode;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::{Policy, Twin};
use serde_json::{Value, json};

const GAMES: &str = "/api/v1/games";

/// Service with devices: one line each, a name and a player.
fn start(directory: &Path, devices: &str) -> Service {
    fs::write(directory.join("devices"), devices).unwrap();
    Service::start(directory)
}

/// Seats of a request: `-` is a person.
fn seats(names: [&str; 2]) -> Value {
    let seat = |name: &str| match name {
        "-" => json!({ "kind": "person" }),
        name => json!({ "kind": "player", "player": name }),
    };
    json!({ "variant": "duo", "seats": names.map(seat) })
}

/// Creates a game and returns its address.
fn create(service: &Service, names: [&str; 2]) -> String {
    let answer = service.post(GAMES, &seats(names));
    assert_eq!(answer.status, 201, "{answer:?}");
    format!("{GAMES}/{}", answer.json()["id"].as_str().unwrap())
}

/// Waits until a person is to move or the game has ended.
fn when_waiting(service: &Service, place: &str) -> Value {
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
        let game = when_waiting(service, place);
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

/// Checks the moves of a seat: the pattern policy, which the twin repeats in its own arithmetic, is
/// their oracle.
fn check_moves(game: &Value, own: usize) {
    let mut board = DuoBoard::duo();
    let policy = Policy::default();
    for (ply, played) in game["moves"].as_array().unwrap().iter().enumerate() {
        let code = played["code"].as_str().unwrap();
        if ply % 2 == own {
            let best = policy.best(&board);
            let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
            assert_eq!(code, mv.to_string(), "ply {ply}");
            assert!(played["host_us"].is_u64(), "{played}");
        } else {
            assert!(played.get("host_us").is_none_or(Value::is_null), "{played}");
        }
        board.play(code.parse().unwrap()).unwrap();
    }
}

/// Checks that the bytes of a device hold its moves in order, each after its prompt.
fn check_bytes(service: &Service, place: &str, game: &Value, own: u64) {
    let wire = wait_for(|| {
        let wire = service.value(&format!("{place}/wire"));
        let entries = wire["entries"].as_array().unwrap();
        let ended = entries.iter().any(|it| it["text"] == "9");
        (ended || game["status"] != "ended").then_some(wire)
    });
    assert_eq!(
        (&wire["truncated"], &wire["files"]),
        (&json!(false), &json!(["wire.jsonl"]))
    );
    let entries = wire["entries"].as_array().unwrap();
    let times: Vec<_> = entries
        .iter()
        .map(|it| it["us"].as_u64().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    for played in game["moves"].as_array().unwrap() {
        let ply = played["ply"].as_u64().unwrap();
        if ply % 2 != own {
            continue;
        }
        let of_ply = |dir: &str| -> String {
            let chunks = entries
                .iter()
                .filter(|it| it["ply"] == ply && it["dir"] == dir);
            chunks.map(|it| it["text"].as_str().unwrap()).collect()
        };
        let last = ply
            .checked_sub(1)
            .map(|last| &game["moves"][last as usize]["code"]);
        let prompt = match (ply, last) {
            (0, _) => "25".to_owned(),
            (1, Some(last)) => format!("3A{}", last.as_str().unwrap()),
            (_, last) => format!("4{}", last.unwrap().as_str().unwrap()),
        };
        assert_eq!(of_ply("to-board"), prompt, "ply {ply}");
        let reply = of_ply("from-board");
        assert!(
            reply.starts_with(played["code"].as_str().unwrap()),
            "{reply}"
        );
    }
}

#[test]
fn a_person_plays_whole_games_against_a_device() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = start(directory.path(), "board twin\n");
    let players = service.value("/api/v1/players");
    let players = players["players"].as_array().unwrap();
    let board = players.iter().find(|it| it["name"] == "board").unwrap();
    assert_eq!(
        (&board["kind"], &board["undo"]),
        (&json!("device"), &json!(true))
    );
    for (own, names) in [(0, ["board", "-"]), (1, ["-", "board"])] {
        let place = create(&service, names);
        let game = play_to(&service, &place, 5);
        // The device repeats its moves after a restart of its game.
        let ply = game["ply"].as_u64().unwrap();
        let undo = service.post(&format!("{place}/undo"), &json!({ "ply": ply }));
        assert_eq!(undo.status, 200, "{undo:?}");
        play_to(&service, &place, 8);
        // And after a restart of the service.
        service.kill();
        service = Service::start(directory.path());
        let game = play_to(&service, &place, u64::MAX);
        assert_eq!(game["result"]["ending"], "played-out", "{}", game["result"]);
        check_moves(&game, own);
        assert_eq!(game["wire"], true);
    }
    // Without restarts each prompt is sent once.
    let place = create(&service, ["-", "board"]);
    let game = play_to(&service, &place, u64::MAX);
    check_moves(&game, 1);
    check_bytes(&service, &place, &game, 1);
    let wire = service.value(&format!("{place}/wire"));
    let id = game["id"].as_str().unwrap();
    assert_eq!(
        wire["replay"],
        format!("duoforge replay --plies duoforge-{id}.list")
    );
    let log = service.get(&format!("{place}/evidence/wire.jsonl"));
    assert_eq!(log.status, 200);
    let lines = log.body.lines().count();
    assert_eq!(lines, wire["entries"].as_array().unwrap().len());
    for file in ["moves.txt", "wire.log", "..%2F..%2Fdevices", "x"] {
        let answer = service.get(&format!("{place}/evidence/{file}"));
        assert_eq!(answer.status, 404, "{file}: {answer:?}");
    }
}

/// Serves a twin to one host after the other.
fn serve_twin() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut twin = Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default());
            let mut byte = [0];
            while let Ok(1) = stream.read(&mut byte) {
                if let Some(frame) = twin.receive(byte[0])
                    && stream.write_all(frame.as_bytes()).is_err()
                {
                    break;
                }
            }
        }
    });
    port
}

#[test]
fn one_device_plays_one_game_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let port = serve_twin();
    let service = start(directory.path(), &format!("board tcp:127.0.0.1:{port}\n"));
    let twice = service.post(GAMES, &seats(["board", "board"]));
    assert_eq!(
        (twice.status, twice.code()),
        (409, "duoforge::device".to_owned())
    );
    let first = create(&service, ["board", "-"]);
    let game = when_waiting(&service, &first);
    check_moves(&game, 0);
    check_bytes(&service, &first, &game, 0);
    assert_eq!(game["undo"], false);
    let game = play_to(&service, &first, 3);
    let undo = service.post(&format!("{first}/undo"), &json!({ "ply": game["ply"] }));
    assert_eq!(undo.code(), "duoforge::no-undo");
    let busy = service.post(GAMES, &seats(["-", "board"]));
    assert_eq!(
        (busy.status, busy.code()),
        (409, "duoforge::device".to_owned())
    );
    let resign = json!({ "ply": game["ply"], "seat": 1 });
    let ended = service.post(&format!("{first}/resign"), &resign).json();
    assert_eq!(ended["result"]["winners"], json!([0]));
    let second = wait_for(|| {
        let answer = service.post(GAMES, &seats(["-", "board"]));
        (answer.status == 201).then(|| answer.json())
    });
    let place = format!("{GAMES}/{}", second["id"].as_str().unwrap());
    let game = play_to(&service, &place, 6);
    check_moves(&game, 1);
}

#[test]
fn a_device_that_fails_loses_and_one_that_is_absent_breaks_the_game_off() {
    let directory = tempfile::tempdir().unwrap();
    let illegal = "head -c 1 >/dev/null; printf 1XX; head -c 2 >/dev/null; printf 0000; cat";
    let devices = format!(
        "passes exec:sh -c '{illegal}'\nends exec:sh -c 'exit 3'\nabsent tcp:127.0.0.1:1\n"
    );
    let service = start(directory.path(), &devices);
    for (name, ending, winners, part) in [
        ("passes", "player-failed", json!([1]), "passes chose 0000"),
        ("ends", "broken-off", json!([]), "no handshake"),
        ("absent", "broken-off", json!([]), "absent: "),
    ] {
        let place = create(&service, [name, "-"]);
        let game = wait_for(|| {
            let game = service.value(&place);
            (game["status"] == "ended").then_some(game)
        });
        let result = &game["result"];
        assert_eq!(
            (&result["ending"], &result["winners"]),
            (&json!(ending), &winners)
        );
        let detail = result["detail"].as_str().unwrap();
        assert!(detail.contains(part), "{detail}");
    }
}
