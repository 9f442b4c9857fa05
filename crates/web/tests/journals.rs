//! Journals that are replaced, deleted, copied, damaged, or reached by several paths.

mod common;

use std::fs;
use std::path::Path;

use common::records::{ended, moved::moved};
use common::{Service, wait_for};
use duoforge_journal::{Begun, Finished, Header, Journal, Kind, Record, now_ms};
use serde_json::{Value, json};

const GAMES: &str = "/api/v1/games";

/// Writes a journal of one game, with its first move, and closes it. Returns its id.
fn event(path: &Path, name: &str) -> String {
    let header = Header::new(Kind::Tournament, name, "");
    let id = header.id.clone();
    let journal = Journal::create(path, header).unwrap();
    let begun = Record::Begun(Begun::new(1, 1, ["A", "B"]));
    journal.append_all(&[begun, moved(1, 1, "53e0")]).unwrap();
    id
}

/// Ends the game and the event of a journal.
fn finish(path: &Path) {
    let (journal, ..) = Journal::open(path).unwrap();
    let finished = Record::Finished(Finished {
        games: 1,
        at_ms: now_ms(),
    });
    journal.append_all(&[ended(1), finished]).unwrap();
}

/// Events of a service: id, end, games in progress, fault.
fn events(service: &Service) -> Value {
    let events = service.value("/api/v1/events");
    let events = events["events"].as_array().unwrap().iter();
    let fields = |it: &Value| {
        json!([
            it["name"],
            it["finished"],
            it["games"]["running"],
            it["fault"].is_string()
        ])
    };
    events.map(fields).collect()
}

/// Creates a game between persons and returns its id.
fn persons(service: &Service) -> String {
    let seats = json!([{ "kind": "person" }, { "kind": "person" }]);
    let answer = service.post(GAMES, &json!({ "variant": "duo", "seats": seats }));
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Plays the first move of a game; returns the status and the number of plies after it.
fn first_move(service: &Service, id: &str) -> (u16, Value) {
    let body = json!({ "ply": 0, "code": "53e0" });
    let answer = service.post(&format!("{GAMES}/{id}/moves"), &body);
    (answer.status, answer.json()["ply"].clone())
}

/// Path of the journal of a game of the service.
fn journal_of(directory: &Path, game: &str) -> std::path::PathBuf {
    let (id, _) = game.rsplit_once('.').unwrap();
    directory.join("games").join(format!("{id}.journal"))
}

#[test]
fn a_journal_that_another_one_replaces_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let path = directory.path().join("events/cup.journal");
    let old = event(&path, "first");
    finish(&path);
    wait_for(|| (events(&service) == json!([["first", true, 0, false]])).then_some(()));
    let mut stream = service.stream(&format!("/api/v1/stream?journal={old}"), "");
    stream.until("journal");
    // The new file is shorter, and a further one is longer.
    fs::remove_file(&path).unwrap();
    event(&path, "second");
    wait_for(|| (events(&service) == json!([["second", false, 1, false]])).then_some(()));
    assert_eq!(stream.until("gone").data["journal"], old.as_str());
    fs::remove_file(&path).unwrap();
    event(
        &path,
        "a third one with a longer name than the second one had",
    );
    finish(&path);
    wait_for(|| {
        let events = events(&service);
        (events[0][1] == true && events[0][2] == 0).then_some(())
    });
    assert_eq!(events(&service).as_array().unwrap().len(), 1);
    fs::remove_file(&path).unwrap();
    wait_for(|| (events(&service) == json!([])).then_some(()));
    assert_eq!(service.value(GAMES)["total"], 0);
}

#[test]
fn a_game_whose_journal_was_deleted_is_unknown() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let id = persons(&service);
    fs::remove_file(journal_of(directory.path(), &id)).unwrap();
    assert_eq!(first_move(&service, &id).0, 404);
    wait_for(|| (service.value(GAMES)["total"] == 0).then_some(()));
    assert_eq!(service.get(&format!("{GAMES}/{id}")).status, 404);
}

