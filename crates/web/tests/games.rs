//! Casual games: against programs, between persons, and across SIGKILL.

mod common;

use std::fs;

use common::{Service, wait_for};
use duoforge_records::{read_blksgf, read_list};
use duoforge_rules::{Game, GameVariant, Move};
use serde_json::{Value, json};

const GAMES: &str = "/api/v1/games";

fn create(service: &Service, variant: &str, seats: &Value) -> Value {
    let answer = service.post(GAMES, &json!({ "variant": variant, "seats": seats }));
    assert_eq!(answer.status, 201, "{answer:?}");
    let game = answer.json();
    let place = format!("{GAMES}/{}", game["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(place.as_str()));
    game
}

fn place(game: &Value) -> String {
    format!("{GAMES}/{}", game["id"].as_str().unwrap())
}

/// Waits until a person is to move, or the game has ended.
fn when_waiting(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let game = service.value(place);
        let seat = game["to_move"]["seat"].as_u64();
        let is_person = seat.is_some_and(|seat| game["seats"][seat as usize]["kind"] == "person");
        (is_person || game["status"] == "ended").then_some(game)
    })
}

/// Codes of a game's moves.
fn codes(game: &Value) -> Vec<String> {
    let moves = game["moves"].as_array().unwrap().iter();
    moves
        .map(|mv| mv["code"].as_str().unwrap().to_owned())
        .collect()
}

/// Replays a game by the rules, which are the oracle of its state.
fn replayed(game: &Value) -> Game {
    let mut replay = Game::new(GameVariant::named(game["variant"].as_str().unwrap()).unwrap());
    for code in codes(game) {
        replay.play(code.parse().unwrap()).unwrap();
    }
    replay
}

#[test]
fn a_person_plays_whole_games_against_programs_in_every_variant() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    for (variant, players) in [
        ("duo", ["engine", "", "", ""]),
        ("duo-corner", ["random", "", "", ""]),
        ("classic", ["random", "greedy", "random", ""]),
        ("classic-3", ["random", "random", "", ""]),
        ("classic-2", ["greedy", "", "", ""]),
    ] {
        let mut seats = vec![json!({ "kind": "person", "name": "Ann" })];
        for player in players.into_iter().filter(|player| !player.is_empty()) {
            let level = (player == "engine").then_some(1);
            seats.push(json!({ "kind": "player", "player": player, "level": level }));
        }
        let created = create(&service, variant, &json!(seats));
        let place = place(&created);
        let mut game = when_waiting(&service, &place);
        while game["status"] == "running" {
            let ply = game["ply"].clone();
            let legal = game["state"]["legal"]["codes"].as_array().unwrap();
            let code = legal[legal.len() / 2].clone();
            let body = json!({ "ply": ply, "code": code });
            let answer = service.post(&format!("{place}/moves"), &body);
            assert_eq!(answer.status, 200, "{answer:?}");
            game = when_waiting(&service, &place);
        }
        let replay = replayed(&game);
        assert!(replay.is_over(), "{variant}");
        let result = replay.result();
        let scores: Vec<_> = result.seats().iter().map(|seat| seat.score).collect();
        let winners: Vec<_> = result.winners().iter().map(|seat| seat.0).collect();
        assert_eq!(game["result"]["scores"], json!(scores), "{variant}");
        assert_eq!(game["result"]["winners"], json!(winners), "{variant}");
        assert_eq!(game["result"]["ending"], "played-out");
        assert_eq!(game["seats"][0]["name"], "Ann");
        // After the end nothing more is accepted.
        let over = service.post(
            &format!("{place}/moves"),
            &json!({ "ply": 0, "code": "0000" }),
        );
        assert_eq!((over.status, over.code().as_str()), (409, "duoforge::over"));
    }
}

#[test]
fn the_last_move_and_the_end_of_a_game_come_together() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    for _ in 0..8 {
        let game = create(
            &service,
            "duo",
            &json!([{ "kind": "person" }, { "kind": "person" }]),
        );
        let place = place(&game);
        let watched = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut seen = Vec::new();
                loop {
                    let game = service.value(&place);
                    let is_over = game["state"]["over"].as_bool().unwrap();
                    let is_ended = game["status"] == "ended";
                    seen.push((is_over, is_ended));
                    if is_ended {
                        return seen;
                    }
                }
            });
            let mut game = game;
            while game["status"] == "running" {
                let legal = game["state"]["legal"]["codes"].as_array().unwrap();
                let code = &legal[legal.len() * 9 / 10];
                let body = json!({ "ply": game["ply"], "code": code });
                game = service.post(&format!("{place}/moves"), &body).json();
            }
            watcher.join().unwrap()
        });
        assert!(watched.len() > 1, "the game ended before it was watched");
        for (is_over, is_ended) in watched {
            assert_eq!(is_over, is_ended);
        }
    }
}

