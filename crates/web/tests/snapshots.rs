//! Snapshots at the beginning of event streams, many at once and interrupted.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::records::{ended, moved::moved};
use common::{Event, Events, Service};
use duoforge_journal::{Begun, Finished, Header, Journal, Kind, Record, now_ms};
use serde_json::{Value, json};

const STREAM: &str = "/api/v1/stream";

fn path(directory: &Path, number: usize) -> PathBuf {
    directory.join(format!("events/{number:04}.journal"))
}

/// Writes journals of one game in progress each, named by their numbers.
fn write(directory: &Path, count: usize) -> Vec<Journal> {
    std::fs::create_dir_all(directory.join("events")).unwrap();
    let journals = (0..count).map(|number| {
        let mut header = Header::new(Kind::Tournament, number.to_string(), "");
        header.id = format!("j{number:04}");
        let journal = Journal::create(&path(directory, number), header).unwrap();
        let begun = Record::Begun(Begun::new(1, 1, ["A", "B"]));
        journal.append(&begun).unwrap();
        journal
    });
    journals.collect()
}

/// Next snapshot, and the id that a client would send back after it.
fn snapshot(events: &mut Events, last: &mut String) -> Event {
    let event = events.until("journal");
    if let Some(id) = &event.id {
        last.clone_from(id);
    }
    event
}

/// Finishes the event of a journal.
fn finish(journal: &Journal) {
    let finished = Record::Finished(Finished {
        games: 1,
        at_ms: now_ms(),
    });
    journal.append_all(&[ended(1), finished]).unwrap();
}

#[test]
fn few_snapshots_have_the_position() {
    const JOURNALS: usize = 300;
    let directory = tempfile::tempdir().unwrap();
    let journals = write(directory.path(), JOURNALS);
    let service = Service::start(directory.path());
    let mut events = service.stream(STREAM, "");
    let mut last = String::new();
    let all: Vec<_> = (0..JOURNALS)
        .map(|_| snapshot(&mut events, &mut last))
        .collect();
    let names: Vec<_> = all
        .iter()
        .map(|it| it.data["event"]["id"].clone())
        .collect();
    let expected: Vec<_> = (0..JOURNALS)
        .map(|number| json!(format!("j{number:04}")))
        .collect();
    assert_eq!(names, expected);
    let with_id = all.iter().filter(|event| event.id.is_some()).count();
    assert!(with_id <= 2 + JOURNALS / 50, "{with_id}");
    let whole: Vec<_> = (0..JOURNALS)
        .map(|number| format!("j{number:04}:2"))
        .collect();
    assert_eq!(last, whole.join(","));
    // Each record has its position.
    journals[7].append(&moved(1, 1, "53e0")).unwrap();
    let record = events.until("record");
    assert_eq!(record.data["journal"], "j0007");
    assert_eq!(
        record.id.unwrap(),
        whole.join(",").replace("j0007:2", "j0007:3")
    );
}

/// State of the client of a stream: records and end of each event.
fn apply(state: &mut BTreeMap<String, (u64, bool)>, event: &Event) {
    let data = &event.data;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match event.name.as_str() {
        "journal" => {
            let event = &data["event"];
            let records = event["records"].as_u64().unwrap();
            state.insert(text(&event["id"]), (records, event["finished"] == true));
        }
        "record" => {
            let entry = state.get_mut(&text(&data["journal"])).unwrap();
            // No record is missing, and none comes twice.
            assert_eq!(entry.0, data["n"].as_u64().unwrap());
            *entry = (entry.0 + 1, data["type"] == "finished");
        }
        _ => {}
    }
}

#[test]
fn a_client_that_is_cut_off_between_snapshots_misses_no_end() {
    const JOURNALS: usize = 150;
    let directory = tempfile::tempdir().unwrap();
    let mut journals = write(directory.path(), JOURNALS);
    let mut service = Service::start(directory.path());
    let mut state = BTreeMap::new();
    let mut last = String::new();
    // Cut off within the first batch, at its end, and within the second one.
    for (round, cut) in [5, 64, 100].into_iter().enumerate() {
        let mut events = service.stream(STREAM, &last);
        for _ in 0..cut {
            let event = events.next().unwrap();
            if let Some(id) = &event.id {
                last.clone_from(id);
            }
            apply(&mut state, &event);
        }
        drop(events);
        if round == 1 {
            service.kill();
        }
        // One of which the client has a snapshot, and one of which it may have none.
        finish(&journals[round]);
        finish(&journals[JOURNALS - 1 - round]);
        if round == 1 {
            service = Service::start(directory.path());
        }
    }
    let mut events = service.stream(STREAM, &last);
    while state.len() < JOURNALS || state.values().filter(|it| it.1).count() < 6 {
        let event = events.next().unwrap();
        apply(&mut state, &event);
    }
    let journal = journals.swap_remove(75);
    journal.append(&moved(1, 1, "53e0")).unwrap();
    while state["j0075"].0 == 2 {
        apply(&mut state, &events.next().unwrap());
    }
    finish(&journal);
    while !state["j0075"].1 {
        apply(&mut state, &events.next().unwrap());
    }
    assert_eq!(state["j0075"].0, 5);
}

#[test]
fn an_event_that_is_abandoned_is_not_in_the_position() {
    let directory = tempfile::tempdir().unwrap();
    let journals = write(directory.path(), 2);
    let day = std::time::Duration::from_secs(86_400);
    let file = std::fs::File::options()
        .append(true)
        .open(path(directory.path(), 0));
    let before = std::time::SystemTime::now() - day;
    file.unwrap().set_modified(before).unwrap();
    let service = Service::start(directory.path());
    let mut events = service.stream(STREAM, "");
    let mut last = String::new();
    let event = snapshot(&mut events, &mut last);
    assert_eq!(event.data["event"]["id"], "j0001");
    assert_eq!(last, "j0001:2");
    // The snapshot of this event comes again after its next record.
    journals[0].append(&moved(1, 1, "53e0")).unwrap();
    let event = snapshot(&mut events, &mut last);
    assert_eq!(event.data["event"]["records"], 3);
    assert_eq!(last, "j0000:3,j0001:2");
}