#[test]
fn a_copy_of_a_deleted_journal_is_not_played() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let id = persons(&service);
    let journal = journal_of(directory.path(), &id);
    let events_of = directory.path().join("events");
    let copy = events_of.join("copy.journal");
    fs::copy(&journal, &copy).unwrap();
    let before = fs::read(&copy).unwrap();
    // The directory is read again: the copy is known.
    event(&events_of.join("later.journal"), "later");
    wait_for(|| (events(&service) == json!([["later", false, 1, false]])).then_some(()));
    fs::remove_file(&journal).unwrap();
    assert_eq!(first_move(&service, &id).0, 403);
    let game = service.value(&format!("{GAMES}/{id}"));
    assert_eq!(
        (&game["ply"], &game["playable"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(fs::read(&copy).unwrap(), before);
    assert!(!journal.exists());
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_to_the_journal_that_it_is_set_to() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    event(&path("first.journal"), "first");
    finish(&path("first.journal"));
    event(&path("second.journal"), "second");
    let link = path("current.journal");
    symlink("first.journal", &link).unwrap();
    let service = Service::with(directory.path(), &["--source", link.to_str().unwrap()]);
    wait_for(|| (events(&service) == json!([["first", true, 0, false]])).then_some(()));
    symlink("second.journal", path("next")).unwrap();
    fs::rename(path("next"), &link).unwrap();
    wait_for(|| (events(&service) == json!([["second", false, 1, false]])).then_some(()));
}

#[cfg(unix)]
#[test]
fn a_journal_of_a_game_that_is_named_by_another_path_is_one_game() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let id = persons(&service);
    service.kill();
    std::os::unix::fs::symlink("games", directory.path().join("alias")).unwrap();
    let journal = journal_of(directory.path(), &id);
    let alias = directory.path().join("alias");
    let alias = alias.join(journal.file_name().unwrap());
    let service = Service::with(directory.path(), &["--source", alias.to_str().unwrap()]);
    assert_eq!(first_move(&service, &id), (200, json!(1)));
    assert_eq!(service.value(GAMES)["total"], 1);
}

#[cfg(unix)]
#[test]
fn games_are_playable_if_two_paths_lead_to_them() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("games")).unwrap();
    std::os::unix::fs::symlink("games", directory.path().join("events")).unwrap();
    let mut service = Service::start(directory.path());
    let id = persons(&service);
    service.kill();
    let service = Service::start(directory.path());
    assert_eq!(first_move(&service, &id), (200, json!(1)));
    assert_eq!(service.value(GAMES)["total"], 1);
}

#[test]
fn copies_of_journals_lock_no_game_and_are_not_playable() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let id = persons(&service);
    let journal = journal_of(directory.path(), &id);
    let copy = directory.path().join("events/copy.journal");
    fs::copy(&journal, &copy).unwrap();
    service.kill();
    let mut service = Service::start(directory.path());
    assert_eq!(service.value(&format!("{GAMES}/{id}"))["playable"], true);
    assert_eq!(first_move(&service, &id), (200, json!(1)));
    service.kill();
    fs::remove_file(&journal).unwrap();
    let service = Service::start(directory.path());
    let game = service.value(&format!("{GAMES}/{id}"));
    assert_eq!(
        (&game["ply"], &game["playable"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(first_move(&service, &id).0, 403);
}

#[test]
fn damaged_journals_and_other_files_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let path = directory.path().join("events/cup.journal");
    let id = event(&path, "cup");
    wait_for(|| (events(&service) == json!([["cup", false, 1, false]])).then_some(()));
    assert_eq!(service.value("/api/v1/health")["faults"], 0);
    finish(&path);
    let text = fs::read_to_string(&path).unwrap();
    drop(service);
    fs::write(&path, text.replace("53e0", "53e1")).unwrap();
    fs::write(directory.path().join("events/other.journal"), "hello\n").unwrap();
    let service = Service::start(directory.path());
    let health = wait_for(|| {
        let health = service.value("/api/v1/health");
        (health["faults"] == 2).then_some(health)
    });
    assert_eq!(health["games_running"], 0);
    assert_eq!(events(&service), json!([["cup", false, 0, true]]));
    let event = service.value(&format!("/api/v1/events/{id}"));
    assert_eq!(event["fault"], "line 3 is damaged: checksum mismatch");
    assert_eq!(event["games"][0]["status"], "damaged");
    assert_eq!(service.value(&format!("{GAMES}?running=true"))["total"], 0);
    let mut stream = service.stream("/api/v1/stream", "");
    let gone = stream.until("gone").data;
    assert_eq!(gone, json!({ "journal": id, "reason": event["fault"] }));
    // The repaired file is followed again.
    fs::write(&path, &text).unwrap();
    wait_for(|| (events(&service) == json!([["cup", true, 0, false]])).then_some(()));
}
