//! The command `serve`: address, end by Ctrl-C, refusals.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Served, run, text};
use duoforge_journal::{Begun, Header, Journal, Kind, Record};
use serde_json::Value;

/// Returns a resource of the service at an address such as `http://127.0.0.1:7014/`.
fn value(address: &str, path: &str) -> Value {
    let host = address
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(" 200 "), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// Scheduling policy of a process or thread: field 41 of its `stat` (proc(5)); 5 is SCHED_IDLE.
#[cfg(target_os = "linux")]
fn policy(stat: &str) -> String {
    let fields = stat.rsplit(") ").next().unwrap();
    fields.split(' ').nth(38).unwrap().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn every_thread_of_a_service_in_the_background_gives_way() {
    let directory = tempfile::tempdir().unwrap();
    let games = directory.path().join("games");
    let mut arguments = vec!["serve", text(directory.path()), "--listen", "127.0.0.1:0"];
    arguments.extend(["--games", text(&games)]);
    let own = policy(&fs::read_to_string("/proc/self/stat").unwrap());
    for (background, expected) in [(false, own.as_str()), (true, "5")] {
        if background {
            arguments.push("--background");
        }
        let mut served = Served::start(&arguments);
        assert_eq!(value(&served.place, "/api/v1/health")["games_running"], 0);
        let threads = fs::read_dir(format!("/proc/{}/task", served.id())).unwrap();
        // A thread may end meanwhile.
        let policies: Vec<String> = threads
            .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok())
            .map(|stat| policy(&stat))
            .collect();
        assert!(policies.len() > 2, "{policies:?}");
        assert!(
            policies.iter().all(|policy| policy == expected),
            "{background}: {policies:?}"
        );
        assert_eq!(served.end().0, 0);
    }
}

#[test]
fn the_service_shows_journals_and_ends_cleanly() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    journal
        .append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))
        .unwrap();
    let profiles = directory.path().join("profiles.toml");
    fs::write(&profiles, "[quick]\ndevice = \"engine:level=1\"\n").unwrap();
    let games = directory.path().join("games");
    let mut served = Served::start(&[
        "serve",
        text(directory.path()),
        "--listen",
        "127.0.0.1:0",
        "--games",
        text(&games),
        "--profiles",
        text(&profiles),
    ]);
    let address = served.place.clone();
    assert_eq!(value(&address, "/api/v1/health")["games_running"], 1);
    assert_eq!(
        value(&address, "/api/v1/events")["events"][0]["name"],
        "Cup"
    );
    let players = value(&address, "/api/v1/players");
    let names: Vec<_> = players["players"].as_array().unwrap().iter().collect();
    assert!(
        names
            .iter()
            .any(|it| it["name"] == "quick" && it["kind"] == "profile")
    );
    assert_eq!(served.interrupt(), 0);
    // The journal is as its writer left it.
    drop(journal);
    let (_, history, torn) = Journal::open(&path).unwrap();
    assert_eq!((history.running().count(), torn), (1, None));
}

#[test]
fn journals_that_cannot_be_followed_are_printed() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("cup.journal"), "hello\n").unwrap();
    let errors = directory.path().join("errors");
    let mut child = Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(["serve", text(directory.path()), "--listen", "127.0.0.1:0"])
        .args(["--games", text(&directory.path().join("games"))])
        .stdout(Stdio::null())
        .stderr(fs::File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    let printed = loop {
        let printed = fs::read_to_string(&errors).unwrap();
        if printed.contains("not a journal") || Instant::now() > end {
            break printed;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        printed.contains("cup.journal is not a journal: no checksum"),
        "{printed}"
    );
}

#[test]
fn an_address_that_cannot_be_read_is_refused_with_its_form() {
    for address in ["7014", "localhost:7014", "127.0.0.1", ":7014"] {
        let run = run(&["serve", "--listen", address]);
        assert_eq!(run.status, 2, "{}", run.err);
        let err = run.err.replace('│', " ");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [
            address,
            "expected ADDRESS:PORT with a numeric address, such as 127.0.0.1:7014",
        ] {
            assert!(err.contains(text), "{text}: {err}");
        }
    }
}

#[test]
fn other_addresses_need_tokens_and_sources_must_exist() {
    let directory = tempfile::tempdir().unwrap();
    let games = directory.path().join("games");
    let tokens = directory.path().join("tokens.toml");
    fs::write(&tokens, "short = \"watch\"\n").unwrap();
    let directory = text(directory.path());
    for (arguments, message, code) in [
        (
            vec!["--listen", "0.0.0.0:0"],
            "0.0.0.0:0 can be reached from other machines, and no tokens are given",
            "duoforge::serve::tokens",
        ),
        (
            vec!["--tokens", text(&tokens)],
            "expected at least 16 letters",
            "duoforge::serve::tokens",
        ),
        (
            vec!["/nowhere"],
            "/nowhere does not exist",
            "duoforge::file",
        ),
        (
            vec![text(&tokens)],
            "is not a journal: no checksum",
            "duoforge::journal::none",
        ),
        (
            vec!["--host", "http://hall.example:80/"],
            "expected a name without scheme, port and path",
            "--host",
        ),
    ] {
        let base = ["serve", directory, "--games", text(&games)];
        let run = run(&[&base[..], &arguments].concat());
        assert_eq!(run.status, 2, "{}", run.err);
        let err = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(message.split(' ').next().unwrap()), "{err}");
        assert!(err.contains(code), "{err}");
    }
}
