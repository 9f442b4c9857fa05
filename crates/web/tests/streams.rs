//! Event streams: records of journals that are being written, across kills, and their limit.

mod common;

use std::fs;

use common::records::{ended, moved::moved};
use common::{Event, Events, Service, wait_for};
use duoforge_journal::{Begun, Finished, Header, Journal, Kind, Record, now_ms};
use duoforge_rules::{Game, GameVariant};
use duoforge_view::State;
use serde_json::json;

const STREAM: &str = "/api/v1/stream";

/// Numbers of the records that a stream sends, up to a number.
fn numbers(events: &mut Events, to: u64) -> (Vec<u64>, Event) {
    let mut all = Vec::new();
    loop {
        let event = events.until("record");
        let number = event.data["n"].as_u64().unwrap();
        all.push(number);
        if number == to {
            return (all, event);
        }
    }
}

#[test]
fn records_come_once_and_in_order_across_kills_of_the_service() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let path = directory.path().join("events/cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    let mut events = service.stream(STREAM, "");
    assert_eq!(events.until("hello").data["role"], "referee");
    let snapshot = events.until("journal");
    assert_eq!(snapshot.data["event"]["name"], "Cup");
    let id = snapshot.data["event"]["id"].as_str().unwrap().to_owned();
    let position = snapshot.id.unwrap();
    assert_eq!(position, format!("{id}:1"));
    let mut expected = Game::new(&GameVariant::DUO);
    expected.play("53e0".parse().unwrap()).unwrap();
    let board = State::new(&expected).board;
    let mut seen = Vec::new();
    let mut written = 0;
    for game in 1..=6 {
        // Records before, during and after a kill.
        journal
            .append(&Record::Begun(Begun::new(game, 1, ["A", "B"])))
            .unwrap();
        let (found, event) = numbers(&mut events, written + 1);
        seen.extend(found);
        let position = event.id.unwrap();
        assert_eq!(event.data["live"]["status"], "running");
        service.kill();
        journal.append(&moved(game, 1, "53e0")).unwrap();
        service = Service::start(directory.path());
        events = service.stream(STREAM, &position);
        journal.append(&ended(game)).unwrap();
        let (found, event) = numbers(&mut events, written + 3);
        seen.extend(found);
        assert_eq!(event.data["type"], "ended");
        assert_eq!(event.data["live"]["result"]["winners"], json!([0]));
        assert_eq!(event.data["live"]["board"], json!(board));
        written += 3;
    }
    assert_eq!(seen, (1..=18).collect::<Vec<_>>());
    let last = Finished {
        games: 6,
        at_ms: now_ms(),
    };
    journal.append(&Record::Finished(last)).unwrap();
    let (_, event) = numbers(&mut events, 19);
    // A journal that is over is named no more.
    assert_eq!(event.id.unwrap_or_default(), "");
    let event = service.value(&format!("/api/v1/events/{id}"));
    assert_eq!(
        (
            &event["finished"],
            &event["games"].as_array().unwrap().len()
        ),
        (&true.into(), &6)
    );
    let standing = &event["standings"][0];
    assert_eq!(
        (&standing["player"], &standing["points"]),
        (&"A".into(), &json!(6.0))
    );
    assert_eq!(
        event["crosstable"]["points"],
        json!([[null, 6.0], [0.0, null]])
    );
    assert_eq!(
        service.value("/api/v1/events")["events"][0]["id"],
        id.as_str()
    );
    let games = service.value("/api/v1/games?running=false&limit=2&offset=1");
    assert_eq!(
        (&games["total"], games["games"].as_array().unwrap().len()),
        (&6.into(), 2)
    );
}

