//! Tournaments that the service plays: from the request to the standings, refusals, stop, resume.

mod common;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use common::{Answer, Service, wait_for};
use duoforge_journal::{History, read};
use duoforge_tournament::{Plan, Report, VariantPlan, VariantReport};
use serde_json::{Value, json};

const EVENTS: &str = "/api/v1/events";

/// Request for a tournament of two quick players.
fn cup(pairs: u32) -> Value {
    json!({
        "name": "Cup",
        "pairs": pairs,
        "limit_ms": 60_000,
        "players": [{ "player": "random" }, { "player": "greedy", "name": "Greta" }],
    })
}

/// Creates a tournament and returns its address.
fn create(service: &Service, request: &Value) -> String {
    let answer = service.post(EVENTS, request);
    assert_eq!(answer.status, 201, "{answer:?}");
    let event = answer.json();
    let place = format!("{EVENTS}/{}", event["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(&*place));
    assert_eq!(event["kind"], "tournament");
    place
}

/// Waits until the run of a tournament has a status.
fn when_status(service: &Service, place: &str, status: &str) -> Value {
    wait_for(|| {
        let event = service.value(place);
        (event["run"]["status"] == status).then_some(event)
    })
}

/// Waits until a tournament has more than a number of finished games.
fn played(service: &Service, place: &str, games: u64) {
    wait_for(|| {
        let event = service.value(place);
        (event["counts"]["ended"].as_u64() > Some(games)).then_some(())
    });
}

fn journal(directory: &Path, place: &str) -> PathBuf {
    let id = place.rsplit('/').next().unwrap();
    directory.join("games").join(format!("{id}.journal"))
}

fn history(directory: &Path, place: &str) -> History {
    read(&journal(directory, place)).unwrap().history
}

/// Numbers and results of the finished games.
fn results(history: &History) -> Vec<(u32, [i32; 2])> {
    let games = history.ended();
    games.map(|(_, ended)| (ended.game, ended.score)).collect()
}

#[test]
fn a_tournament_is_played_to_the_standings_of_its_plan() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let mut stream = service.stream("/api/v1/stream", "");
    let place = create(&service, &cup(2));
    // It is followed like any other event.
    let mut ended = 0;
    loop {
        match stream.until("record").data["type"].as_str().unwrap() {
            "ended" => ended += 1,
            "finished" => break,
            _ => {}
        }
    }
    assert_eq!(ended, 4);
    let event = when_status(&service, &place, "finished");
    assert_eq!(event["finished"], true);
    let history = history(directory.path(), &place);
    // The plan is one that the command reads: its report is the oracle.
    let plan = Plan::read(&history.header.plan).unwrap();
    assert_eq!((plan.event.as_str(), plan.pairs), ("Cup", 2));
    assert_eq!(plan.limit.as_secs(), 60);
    let report = Report::new(&plan, &history);
    let shown = event["standings"].as_array().unwrap();
    assert_eq!(shown.len(), 2);
    for (row, standing) in shown.iter().zip(&report.standings) {
        assert_eq!(row["player"], standing.name);
        assert_eq!(
            (&row["points"], &row["games"]),
            (&json!(standing.points), &json!(4))
        );
    }
    let names: Vec<_> = plan.players.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Random player", "Greta"]);
    // Another one may follow.
    let again = create(&service, &cup(1));
    assert_ne!(again, place);
    when_status(&service, &again, "finished");
}

#[test]
fn a_lost_game_offers_each_file_of_its_evidence() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let mut request = cup(1);
    request["seed"] = json!(7);
    let place = create(&service, &request);
    when_status(&service, &place, "finished");
    let history = history(directory.path(), &place);
    let lost = history.ended().find(|(_, it)| it.evidence.is_some());
    let (_, lost) = lost.expect("a game was lost");
    let files = directory.path().join("games");
    let files = files.join(lost.evidence.as_ref().unwrap());
    let games = service.value("/api/v1/games");
    let mut games = games["games"].as_array().unwrap().iter();
    let game = games.find(|it| it["number"] == lost.game).unwrap();
    let game = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    let wire = service.value(&format!("{game}/wire"));
    let offered = wire["files"].as_array().unwrap();
    assert_eq!(offered.len(), fs::read_dir(&files).unwrap().count());
    for name in offered.iter().map(|name| name.as_str().unwrap()) {
        let answer = service.get(&format!("{game}/evidence/{name}"));
        assert_eq!(answer.status, 200, "{name}: {answer:?}");
        assert_eq!(answer.body, fs::read_to_string(files.join(name)).unwrap());
        let disposition = answer.header("content-disposition").unwrap();
        assert!(disposition.starts_with("attachment; "), "{disposition}");
        let kind = answer.header("content-type").unwrap();
        assert_eq!(kind.contains("html"), name == "replay.html", "{kind}");
    }
}

