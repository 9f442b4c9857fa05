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
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
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
fn games_plies_and_variants_without_a_decision_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
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