#[test]
fn a_reader_that_is_far_behind_gets_a_snapshot() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let path = directory.path().join("events/long.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Long", "")).unwrap();
    let mut events = service.stream(STREAM, "");
    let position = events.until("journal").id.unwrap();
    for game in 1..=100 {
        journal
            .append(&Record::Begun(Begun::new(game, 1, ["A", "B"])))
            .unwrap();
        journal.append(&moved(game, 1, "53e0")).unwrap();
        journal.append(&ended(game)).unwrap();
    }
    wait_for(|| {
        let events = service.value("/api/v1/events");
        (events["events"][0]["records"] == 301).then_some(())
    });
    let mut late = service.stream(STREAM, &position);
    let snapshot = late.until("journal");
    assert_eq!(snapshot.data["event"]["records"], 301);
    journal
        .append(&Record::Begun(Begun::new(101, 1, ["A", "B"])))
        .unwrap();
    let (found, _) = numbers(&mut late, 301);
    assert_eq!(found, [301]);
}

#[test]
fn watching_leaves_the_journal_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let path = directory.path().join("events/cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]")).unwrap();
    let mut events = service.stream(STREAM, "");
    let id = events.until("journal").data["event"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    journal
        .append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))
        .unwrap();
    numbers(&mut events, 1);
    let bytes = fs::read(&path).unwrap();
    let game = format!("/api/v1/games/{id}.1");
    for (action, body) in [
        ("moves", json!({ "ply": 0, "code": "53e0" })),
        ("undo", json!({ "ply": 0 })),
        ("resign", json!({ "ply": 0, "seat": 0 })),
    ] {
        let answer = service.post(&format!("{game}/{action}"), &body);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "duoforge::read-only")
        );
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // The writer's lock is not touched.
    drop(journal);
    let (journal, ..) = Journal::open(&path).unwrap();
    numbers(&mut events, 2);
    drop(journal);
    fs::remove_file(&path).unwrap();
    let gone = events.until("gone");
    assert_eq!(gone.data["journal"], id.as_str());
    assert!(!gone.data["reason"].as_str().unwrap().contains('/'));
}

/// Opens a stream beyond the limit, which must be refused.
fn assert_full(service: &Service) {
    let refused = service.get(STREAM);
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (503, "duoforge::busy")
    );
    assert!(refused.header("retry-after").is_some());
    assert_eq!(
        refused.header("content-type"),
        Some("application/problem+json")
    );
}

#[test]
fn no_more_streams_are_opened_than_permitted() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::with(directory.path(), &["--streams", "20"]);
    let mut streams: Vec<_> = (0..20).map(|_| service.stream(STREAM, "")).collect();
    for stream in &mut streams {
        assert_eq!(stream.next().unwrap().name, "hello");
    }
    assert_full(&service);
    let health = service.value("/api/v1/health");
    assert_eq!(health["streams"], json!({ "open": 20, "limit": 20 }));
    // A stream that ends frees its place.
    streams.truncate(15);
    wait_for(|| (service.value("/api/v1/health")["streams"]["open"] == 15).then_some(()));
    service.stream(STREAM, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_streams_are_held_and_all_get_each_record() {
    /// Most memory of a stream in KiB, kernel buffers apart.
    const MOST: u64 = 96;
    rlimit::increase_nofile_limit(1200).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let path = directory.path().join("events/cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    service.stream(STREAM, "").until("journal");
    wait_for(|| (service.value("/api/v1/health")["streams"]["open"] == 0).then_some(()));
    let before = service.memory();
    let mut streams: Vec<_> = (0..1000).map(|_| service.stream(STREAM, "")).collect();
    for stream in &mut streams {
        stream.until("journal");
    }
    let health = service.value("/api/v1/health");
    assert_eq!(health["streams"], json!({ "open": 1000, "limit": 1000 }));
    assert_full(&service);
    journal
        .append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))
        .unwrap();
    for stream in &mut streams {
        assert_eq!(numbers(stream, 1).0, [1]);
    }
    let each = service.memory().saturating_sub(before) / 1000;
    println!("1000 streams: {each} KiB each above {before} KiB");
    assert!(each < MOST, "{each} KiB");
}