#[test]
fn tournaments_of_variants_and_of_devices_are_played() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("devices"), "model twin").unwrap();
    let service = Service::start(directory.path());
    let request = json!({
        "name": "Three", "variant": "classic-3", "seed": 7, "limit_ms": 60_000,
        "players": [{ "player": "random" }, { "player": "greedy" },
                    { "player": "maxn", "level": 1 }],
    });
    let place = create(&service, &request);
    let event = when_status(&service, &place, "finished");
    let of_classic = history(directory.path(), &place);
    let plan = VariantPlan::read_with(&of_classic.header.plan, str::parse).unwrap();
    assert_eq!((plan.seed, plan.game_count()), (7, 3));
    let report = VariantReport::new(&plan, &of_classic);
    assert_eq!(event["counts"]["ended"], 3);
    assert_eq!(
        report.standings.len(),
        event["standings"].as_array().unwrap().len()
    );
    let request = json!({
        "name": "Model", "format": "gauntlet",
        "players": [{ "player": "model" }, { "player": "random" }],
    });
    let place = create(&service, &request);
    when_status(&service, &place, "finished");
    let of_device = history(directory.path(), &place);
    assert_eq!(of_device.ended().count(), 2);
    // The limit is that of the profile.
    assert!(
        of_device.header.plan.contains("limit = \"20000ms\""),
        "{}",
        of_device.header.plan
    );
}

#[test]
fn requests_are_refused_with_the_codes_of_the_commands() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let with = |key: &str, value: Value| {
        let mut request = cup(1);
        request[key] = value;
        request
    };
    let two = |player: &str, level: Option<u8>| {
        with(
            "players",
            json!([{ "player": "random" }, { "player": player, "level": level }]),
        )
    };
    let plan = "duoforge::tournament::plan";
    for (request, status, code, part) in [
        (two("nobody", None), 422, "duoforge::player", "nobody"),
        (two("bot:sh -c id", None), 422, "duoforge::player", "bot:sh"),
        (two("exec:/bin/sh", None), 422, "duoforge::player", "exec:"),
        (two("engine", Some(10)), 422, "duoforge::player", "1 to 9"),
        (two("random", None), 422, plan, "duplicate name"),
        (
            with("players", json!([{ "player": "random" }])),
            422,
            plan,
            "1 is out of range: expected 2 to 64",
        ),
        (
            with("players", json!(vec![json!({ "player": "random" }); 65])),
            422,
            plan,
            "65 is out of range: expected 2 to 64",
        ),
        (with("format", json!("swiss")), 422, plan, "rounds"),
        (
            with("format", json!("ladder")),
            400,
            "duoforge::request",
            "ladder",
        ),
        (with("pairs", json!(9_999)), 422, plan, "at most 10000"),
        (with("pairs", json!(0)), 422, plan, "pairs"),
        (with("rounds", json!(0)), 422, plan, "rounds=0"),
        (with("opening", json!(13)), 422, plan, "opening"),
        (with("limit_ms", json!(0)), 422, plan, "limit_ms"),
        (with("name", json!(" ")), 422, plan, "name"),
        (with("name", json!("a\nb")), 422, plan, "name"),
        (with("name", json!("a\u{202E}b")), 422, plan, "U+202E"),
        (
            with("variant", json!("chess")),
            422,
            "duoforge::variant",
            "chess",
        ),
        (
            with("variant", json!("classic-2")),
            422,
            plan,
            "pairs is not permitted",
        ),
        (
            with("journal", json!("/etc/passwd")),
            400,
            "duoforge::request",
            "journal",
        ),
    ] {
        let answer = service.post(EVENTS, &request);
        assert_eq!(
            (answer.status, &*answer.code()),
            (status, code),
            "{request}: {answer:?}"
        );
        assert!(answer.body.contains(part), "{request}: {answer:?}");
    }
    // Nothing was begun.
    assert_eq!(
        fs::read_dir(directory.path().join("games"))
            .unwrap()
            .count(),
        0
    );
    for action in ["stop", "resume"] {
        let answer = service.post(&format!("{EVENTS}/x/{action}"), &json!({}));
        assert_eq!(
            (answer.status, &*answer.code()),
            (404, "duoforge::not-found")
        );
    }
}

