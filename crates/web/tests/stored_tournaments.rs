//! Tournaments of the service whose journals other programs delete, replace or finish.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Service, wait_for};
use duoforge_journal::{Finished, Journal, Record, now_ms};
use serde_json::{Value, json};

const EVENTS: &str = "/api/v1/events";

/// Creates a tournament of two quick players, and returns its address.
fn create(service: &Service, pairs: u32) -> String {
    let request = json!({
        "name": "Cup",
        "pairs": pairs,
        "limit_ms": 60_000,
        "players": [{ "player": "random" }, { "player": "greedy" }],
    });
    let answer = service.post(EVENTS, &request);
    assert_eq!(answer.status, 201, "{answer:?}");
    format!("{EVENTS}/{}", answer.json()["id"].as_str().unwrap())
}

/// Waits until the run of a tournament has a status.
fn when_status(service: &Service, place: &str, status: &str) -> Value {
    wait_for(|| {
        let event = service.value(place);
        (event["run"]["status"] == status).then_some(event)
    })
}

fn journal(directory: &Path, place: &str) -> PathBuf {
    let id = place.rsplit('/').next().unwrap();
    directory.join("games").join(format!("{id}.journal"))
}

#[cfg(unix)]
#[test]
fn a_tournament_whose_journal_is_deleted_fails() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::through(directory.path(), "exec \"$@\" 2>\"$2/messages\"");
    let place = create(&service, 3_000);
    let path = journal(directory.path(), &place);
    let aside = directory.path().join("aside");
    fs::rename(&path, &aside).unwrap();
    wait_for(|| (service.value(EVENTS)["events"] == json!([])).then_some(()));
    // The feed does not follow it any more.
    let stopped = service.post(&format!("{place}/stop"), &json!({}));
    assert_eq!(stopped.status, 200, "{stopped:?}");
    let event = when_status(&service, &place, "failed");
    let fault = "the journal was deleted or replaced while the tournament was in progress";
    assert_eq!(event["run"]["reason"], fault);
    assert_eq!(
        (&event["name"], &event["fault"]),
        (&json!("Cup"), &json!(fault))
    );
    let messages = directory.path().join("messages");
    let message = wait_for(|| {
        let text = fs::read_to_string(&messages).unwrap();
        text.lines()
            .find(|line| line.contains(fault))
            .map(str::to_owned)
    });
    assert!(
        message.contains(path.file_name().unwrap().to_str().unwrap()),
        "{message}"
    );
    for action in ["stop", "resume"] {
        let answer = service.post(&format!("{place}/{action}"), &json!({}));
        assert_eq!((answer.status, &*answer.code()), (409, "duoforge::event"));
    }
    // Another tournament can begin, and this one continues once its journal is back.
    when_status(&service, &create(&service, 1), "finished");
    fs::rename(&aside, &path).unwrap();
    wait_for(|| service.value(&place)["fault"].is_null().then_some(()));
    let resumed = service.post(&format!("{place}/resume"), &json!({}));
    assert_eq!(resumed.json()["run"]["status"], "running", "{resumed:?}");
}

#[test]
fn a_tournament_that_another_program_finishes_is_finished() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let place = create(&service, 1_000);
    assert_eq!(
        service.post(&format!("{place}/stop"), &json!({})).status,
        200
    );
    when_status(&service, &place, "stopped");
    let (journal, ..) = Journal::open(&journal(directory.path(), &place)).unwrap();
    let last = Finished {
        games: 0,
        at_ms: now_ms(),
    };
    journal.append(&Record::Finished(last)).unwrap();
    let event = wait_for(|| {
        let event = service.value(&place);
        (event["finished"] == true).then_some(event)
    });
    assert_eq!(event["run"]["status"], "finished");
}
