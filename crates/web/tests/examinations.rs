//! Identification and conformance checks of devices, which the operator named.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use common::{Answer, Service, wait_for};
use duoforge_protocol::{BuildId, TeamCode};
use duoforge_twin::{Policy, Twin};
use serde_json::{Value, json};

/// Device that passes on its first turn, which is illegal.
const PASSES: &str = "while :; do c=$(head -c 1); case \"$c\" in 0) printf 1XX;; \
                      5|A) printf 0000;; \"\") exit;; esac; done";

/// Serves a twin to one host after the other.
fn serve_twin() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let twin = Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default());
            let mut twin = twin.with_build(BuildId(0x0bad_cafe));
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

/// Service with the devices `board`, `passes`, `mute` and `absent`.
fn start(directory: &Path) -> Service {
    fs::write(directory.join("passes.sh"), PASSES).unwrap();
    let devices = format!(
        "board tcp:127.0.0.1:{}\npasses exec:sh {}\nmute exec:sh -c 'cat >/dev/null'\n\
         absent tcp:127.0.0.1:1\n",
        serve_twin(),
        directory.join("passes.sh").display()
    );
    fs::write(directory.join("devices"), devices).unwrap();
    Service::start(directory)
}

fn ask(service: &Service, name: &str, what: &str, body: &Value) -> Answer {
    service.post(&format!("/api/v1/players/{name}/{what}"), body)
}

fn identified(service: &Service, name: &str) -> Value {
    let answer = ask(service, name, "identify", &json!({}));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Starts a run of checks and returns its address.
fn conform(service: &Service, name: &str, body: &Value) -> String {
    let answer = ask(service, name, "conform", body);
    assert_eq!(answer.status, 202, "{answer:?}");
    let place = answer.header("location").unwrap().to_owned();
    assert!(place.ends_with(answer.json()["id"].as_str().unwrap()));
    place
}

/// Waits until a run has ended.
fn ended(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let run = service.value(place);
        let is_open = run["status"] == "waiting" || run["status"] == "running";
        (!is_open).then_some(run)
    })
}

/// Bytes of one direction.
fn bytes(entries: &Value, direction: &str) -> String {
    let all = entries.as_array().unwrap().iter();
    let own = all.filter(|entry| entry["dir"] == direction);
    own.map(|entry| entry["text"].as_str().unwrap()).collect()
}

fn is_busy(service: &Service, name: &str) -> Value {
    let players = service.value("/api/v1/players");
    let mut all = players["players"].as_array().unwrap().iter();
    all.find(|player| player["name"] == name).unwrap()["busy"].clone()
}

#[test]
fn a_device_states_its_team_and_its_build() {
    let directory = tempfile::tempdir().unwrap();
    let service = start(directory.path());
    let board = identified(&service, "board");
    assert_eq!(
        (&board["team"], &board["build"]),
        (&json!("TW"), &json!("0badcafe"))
    );
    assert_eq!(board["fault"], Value::Null);
    assert_eq!(bytes(&board["bytes"], "to-board"), "0????");
    assert_eq!(bytes(&board["bytes"], "from-board"), "1TW0badcafe");
    let other = identified(&service, "passes");
    assert_eq!(
        (&other["team"], &other["build"]),
        (&json!("XX"), &Value::Null)
    );
    let mute = identified(&service, "mute");
    assert_eq!(
        (&mute["team"], bytes(&mute["bytes"], "to-board").as_str()),
        (&Value::Null, "0")
    );
    assert_eq!(mute["fault"], "the device does not reply to `0`");
    let absent = identified(&service, "absent");
    assert!(
        absent["fault"].is_string() && absent["bytes"] == json!([]),
        "{absent}"
    );
    for (name, status, code) in [
        ("nothing", 404, "duoforge::not-found"),
        ("engine", 422, "duoforge::device"),
        ("exec:sh", 404, "duoforge::not-found"),
        ("..%2Fdevices", 404, "duoforge::not-found"),
    ] {
        for what in ["identify", "conform"] {
            let answer = ask(&service, name, what, &json!({}));
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (status, code),
                "{name}"
            );
        }
    }
}