#[test]
fn only_referees_play_tournaments() {
    let directory = tempfile::tempdir().unwrap();
    let tokens = directory.path().join("tokens.toml");
    let roles = ["watch", "play", "referee"];
    let lines = roles.map(|role| format!("token-of-a-{role}-xyz = \"{role}\"\n"));
    fs::write(&tokens, lines.concat()).unwrap();
    let service = Service::with(directory.path(), &["--tokens", tokens.to_str().unwrap()]);
    let send = |path: &str, role: &str, header: &str| -> Answer {
        let headers = format!(
            "Content-Type: application/json\r\nAuthorization: Bearer token-of-a-{role}-xyz\r\n{header}"
        );
        service.send("POST", path, &headers, &cup(1).to_string())
    };
    for path in [EVENTS, "/api/v1/events/x/stop", "/api/v1/events/x/resume"] {
        for role in ["watch", "play"] {
            let answer = send(path, role, "");
            assert_eq!(
                (answer.status, &*answer.code()),
                (403, "duoforge::role"),
                "{path}"
            );
        }
        let answer = send(path, "referee", "Origin: http://evil.example\r\n");
        assert_eq!(
            (answer.status, &*answer.code()),
            (403, "duoforge::origin"),
            "{path}"
        );
    }
    let answer = send(EVENTS, "referee", "");
    assert_eq!(answer.status, 201, "{answer:?}");
}

#[test]
fn a_stopped_tournament_is_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let place = create(&service, &cup(1_000));
    let refused = service.post(EVENTS, &cup(1));
    assert_eq!((refused.status, &*refused.code()), (409, "duoforge::event"));
    let again = service.post(&format!("{place}/resume"), &json!({}));
    assert_eq!((again.status, &*again.code()), (409, "duoforge::event"));
    played(&service, &place, 1);
    let answer = service.post(&format!("{place}/stop"), &json!({}));
    assert_eq!(answer.status, 200, "{answer:?}");
    when_status(&service, &place, "stopped");
    let stopped = history(directory.path(), &place);
    let first = results(&stopped);
    // The games in progress were finished.
    assert_eq!((stopped.running().count(), stopped.finished), (0, false));
    assert!((2..2_000).contains(&first.len()), "{}", first.len());
    let answer = service.post(&format!("{place}/stop"), &json!({}));
    assert_eq!((answer.status, &*answer.code()), (409, "duoforge::event"));

    let answer = service.post(&format!("{place}/resume"), &json!({}));
    assert_eq!(
        (answer.status, &answer.json()["run"]["status"]),
        (200, &json!("running"))
    );
    played(&service, &place, first.len() as u64);
    // A service that is killed loses nothing that is in the journal.
    service.kill();
    let killed = results(&history(directory.path(), &place));
    assert_eq!(killed[..first.len()], first[..]);

    let mut service = Service::start(directory.path());
    assert_eq!(service.value(&place)["run"]["status"], "stopped");
    let answer = service.post(&format!("{place}/resume"), &json!({}));
    assert_eq!(answer.status, 200, "{answer:?}");
    played(&service, &place, killed.len() as u64);
    // One that ends finishes the games in progress.
    assert_eq!(service.end(), Some(0));
    let ended = history(directory.path(), &place);
    assert_eq!((ended.running().count(), ended.finished), (0, false));
    let last = results(&ended);
    assert!(last.len() > killed.len());
    assert_eq!(last[..killed.len()], killed[..]);
    let numbers: Vec<u32> = last.iter().map(|(number, _)| *number).collect();
    let expected: Vec<u32> = (1..).take(last.len()).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn a_device_plays_one_tournament_or_one_game() {
    let directory = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (hang_up, told) = mpsc::channel::<()>();
    let silent = thread::spawn(move || {
        let connection = listener.accept().unwrap();
        told.recv().unwrap();
        drop(connection);
    });
    fs::write(
        directory.path().join("devices"),
        format!("left tcp:{address}"),
    )
    .unwrap();
    let service = Service::start(directory.path());
    let event = json!({ "name": "Cup", "players": [{ "player": "left" }, { "player": "random" }] });
    let place = create(&service, &event);
    let players = service.value("/api/v1/players");
    let left = |players: &Value| -> bool {
        let all = players["players"].as_array().unwrap();
        all.iter().find(|it| it["name"] == "left").unwrap()["busy"] == true
    };
    assert!(left(&players));
    let game = json!({ "variant": "duo",
        "seats": [{ "kind": "player", "player": "left" }, { "kind": "person" }] });
    let answer = service.post("/api/v1/games", &game);
    assert_eq!((answer.status, &*answer.code()), (409, "duoforge::device"));
    // The device closes its connection: it is excluded, and too few players are left.
    hang_up.send(()).unwrap();
    silent.join().unwrap();
    let event = when_status(&service, &place, "failed");
    let reason = event["run"]["reason"].as_str().unwrap();
    assert!(reason.contains("too few players"), "{reason}");
    let messages = event["run"]["messages"].as_array().unwrap();
    assert!(
        messages[0].as_str().unwrap().contains("left is excluded"),
        "{messages:?}"
    );
    assert!(!left(&service.value("/api/v1/players")));
}
