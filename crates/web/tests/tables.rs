//! Open casual games: their number, their players, and the writing of their journals.

mod common;

use std::fs;
use std::path::Path;

use common::{Answer, Service, wait_for};
use duoforge_journal::{
    CasualBegun, CasualMoved, CasualRecord, CasualSeat, CasualUndone, Header, Journal, Kind,
    Record, now_ms,
};
use serde_json::{Value, json};

const GAMES: &str = "/api/v1/games";

/// Creates a game of a person and another seat: `-` is a person.
fn create(service: &Service, opponent: &str) -> Answer {
    let other = match opponent {
        "-" => json!({ "kind": "person" }),
        name => json!({ "kind": "player", "player": name }),
    };
    let seats = json!([{ "kind": "person" }, other]);
    service.post(GAMES, &json!({ "variant": "duo", "seats": seats }))
}

/// Creates a game and returns its id.
fn created(service: &Service, opponent: &str) -> String {
    let answer = create(service, opponent);
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

fn play(service: &Service, id: &str, ply: usize, code: &str) -> Answer {
    let body = json!({ "ply": ply, "code": code });
    service.post(&format!("{GAMES}/{id}/moves"), &body)
}

fn resign(service: &Service, id: &str, ply: usize) -> Answer {
    let body = json!({ "ply": ply, "seat": 0 });
    service.post(&format!("{GAMES}/{id}/resign"), &body)
}

/// Path of the journal of a game.
fn journal(directory: &Path, game: &str) -> std::path::PathBuf {
    let (id, _) = game.rsplit_once('.').unwrap();
    directory.join("games").join(format!("{id}.journal"))
}

#[cfg(target_os = "linux")]
#[test]
fn at_most_64_journals_are_open_after_any_requests() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let ids: Vec<_> = (0..80).map(|_| created(&service, "-")).collect();
    assert!(service.open_journals() <= 64);
    service.kill();
    let service = Service::start(directory.path());
    for id in &ids {
        assert_eq!(play(&service, id, 0, "53e0").status, 200);
    }
    assert!((1..=64).contains(&service.open_journals()));
    // A game that was closed continues.
    assert_eq!(play(&service, &ids[0], 1, "a8e0").status, 200);
    // Games that have ended are closed by the next request.
    for id in &ids {
        let ply = if *id == ids[0] { 2 } else { 1 };
        assert_eq!(resign(&service, id, ply).status, 200);
    }
    assert!(service.open_journals() <= 1);
}

#[cfg(unix)]
#[test]
fn games_that_are_refused_since_a_device_is_in_use_do_not_exist() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("devices"), "board tcp:127.0.0.1:1\n").unwrap();
    let service = Service::start(directory.path());
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let request = || create(&service, "board").status;
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(request)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().unwrap());
        joined.collect()
    });
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(201), count(409)), (1, 7), "{statuses:?}");
    assert_eq!(service.value(GAMES)["total"], 1);
}

#[cfg(unix)]
#[test]
fn a_program_that_starts_slowly_delays_no_other_game() {
    let directory = tempfile::tempdir().unwrap();
    let (started, ends) = (
        directory.path().join("started"),
        directory.path().join("ends"),
    );
    let script = directory.path().join("slow.sh");
    let text = format!(
        "touch {}\nuntil [ -e {} ]; do sleep 0.05; done\n",
        started.display(),
        ends.display()
    );
    fs::write(&script, text).unwrap();
    let profile = format!("slow gtp:sh {}\n", script.display());
    fs::write(directory.path().join("programs"), profile).unwrap();
    let service = Service::start(directory.path());
    let id = created(&service, "-");
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| create(&service, "slow"));
        wait_for(|| started.exists().then_some(()));
        assert_eq!(play(&service, &id, 0, "53e0").status, 200);
        created(&service, "-");
        assert!(!slow.is_finished());
        fs::write(&ends, "").unwrap();
        let refused = slow.join().unwrap();
        assert_eq!(refused.code(), "duoforge::player", "{refused:?}");
    });
    // A game without its program does not exist.
    assert_eq!(service.value(GAMES)["total"], 2);
}

#[cfg(unix)]
#[test]
fn a_game_whose_player_has_gone_can_be_resigned() {
    let directory = tempfile::tempdir().unwrap();
    let devices = directory.path().join("devices");
    fs::write(&devices, "board tcp:127.0.0.1:1\n").unwrap();
    let mut service = Service::start(directory.path());
    let id = created(&service, "board");
    service.kill();
    fs::remove_file(&devices).unwrap();
    let service = Service::start(directory.path());
    let journal = journal(directory.path(), &id);
    let before = fs::read(&journal).unwrap();
    let refused = play(&service, &id, 0, "53e0");
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (422, "duoforge::player")
    );
    assert_eq!(fs::read(&journal).unwrap(), before);
    let resigned = resign(&service, &id, 0);
    assert_eq!(resigned.status, 200, "{resigned:?}");
    assert_eq!(resigned.json()["result"]["ending"], "resigned");
    assert_eq!(play(&service, &id, 0, "53e0").code(), "duoforge::over");
}

#[test]
fn only_the_written_form_of_an_id_names_a_game() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let id = created(&service, "-");
    let (journal, _) = id.rsplit_once('.').unwrap();
    for alias in ["01", "+1", "1.svg.svg", "2"] {
        let alias = format!("{journal}.{alias}");
        assert_eq!(service.get(&format!("{GAMES}/{alias}")).status, 404);
        assert_eq!(play(&service, &alias, 0, "53e0").status, 404);
    }
    assert_eq!(play(&service, &id, 0, "53e0").status, 200);
}

