//! Comparisons with simulated hardware: their queue, cancellation and refusals. The model of the
//! tests' service runs until it is cancelled.

mod common;

use common::{Service, wait_for};
use serde_json::{Value, json};

const COMPARISONS: &str = "/api/v1/comparisons";

/// Creates a game of persons and returns its id.
fn game(service: &Service, variant: &str) -> String {
    let seats = match variant {
        "classic" => 4,
        _ => 2,
    };
    let seats: Vec<Value> = (0..seats).map(|_| json!({ "kind": "person" })).collect();
    let game = service.post(
        "/api/v1/games",
        &json!({ "variant": variant, "seats": seats }),
    );
    game.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn one_comparison_runs_four_wait_and_each_can_be_cancelled() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let id = game(&service, "duo");
    let body = json!({ "game": id, "ply": 0 });
    let places: Vec<String> = (0..5)
        .map(|_| {
            let answer = service.post(COMPARISONS, &body);
            assert_eq!(answer.status, 202, "{answer:?}");
            let comparison = answer.json();
            assert_eq!(comparison["command"], "wave of ply 0");
            assert_eq!(comparison["device"], Value::Null);
            answer.header("location").unwrap().to_owned()
        })
        .collect();
    let busy = service.post(COMPARISONS, &body);
    assert_eq!(
        (busy.status, busy.code()),
        (503, "duoforge::busy".to_owned())
    );
    for (number, place) in places.iter().enumerate() {
        // The first one that is not cancelled runs.
        wait_for(|| (service.value(place)["status"] == "running").then_some(()));
        for later in &places[number + 1..] {
            assert_eq!(service.value(later)["status"], "waiting");
        }
        let cancelled = service.send("DELETE", place, "", "");
        assert_eq!(cancelled.json()["status"], "cancelled");
        assert_eq!(service.value(place)["status"], "cancelled");
    }
    assert_eq!(service.post(COMPARISONS, &body).status, 202);
}

#[test]
fn players_and_their_simulations_are_those_of_the_request_or_of_the_profile() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("devices"), "deep twin\n").unwrap();
    let service = Service::start(directory.path());
    let seats = json!([{ "kind": "person" }, { "kind": "player", "player": "deep" }]);
    let created = service.post(
        "/api/v1/games",
        &json!({ "variant": "duo", "seats": seats }),
    );
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let moved = json!({ "ply": 0, "code": "53e0" });
    let moved = service.post(&format!("/api/v1/games/{id}/moves"), &moved);
    assert!(moved.status < 300, "{moved:?}");
    let compare = |ply: usize, more: &Value| {
        let mut body = json!({ "game": id, "ply": ply });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        service.post(COMPARISONS, &body)
    };
    let shown = |ply, more: &Value| {
        let answer = compare(ply, more);
        assert_eq!(answer.status, 202, "{answer:?}");
        let place = answer.header("location").unwrap().to_owned();
        service.send("DELETE", &place, "", "");
        let comparison = answer.json();
        (
            comparison["player"].clone(),
            comparison["simulations"].clone(),
        )
    };
    assert_eq!(shown(0, &json!({})), (json!("pattern"), Value::Null));
    assert_eq!(shown(1, &json!({})), (json!("search:50"), json!(50)));
    let more = json!({ "player": "search:5000", "simulations": 20 });
    assert_eq!(shown(0, &more), (json!("search:5000"), json!(20)));
    assert_eq!(shown(0, &json!({ "player": "search:5000" })).1, json!(300));
    for (more, code) in [
        (json!({ "player": "sh -c id" }), "duoforge::player"),
        (json!({ "player": "search:x" }), "duoforge::player"),
        (
            json!({ "player": "search:50", "simulations": 9 }),
            "duoforge::simulations",
        ),
        (
            json!({ "player": "pattern", "simulations": 50 }),
            "duoforge::simulations",
        ),
    ] {
        let answer = compare(0, &more);
        assert_eq!(
            (answer.status, answer.code()),
            (422, code.to_owned()),
            "{more}"
        );
    }
    // Each player takes a model: a service has 16 of them, and two are known.
    for number in 0..14 {
        shown(0, &json!({ "player": format!("search:{}", 100 + number) }));
    }
    let full = compare(0, &json!({ "player": "search:99" }));
    assert_eq!(
        (full.status, full.code()),
        (503, "duoforge::busy".to_owned())
    );
    shown(0, &json!({ "player": "search:113" }));
}

#[test]
fn games_plies_and_variants_without_a_decision_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let (duo, classic) = (game(&service, "duo"), game(&service, "classic"));
    for (game, ply, status, code) in [
        ("x.1", 0, 404, "duoforge::not-found"),
        (&duo, 1, 400, "duoforge::request"),
        (&classic, 0, 422, "duoforge::variant"),
    ] {
        let answer = service.post(COMPARISONS, &json!({ "game": game, "ply": ply }));
        assert_eq!((answer.status, answer.code()), (status, code.to_owned()));
    }
    let unknown = service.get(&format!("{COMPARISONS}/c9"));
    assert_eq!(
        (unknown.status, unknown.code()),
        (404, "duoforge::not-found".to_owned())
    );
}