#[test]
fn stale_illegal_and_foreign_moves_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let persons = json!([{ "kind": "person" }, { "kind": "person" }]);
    let game = create(&service, "duo", &persons);
    assert_eq!(game["seats"][1]["name"], "Person 2");
    let place = place(&game);
    let moves = format!("{place}/moves");
    let post = |ply: usize, code: &str| service.post(&moves, &json!({ "ply": ply, "code": code }));
    assert_eq!(post(0, "53e0").status, 200);
    let stale = post(0, "a8e0");
    assert_eq!(
        (stale.status, stale.code().as_str()),
        (409, "duoforge::stale")
    );
    assert_eq!(stale.json()["ply"], 1);
    assert_eq!(post(7, "a8e0").code(), "duoforge::stale");
    let illegal = post(1, "11a0");
    assert_eq!(
        (illegal.status, illegal.code().as_str()),
        (422, "duoforge::illegal")
    );
    assert_eq!(illegal.json()["reason"], "start-cell-missed");
    assert_eq!(post(1, "hello").code(), "duoforge::code");
    assert_eq!(post(1, "a8e0").status, 200);
    assert_eq!(codes(&service.value(&place)), ["53e0", "a8e0"]);
    // The state of an earlier ply.
    let earlier = service.value(&format!("{place}?ply=1"));
    assert_eq!(
        (&earlier["state"]["ply"], &earlier["ply"]),
        (&1.into(), &2.into())
    );
    assert_eq!(service.get(&format!("{place}?ply=3")).status, 400);
    // A program's turn is not the person's.
    let seats = json!([{ "kind": "player", "player": "engine", "level": 9 }, { "kind": "person" }]);
    let game = create(&service, "duo", &seats);
    assert_eq!(game["to_move"]["seat"], 0);
    let moves = format!("{}/moves", self::place(&game));
    let early = service.post(&moves, &json!({ "ply": 0, "code": "53e0" }));
    assert_eq!(
        (early.status, early.code().as_str()),
        (409, "duoforge::turn")
    );
}

#[test]
fn moves_are_taken_back_and_games_resigned() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let seats =
        json!([{ "kind": "person", "name": "Ann" }, { "kind": "player", "player": "pattern" }]);
    let game = create(&service, "duo", &seats);
    let place = place(&game);
    let undo = |ply: usize| service.post(&format!("{place}/undo"), &json!({ "ply": ply }));
    assert_eq!(undo(0).code(), "duoforge::no-undo");
    for ply in [0, 2] {
        let game = when_waiting(&service, &place);
        assert_eq!(game["undo"], ply > 0);
        let code = game["state"]["legal"]["codes"][0].clone();
        let body = json!({ "ply": ply, "code": code });
        assert_eq!(service.post(&format!("{place}/moves"), &body).status, 200);
    }
    let before = when_waiting(&service, &place);
    assert_eq!(before["ply"], 4);
    assert_eq!(undo(3).code(), "duoforge::stale");
    let after = undo(4);
    assert_eq!((after.status, &after.json()["ply"]), (200, &2.into()));
    assert_eq!(codes(&after.json()), codes(&before)[..2]);
    let resign = |seat: u8| {
        let body = json!({ "ply": 2, "seat": seat });
        service.post(&format!("{place}/resign"), &body)
    };
    assert_eq!(resign(1).code(), "duoforge::seats");
    assert_eq!(resign(2).code(), "duoforge::seats");
    let ended = resign(0);
    assert_eq!(ended.status, 200);
    let result = ended.json()["result"].clone();
    assert_eq!(
        (&result["ending"], &result["winners"]),
        (&"resigned".into(), &json!([1]))
    );
    assert_eq!(result["detail"], "Ann resigned");
    assert_eq!(undo(2).code(), "duoforge::over");
}

#[test]
fn a_program_that_thinks_is_stopped_by_undo() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    // Level 9 thinks for minutes.
    let seats = json!([{ "kind": "person" }, { "kind": "player", "player": "engine", "level": 9 }]);
    let game = create(&service, "duo", &seats);
    let place = place(&game);
    let body = json!({ "ply": 0, "code": "53e0" });
    assert_eq!(service.post(&format!("{place}/moves"), &body).status, 200);
    wait_for(|| (service.value(&place)["thinking"] == true).then_some(()));
    let undone = service.post(&format!("{place}/undo"), &json!({ "ply": 1 }));
    assert_eq!((undone.status, &undone.json()["ply"]), (200, &0.into()));
    wait_for(|| (service.value(&place)["thinking"] == false).then_some(()));
    assert_eq!(codes(&service.value(&place)), [""; 0]);
}