#[test]
fn a_ply_beyond_the_game_is_refused_in_every_form() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let id = created(&service, "-");
    assert_eq!(play(&service, &id, 0, "53e0").status, 200);
    for form in ["", ".html", ".svg", ".list", ".blksgf"] {
        let answer = |ply| service.get(&format!("{GAMES}/{id}{form}?ply={ply}"));
        assert_eq!((answer(1).status, answer(2).status), (200, 400), "{form}");
    }
}

/// Writes the journal of a game in progress that begins with a move of seat 0; seat 1 has a player, or is
/// a person. Returns the id of the game.
fn in_progress(
    directory: &Path,
    player: Option<&str>,
    moved_ms: u64,
    undone_ms: Option<u64>,
) -> String {
    let header = Header::new(Kind::Casual, "Ann - Ben", "");
    let id = format!("{}.1", header.id);
    let path = journal(directory, &id);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let seat = |name: &str, player: Option<&str>| CasualSeat {
        name: name.to_owned(),
        player: player.map(str::to_owned),
        level: None,
        unofficial: false,
    };
    let begun = CasualRecord::Begun(CasualBegun {
        variant: "duo".to_owned(),
        scoring: "advanced".to_owned(),
        seats: vec![seat("Ann", None), seat("Ben", player)],
        at_ms: moved_ms,
    });
    let moved = CasualRecord::Moved(CasualMoved {
        ply: 0,
        colour: 0,
        seat: 0,
        code: "53e0".to_owned(),
        legal: 414,
        us: 1,
        sim_us: None,
        host_us: None,
        at_ms: moved_ms,
    });
    let undone = undone_ms.map(|at_ms| CasualRecord::Undone(CasualUndone { ply: 0, at_ms }));
    let records: Vec<_> = [begun, moved].into_iter().chain(undone).collect();
    let records: Vec<_> = records.into_iter().map(Record::Casual).collect();
    let journal = Journal::create(&path, header).unwrap();
    journal.append_all(&records).unwrap();
    id
}

#[test]
fn the_time_of_a_person_runs_while_the_service_does_not() {
    const HOUR_MS: u64 = 3_600_000;
    let directory = tempfile::tempdir().unwrap();
    let begun = now_ms() - 2 * HOUR_MS;
    let persons = in_progress(directory.path(), None, begun, None);
    let undone = in_progress(directory.path(), None, begun, Some(begun + HOUR_MS));
    let program = in_progress(directory.path(), Some("random"), begun, None);
    let service = Service::start(directory.path());
    let hours = |game: &Value| {
        let moves = game["moves"].as_array().unwrap();
        moves.last().unwrap()["us"].as_u64().unwrap() / (HOUR_MS * 1000)
    };
    assert_eq!(hours(&play(&service, &persons, 1, "a8e0").json()), 2);
    assert_eq!(hours(&play(&service, &undone, 0, "53e0").json()), 1);
    // The next move is measured from this one.
    assert_eq!(hours(&play(&service, &undone, 1, "a8e0").json()), 0);
    // A program is asked when the service starts.
    let place = format!("{GAMES}/{program}");
    let game = wait_for(|| Some(service.value(&place)).filter(|game| game["ply"] == 2));
    assert_eq!(hours(&game), 0);
}

/// Shell command that starts a service for [`permit`]. A signal that is ignored leaves the error of the
/// write.
#[cfg(target_os = "linux")]
const LIMITED: &str = "trap '' XFSZ; exec \"$@\"";

/// Limits the length of the service's files, in bytes.
#[cfg(target_os = "linux")]
fn permit(service: &Service, bytes: u64) {
    let limits = Some((bytes, rlimit::INFINITY));
    rlimit::prlimit(service.id() as i32, rlimit::Resource::FSIZE, limits, None).unwrap();
}

#[cfg(target_os = "linux")]
fn assert_disk_is_full(answer: &Answer) {
    assert_eq!(answer.status, 500, "{answer:?}");
    assert_eq!(answer.json()["detail"], "the disk or the quota is full");
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_continues_when_the_disk_has_room_again() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::through(directory.path(), LIMITED);
    let id = created(&service, "-");
    assert_eq!(play(&service, &id, 0, "53e0").status, 200);
    let journal = journal(directory.path(), &id);
    permit(&service, fs::metadata(&journal).unwrap().len() + 10);
    assert_disk_is_full(&play(&service, &id, 1, "a8e0"));
    permit(&service, rlimit::INFINITY);
    let played = play(&service, &id, 1, "a8e0");
    assert_eq!(played.status, 200, "{played:?}");
    assert_eq!(played.json()["ply"], 2);
    let codes = |game: &Value| game["moves"].as_array().unwrap().len();
    assert_eq!(codes(&service.value(&format!("{GAMES}/{id}"))), 2);
}

/// A program that thinks holds the table of a game whose journal accepts no more records.
#[cfg(target_os = "linux")]
#[test]
fn a_game_continues_while_its_program_thinks() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::through(directory.path(), LIMITED);
    let seats = json!([
        { "kind": "person" },
        { "kind": "player", "player": "engine", "level": 9 },
    ]);
    let game = service.post(GAMES, &json!({ "variant": "duo", "seats": seats }));
    let id = game.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(play(&service, &id, 0, "53e0").status, 200);
    wait_for(|| (service.value(&format!("{GAMES}/{id}"))["thinking"] == true).then_some(()));
    let journal = journal(directory.path(), &id);
    permit(&service, fs::metadata(&journal).unwrap().len() + 10);
    let undo = || service.post(&format!("{GAMES}/{id}/undo"), &json!({ "ply": 1 }));
    assert_disk_is_full(&undo());
    permit(&service, rlimit::INFINITY);
    let undone = undo();
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(undone.json()["ply"], 0);
    assert_eq!(play(&service, &id, 0, "53e0").status, 200);
}