#[test]
fn checks_come_with_their_results_and_explanations() {
    let directory = tempfile::tempdir().unwrap();
    let service = start(directory.path());
    let first = [
        "handshake",
        "2",
        "timing",
        "codes",
        "rules",
        "quiet",
        "next-game",
    ];
    let place = conform(&service, "board", &json!({ "only": first }));
    let run = ended(&service, &place);
    assert_eq!(
        (&run["status"], &run["team"]),
        (&json!("done"), &json!("TW")),
        "{run}"
    );
    let steps = run["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 7);
    for step in steps {
        assert_eq!(step["verdict"], "passed", "{step}");
        assert!(step["about"].is_string() && step["seconds"].is_f64());
    }
    assert!(bytes(&run["bytes"], "to-board").contains('9'), "{run}");
    let run = ended(
        &service,
        &conform(&service, "passes", &json!({ "only": first })),
    );
    let verdicts: Vec<_> = run["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["verdict"])
        .collect();
    let expected = [
        "passed", "passed", "passed", "passed", "failed", "passed", "blocked",
    ];
    assert_eq!(json!(verdicts), json!(expected));
    let rules = &run["steps"][4];
    assert_eq!(rules["fault"], "illegal-pass");
    assert!(
        rules["text"]
            .as_str()
            .unwrap()
            .contains("pass on its first turn"),
        "{rules}"
    );
    let log = rules["bytes"].as_array().unwrap();
    assert!(
        log.iter()
            .any(|line| line.as_str().unwrap().ends_with("device < 0000")),
        "{rules}"
    );
    assert!(
        run["steps"][6]["text"]
            .as_str()
            .unwrap()
            .starts_with("as in check 5")
    );
    let failed = ended(&service, &conform(&service, "absent", &json!({})));
    assert_eq!(failed["status"], "failed");
    assert!(failed["reason"].is_string() && failed["steps"][0]["verdict"].is_null());
    let list = service.value("/api/v1/conformances");
    assert_eq!(list["conformances"].as_array().unwrap().len(), 3);
    for body in [
        json!({ "only": ["hello"] }),
        json!({ "series_games": 0 }),
        json!({ "series_games": 101 }),
        json!({ "device": "/dev/ttyUSB0" }),
    ] {
        assert_eq!(
            ask(&service, "board", "conform", &body).status,
            400,
            "{body}"
        );
    }
}

#[test]
fn checks_of_text_bots_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let service = start(directory.path());
    for name in ["bot-ready", "26", "38"] {
        let only = json!({ "only": ["handshake", name] });
        let answer = ask(&service, "board", "conform", &only);
        assert_eq!(answer.status, 400, "{name}: {answer:?}");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(
            detail.contains(&format!("'{name}'")) && detail.contains("from 1 to 25"),
            "{detail}"
        );
    }
    let list = service.value("/api/v1/conformances");
    assert_eq!(list["conformances"], json!([]));
}

#[test]
fn a_device_is_in_one_game_or_one_examination_and_a_run_can_be_cancelled() {
    let directory = tempfile::tempdir().unwrap();
    let service = start(directory.path());
    assert_eq!(is_busy(&service, "board"), false);
    let game = json!({ "variant": "duo", "seats": [
        { "kind": "player", "player": "board" }, { "kind": "person" }
    ] });
    let played = service.post("/api/v1/games", &game).json();
    assert_eq!(is_busy(&service, "board"), true);
    for what in ["identify", "conform"] {
        let busy = ask(&service, "board", what, &json!({}));
        assert_eq!(
            (busy.status, busy.code().as_str()),
            (409, "duoforge::device"),
            "{what}"
        );
    }
    let place = format!("/api/v1/games/{}", played["id"].as_str().unwrap());
    let now = wait_for(|| {
        let game = service.value(&place);
        (game["to_move"]["seat"] == 1).then_some(game)
    });
    let resign = json!({ "ply": now["ply"], "seat": 1 });
    assert_eq!(
        service.post(&format!("{place}/resign"), &resign).status,
        200
    );
    wait_for(|| (is_busy(&service, "board") == false).then_some(()));
    // Many games: it does not end by itself while the test looks.
    let many = json!({ "only": ["handshake", "series"], "series_games": 100 });
    let run = conform(&service, "board", &many);
    wait_for(|| (service.value(&run)["steps"][0]["verdict"] == "passed").then_some(()));
    assert_eq!(is_busy(&service, "board"), true);
    assert_eq!(
        service.post("/api/v1/games", &game).code(),
        "duoforge::device"
    );
    let again = ask(&service, "board", "conform", &json!({}));
    assert_eq!(
        (again.status, again.code().as_str()),
        (409, "duoforge::device")
    );
    // Another device waits for its turn.
    let waiting = conform(&service, "passes", &json!({ "only": ["1"] }));
    assert_eq!(service.value(&waiting)["status"], "waiting");
    let cancelled = service.send("DELETE", &run, "", "");
    assert_eq!(cancelled.json()["status"], "cancelled");
    assert_eq!(ended(&service, &waiting)["status"], "done");
    let run = service.value(&run);
    assert_eq!(
        (&run["status"], &run["steps"][1]["verdict"]),
        (&json!("cancelled"), &Value::Null)
    );
    wait_for(|| (is_busy(&service, "board") == false).then_some(()));
    assert_eq!(identified(&service, "board")["team"], "TW");
    let unknown = service.send("DELETE", "/api/v1/conformances/k9", "", "");
    assert_eq!(unknown.status, 404);
}