#[test]
fn games_are_written_in_every_form() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    for variant in ["duo", "classic", "classic-3"] {
        let count = GameVariant::named(variant).unwrap().seat_count();
        let seats = vec![json!({ "kind": "person", "name": "A & <B>" }); count];
        let game = create(&service, variant, &json!(seats));
        let place = place(&game);
        for ply in 0..6 {
            let legal = service.value(&place)["state"]["legal"]["codes"].clone();
            let body = json!({ "ply": ply, "code": legal[3] });
            assert_eq!(service.post(&format!("{place}/moves"), &body).status, 200);
        }
        let codes = codes(&service.value(&place));
        let list = service.get(&format!("{place}.list"));
        let read = read_list(&list.body).unwrap();
        let listed: Vec<_> = read[0]
            .codes
            .iter()
            .map(|code| code.bytes.to_vec())
            .collect();
        let expected: Vec<_> = codes.iter().map(|code| code.as_bytes().to_vec()).collect();
        assert_eq!(listed, expected);
        let picture = service.get(&format!("{place}.svg?ply=4"));
        assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
        assert_eq!(picture.body.matches("<g class=\"p").count(), 4);
        assert!(picture.body.contains("A &amp; &lt;B&gt;"));
        let replay = service.get(&format!("{place}.html?ply=4"));
        assert_eq!(
            replay.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        let disposition = replay.header("content-disposition").unwrap();
        assert!(disposition.starts_with("attachment; "), "{disposition}");
        let (_, data) = replay.body.split_once("id=\"data\">").unwrap();
        let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        let replayed = &data["games"][0];
        assert_eq!(replayed["seats"][0]["name"], "A & <B>");
        assert!(replayed["moves"][3]["us"].is_u64());
        let shown: Vec<_> = replayed["moves"].as_array().unwrap().iter().collect();
        let shown: Vec<_> = shown
            .iter()
            .map(|mv| mv["code"].as_str().unwrap())
            .collect();
        assert_eq!(shown, codes[..4]);
        for ply in [0, 3, 4] {
            let state = &service.value(&format!("{place}?ply={ply}"))["state"];
            assert_eq!(
                replayed["states"][ply]["board"], state["board"],
                "ply {ply}"
            );
        }
        let file = service.get(&format!("{place}.blksgf"));
        let record = &read_blksgf(&file.body).unwrap()[0].record;
        let moves: Vec<_> = record.moves().filter(|mv| *mv != Move::Pass).collect();
        let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
        assert_eq!(moves, codes);
    }
}

#[test]
fn ten_kills_lose_nothing_that_was_acknowledged() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let seats = json!([{ "kind": "person" }, { "kind": "player", "player": "random" }]);
    let place = place(&create(&service, "duo", &seats));
    let mut acknowledged: Vec<String> = Vec::new();
    for kill in 0..10 {
        let game = when_waiting(&service, &place);
        let found = codes(&game);
        assert!(found.len() >= acknowledged.len(), "after kill {kill}");
        assert_eq!(
            found[..acknowledged.len()],
            acknowledged,
            "after kill {kill}"
        );
        if game["status"] == "ended" {
            break;
        }
        let legal = game["state"]["legal"]["codes"].as_array().unwrap();
        let body = json!({ "ply": game["ply"], "code": legal[kill % legal.len()] });
        let answer = service.post(&format!("{place}/moves"), &body);
        assert_eq!(answer.status, 200, "{answer:?}");
        acknowledged = codes(&answer.json());
        // At once: the program may be thinking, or writing its move.
        service.kill();
        service = Service::start(directory.path());
    }
    let last = when_waiting(&service, &place);
    assert!(codes(&last).len() >= 10, "{last}");
    replayed(&last);
    let journals = fs::read_dir(directory.path().join("games")).unwrap();
    assert_eq!(journals.count(), 1);
}

#[test]
fn names_that_cannot_be_seen_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let answer = |name: &str| {
        let seats = json!([{ "kind": "person" }, { "kind": "person", "name": name }]);
        service.post(
            "/api/v1/games",
            &json!({ "variant": "duo", "seats": seats }),
        )
    };
    for (name, fault) in [
        ("\u{200B}", "U+200B is not permitted: expected 1 to 40"),
        ("Ann\u{202E}", "U+202E is not permitted: expected 1 to 40"),
        ("\u{3164}", "no character is visible: expected 1 to 40"),
        (
            &*"x".repeat(41),
            "41 characters are out of range: expected 1 to 40",
        ),
    ] {
        let answer = answer(name);
        assert_eq!((answer.status, &*answer.code()), (422, "duoforge::seats"));
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        let expected = format!("invalid name of seat 2: {fault} printable characters");
        assert_eq!(detail, expected);
    }
    let joined = "\u{1F469}\u{200D}\u{1F680}";
    let game = answer(joined);
    assert_eq!(game.status, 201, "{game:?}");
    assert_eq!(game.json()["seats"][1]["name"], joined);
}