#[test]
fn a_client_that_reads_nothing_loses_its_stream() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::with(directory.path(), &["--write-ms", "200"]);
    let path = directory.path().join("events/cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Cup", "")).unwrap();
    let mut idle = service.stream(STREAM, "");
    idle.until("journal");
    // Long names fill the buffers of the sockets.
    let name = "x".repeat(20_000);
    let mut game = 0;
    wait_for(|| {
        for _ in 0..5 {
            game += 1;
            let begun = Begun::new(game, 1, [name.as_str(), "B"]);
            journal.append(&Record::Begun(begun)).unwrap();
        }
        (service.value("/api/v1/health")["streams"]["open"] == 0).then_some(())
    });
    // A stream that returns gets what is there now.
    let mut again = service.stream(STREAM, "");
    assert!(again.until("journal").data["event"]["records"].as_u64() > Some(1));
}

#[test]
fn a_journal_that_is_found_finished_is_told_to_open_streams() {
    let directory = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let finished = |name: &str| {
        let path = outside.path().join(format!("{name}.journal"));
        let journal = Journal::create(&path, Header::new(Kind::Tournament, name, "")).unwrap();
        journal
            .append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))
            .unwrap();
        journal.append(&ended(1)).unwrap();
        let last = Finished {
            games: 1,
            at_ms: now_ms(),
        };
        journal.append(&Record::Finished(last)).unwrap();
        drop(journal);
        let to = directory.path().join(format!("events/{name}.journal"));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&path, to).unwrap();
    };
    finished("early");
    let service = Service::start(directory.path());
    let mut events = service.stream(STREAM, "");
    assert_eq!(
        events.until("hello").data["journals"]
            .as_object()
            .unwrap()
            .len(),
        1
    );
    finished("late");
    let told = events.until("journal");
    assert_eq!(
        (
            &told.data["event"]["name"],
            &told.data["event"]["finished"],
            &told.data["event"]["records"]
        ),
        (&"late".into(), &true.into(), &4.into())
    );
    // It gets no more records: a position does not name it.
    assert_eq!(told.id.unwrap_or_default(), "");
    // So does the next one; none comes twice.
    finished("latest");
    assert_eq!(events.until("journal").data["event"]["name"], "latest");
}

#[test]
fn a_position_of_unknown_journals_is_answered_briefly() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let entries = |count: usize| {
        let all: Vec<_> = (0..count).map(|number| format!("j{number}:1")).collect();
        all.join(",")
    };
    let mut events = service.stream(STREAM, &entries(1000));
    for _ in 0..1000 {
        let gone = events.until("gone");
        assert_eq!(gone.id.unwrap_or_default(), "");
    }
    // A longer list is not a position.
    let mut events = service.stream(STREAM, &entries(1100));
    events.until("hello");
    let path = directory.path().join("events/cup.journal");
    let _journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]")).unwrap();
    assert_eq!(events.next().unwrap().name, "journal");
}

#[test]
fn games_of_the_page_are_streamed_too() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let mut events = service.stream(STREAM, "");
    let seats = json!([{ "kind": "person" }, { "kind": "player", "player": "random" }]);
    let body = json!({ "variant": "duo", "seats": seats });
    let game = service.post("/api/v1/games", &body).json();
    let id = game["id"].as_str().unwrap();
    let snapshot = events.until("journal");
    assert_eq!(snapshot.data["running"][0]["id"], id);
    let moves = format!("/api/v1/games/{id}/moves");
    let answer = service.post(&moves, &json!({ "ply": 0, "code": "53e0" }));
    let records = answer.json()["records"].as_u64().unwrap();
    assert_eq!(records, 3);
    // The program's move is the next record.
    let (_, event) = numbers(&mut events, records);
    assert_eq!(event.data["game"], id);
    assert_eq!(
        (&event.data["type"], &event.data["move"]["seat"]),
        (&"moved".into(), &1.into())
    );
    assert_eq!(event.data["live"]["ply"], 2);
}
