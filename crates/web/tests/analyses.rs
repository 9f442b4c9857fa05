//! Analyses: progress, queue, cancellation.

mod common;

use common::{Service, wait_for};
use serde_json::{Value, json};

const ANALYSES: &str = "/api/v1/analyses";

fn create(service: &Service, body: &Value) -> String {
    let answer = service.post(ANALYSES, body);
    assert_eq!(answer.status, 202, "{answer:?}");
    answer.header("location").unwrap().to_owned()
}

#[test]
fn an_analysis_ends_with_candidates_that_are_legal() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let codes = ["53e0", "a8e0"];
    let body = json!({ "variant": "duo", "codes": codes, "simulations": 2000 });
    let place = create(&service, &body);
    let analysis = wait_for(|| {
        let analysis = service.value(&place);
        (analysis["status"] == "done").then_some(analysis)
    });
    assert_eq!(analysis["simulations"], 2000);
    assert_eq!(analysis["position"]["codes"], json!(codes));
    let state = service.value("/api/v1/positions/duo/53e0,a8e0");
    let legal = state["legal"]["codes"].as_array().unwrap();
    let actions = state["legal"]["actions"].as_array().unwrap();
    let candidates = analysis["candidates"].as_array().unwrap();
    assert!(candidates.len() > 5);
    for candidate in candidates {
        let index = legal
            .iter()
            .position(|code| *code == candidate["code"])
            .unwrap();
        assert_eq!(candidate["action"], actions[index]);
        assert_eq!(candidate["moves"][0], candidate["code"]);
        let value = candidate["value"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&value));
    }
    assert!((0.0..=1.0).contains(&analysis["value"].as_f64().unwrap()));
    let over = service.get("/api/v1/analyses/a99");
    assert_eq!(
        (over.status, over.code().as_str()),
        (404, "duoforge::not-found")
    );
}

#[test]
fn one_runs_four_wait_and_all_can_be_cancelled() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let mut events = service.stream("/api/v1/stream", "");
    let body = json!({ "variant": "duo", "ms": 60_000 });
    let places: Vec<_> = (0..5).map(|_| create(&service, &body)).collect();
    let full = service.post(ANALYSES, &body);
    assert_eq!((full.status, full.code().as_str()), (503, "duoforge::busy"));
    assert_eq!(
        full.json()["detail"],
        "5 analyses run or wait: expected at most 5"
    );
    // The first one makes progress on the stream.
    let mut simulations = Vec::new();
    while simulations.len() < 3 {
        let event = events.until("analysis").data;
        assert_eq!(event["id"], "a1");
        simulations.push(event["simulations"].as_u64().unwrap());
    }
    assert!(
        simulations.is_sorted() && simulations[0] > 0,
        "{simulations:?}"
    );
    let list = service.value(ANALYSES);
    let of = |key: &str| -> Vec<Value> {
        let all = list["analyses"].as_array().unwrap().iter();
        all.map(|analysis| analysis[key].clone()).collect()
    };
    assert_eq!(
        of("status"),
        ["running", "waiting", "waiting", "waiting", "waiting"]
    );
    assert_eq!(of("queue"), [0, 1, 2, 3, 4]);
    for place in &places {
        let cancelled = service.send("DELETE", place, "", "");
        assert_eq!(
            (cancelled.status, &cancelled.json()["status"]),
            (200, &"cancelled".into())
        );
    }
    // The next one runs at once.
    let place = create(&service, &json!({ "variant": "duo", "simulations": 10 }));
    wait_for(|| (service.value(&place)["status"] == "done").then_some(()));
    assert_eq!(service.value(&places[0])["status"], "cancelled");
}
