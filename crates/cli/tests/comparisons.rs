//! Comparisons of the service with a real model: the emitted search in Verilator, intact and with a
//! changed table, next to its twin and to a player of the same search.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Served, good, text, with_variable};
use duoforge_sim::substitute::VARIABLE;
use serde_json::{Value, json};
use tempfile::tempdir;

/// Small search, whose model is built in little time.
const SEARCH: &str = "search:lanes=1,nodes=63,children=8,expand_threshold=6,sims=40";

/// Sends a request and returns the status and the answer.
fn send(address: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let host = address
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let request = format!(
        "{method} /api/v1/{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

/// Repeats a question until the answer is the wanted one.
fn until(ask: impl Fn() -> Value, wanted: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + Duration::from_secs(280);
    loop {
        let answer = ask();
        if wanted(&answer) {
            return answer;
        }
        assert!(Instant::now() < end, "{answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Compares a decision and returns the finished comparison.
fn compared(address: &str, request: &Value) -> Value {
    let (status, begun) = send(address, "POST", "comparisons", request);
    assert_eq!(status, 202, "{begun}");
    let path = format!("comparisons/{}", begun["id"].as_str().unwrap());
    until(
        || send(address, "GET", &path, &Value::Null).1,
        |answer| answer["status"] != "waiting" && answer["status"] != "running",
    )
}

/// Changes the result of a game that is won by 5 points in all designs of a directory.
fn change(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = text(&path).strip_suffix(".emitted.v") else {
            continue;
        };
        let design = fs::read_to_string(&path).unwrap();
        let changed = design.replace("8'h5: data = 16'hf30a;", "8'h5: data = 16'hf30b;");
        assert_ne!(changed, design, "the table of results has such an entry");
        fs::write(format!("{name}.v"), changed).unwrap();
    }
}

#[test]
fn a_search_is_compared_in_three_columns_and_a_changed_design_is_found() {
    let directory = tempdir().unwrap();
    let directory = directory.path();
    let designs = directory.join("designs");
    fs::create_dir(&designs).unwrap();
    let profiles = directory.join("profiles.toml");
    fs::write(&profiles, format!("[soft]\ndevice = \"{SEARCH}\"\n")).unwrap();
    let served = Served::start_with(
        (VARIABLE, text(&designs)),
        &[
            "serve",
            text(directory),
            "--listen",
            "127.0.0.1:0",
            "--games",
            text(&directory.join("games")),
            "--profiles",
            text(&profiles),
        ],
    );
    let address = served.place.as_str();
    let seats = json!([{ "kind": "person" }, { "kind": "player", "player": "soft" }]);
    let new = json!({ "variant": "duo", "seats": seats });
    let (status, game) = send(address, "POST", "games", &new);
    assert!(status < 300, "{game}");
    let id = game["id"].as_str().unwrap();
    let path = format!("games/{id}");
    let first = json!({ "ply": 0, "code": "53e0" });
    let (status, moved) = send(address, "POST", &format!("{path}/moves"), &first);
    assert!(status < 300, "{moved}");
    let game = until(
        || send(address, "GET", &path, &Value::Null).1,
        |game| game["ply"] == 2,
    );
    let reply = &game["moves"][1]["code"];

    // The profile is that search: its whole search is compared.
    let decision = json!({ "game": id, "ply": 1 });
    let equal = compared(address, &decision);
    assert_eq!(equal["status"], "done", "{equal}");
    assert_eq!(
        (&equal["player"], &equal["simulations"]),
        (&json!(SEARCH), &json!(40))
    );
    assert_eq!(equal["differences"], json!([]));
    let count = good(&["moves", "53e0", "--count"]);
    for name in ["device", "twin", "hardware"] {
        assert_eq!(equal[name]["reply"], *reply, "{name}");
        assert_eq!(equal[name]["legal"].to_string(), count.trim(), "{name}");
    }
    let children = |column: &str| equal[column]["best"].as_array().unwrap().clone();
    for column in ["twin", "hardware"] {
        assert_eq!(equal[column]["simulations"], 40);
        let visits = children(column)
            .iter()
            .map(|it| it["visits"].as_u64().unwrap())
            .sum::<u64>();
        assert_eq!((children(column).len(), visits), (8, 40));
        let chosen = &children(column)[0];
        assert_eq!(
            (&chosen["code"], &chosen["score"]),
            (reply, &equal[column]["score"])
        );
    }
    let priors = children("twin")
        .iter()
        .map(|it| it["prior"].as_u64().unwrap())
        .sum::<u64>();
    // Each prior is rounded by a table.
    assert!((64_900..=66_200).contains(&priors), "{priors}");
    assert_eq!(equal["twin"]["cycles"], Value::Null);
    assert!(equal["hardware"]["cycles"].as_u64().unwrap() > 40 * 100);

    // A person's move counts against a whole search only.
    let mut other = json!({ "game": id, "ply": 0, "player": SEARCH, "simulations": 20 });
    assert_eq!(compared(address, &other)["differences"], json!([]));
    other["simulations"] = json!(40);
    let differs = compared(address, &other);
    assert_ne!(differs["hardware"]["reply"], "53e0");
    assert_eq!(differs["differences"][0]["device"], "53e0");

    // A long search ends when it is cancelled, and the next one follows.
    let long = json!({
        "game": id, "ply": 1, "player": SEARCH.replace("sims=40", "sims=200000"),
        "simulations": 20_000,
    });
    let (_, begun) = send(address, "POST", "comparisons", &long);
    let job = format!("comparisons/{}", begun["id"].as_str().unwrap());
    until(
        || send(address, "GET", &job, &Value::Null).1,
        |answer| answer["status"] != "waiting",
    );
    let (_, cancelled) = send(address, "DELETE", &job, &Value::Null);
    assert_eq!(cancelled["status"], "cancelled");

    change(&designs);
    let broken = compared(address, &decision);
    let [difference] = &broken["differences"].as_array().unwrap()[..] else {
        panic!("{broken}");
    };
    let what = difference["what"].as_str().unwrap();
    let number = what.strip_prefix("simulation ").unwrap();
    let (number, value) = number.split_once(": ").unwrap();
    assert_eq!(value, "the result");
    assert_eq!(
        (&difference["twin"], &difference["hardware"]),
        (&json!("62218"), &json!("62219"))
    );
    assert_eq!(difference["ply"], 1);

    // The command writes the waveform of that simulation.
    let command = broken["command"].as_str().unwrap();
    assert!(
        command.contains(&format!(" --from-simulation {number} ")),
        "{command}"
    );
    let wave = directory.join("ply-1.vcd");
    let words: Vec<_> = command.split(' ').skip(1).collect();
    let words: Vec<_> = words
        .into_iter()
        .map(|word| {
            if word == "ply-1.vcd" {
                text(&wave)
            } else {
                word
            }
        })
        .collect();
    let run = with_variable(VARIABLE, text(&designs), &words);
    assert_eq!(run.status, 1, "{}", run.err);
    let told = format!("simulation {number}: the result differs: twin 62218, hardware 62219");
    assert!(run.out.contains(&told), "{}", run.out);
    let dump = fs::read_to_string(&wave).unwrap();
    assert!(dump.contains("trace_value") && dump.contains(&format!("b{:016b} ", 62_219)));
    assert!(
        fs::read_to_string(wave.with_extension("sucl"))
            .unwrap()
            .contains(".trace_value")
    );
}
