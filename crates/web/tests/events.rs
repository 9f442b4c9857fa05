//! Standings of events: those of a tournament by its plan.

mod common;

use std::fs;

use common::Service;
use duoforge_journal::{Begun, Ended, GameResult, Header, Journal, Kind, Record, now_ms};
use duoforge_tournament::{Plan, Results, Schedule};
use serde_json::{Value, json};

const PLAN: &str = r#"
event = "Cup"
format = "round-robin"
[[player]]
name = "A"
spec = "pattern"
[[player]]
name = "B"
spec = "random:1"
[[player]]
name = "C"
spec = "random:2"
[[player]]
name = "D"
spec = "sim:search"
"#;

/// Winner and loser of each match with the winner's margin. By Sonneborn-Berger A has 6, B 4, C 2
/// and D 4; by margins B would be before A, and C before D.
const MATCHES: [(&str, &str, i32); 6] = [
    ("A", "B", 1),
    ("A", "C", 1),
    ("D", "A", 30),
    ("B", "C", 20),
    ("B", "D", 20),
    ("C", "D", 50),
];

fn ended(game: u32, first_wins: bool, margin: i32) -> Record {
    let (result, score) = if first_wins {
        (GameResult::One, [margin, 0])
    } else {
        (GameResult::Two, [0, margin])
    };
    Record::Ended(Ended {
        game,
        attempt: 1,
        result,
        ending: "both-passed".to_owned(),
        detail: "both passed".to_owned(),
        score,
        cells_placed: score.map(|points| points.unsigned_abs()),
        teams: [None, None],
        plies: 0,
        evidence: None,
        at_ms: now_ms(),
    })
}

/// Writes the journal of a tournament with all results, and returns the event.
fn event(plan: &str) -> Value {
    let known = plan.replace("sim:search", "random:3");
    let schedule = Schedule::new(&Plan::read(&known).unwrap(), &Results::new());
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("events")).unwrap();
    let path = directory.path().join("events/cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Cup", plan)).unwrap();
    let names = ["A", "B", "C", "D"];
    let mut games = 0;
    for fixture in schedule.counted() {
        let [one, two] = fixture.players.map(|player| names[player]);
        let (winner, _, margin) = MATCHES
            .into_iter()
            .find(|(winner, loser, _)| {
                [one, two] == [*winner, *loser] || [two, one] == [*winner, *loser]
            })
            .unwrap();
        journal
            .append(&Record::Begun(Begun::new(fixture.number, 1, [one, two])))
            .unwrap();
        journal
            .append(&ended(fixture.number, winner == one, margin))
            .unwrap();
        games += 1;
    }
    assert_eq!(games, 12);
    let service = Service::start(directory.path());
    let events = service.value("/api/v1/events");
    let id = events["events"][0]["id"].as_str().unwrap();
    let answer = service.get(&format!("/api/v1/events/{id}"));
    // A key that occurs twice is lost by readers.
    assert!(!answer.body.contains("\"games\":{"), "{}", answer.body);
    let event = answer.json();
    assert_eq!(event["counts"], json!({ "ended": 12, "running": 0 }));
    assert_eq!(event["games"].as_array().unwrap().len(), 12);
    event
}

fn column(event: &Value, name: &str) -> Value {
    let rows = event["standings"].as_array().unwrap().iter();
    rows.map(|row| row[name].clone()).collect()
}

#[test]
fn ties_are_broken_as_the_tournament_breaks_them() {
    let event = event(PLAN);
    assert_eq!(event["tie_break"], "Sonneborn-Berger");
    assert_eq!(column(&event, "player"), json!(["A", "B", "D", "C"]));
    assert_eq!(column(&event, "rank"), json!([1, 2, 3, 4]));
    assert_eq!(column(&event, "points"), json!([4.0, 4.0, 2.0, 2.0]));
    assert_eq!(column(&event, "tie_break"), json!([6.0, 4.0, 4.0, 2.0]));
    assert_eq!(column(&event, "margin"), json!([-56, 78, -80, 58]));
    assert_eq!(event["crosstable"]["players"], json!(["A", "B", "D", "C"]));
    assert_eq!(
        event["crosstable"]["points"],
        json!([
            [null, 2.0, 0.0, 2.0],
            [0.0, null, 2.0, 2.0],
            [2.0, 0.0, null, 0.0],
            [0.0, 0.0, 2.0, null]
        ])
    );
}

#[test]
fn an_event_without_a_plan_is_ordered_by_margin() {
    let event = event_without_plan();
    assert_eq!(event["tie_break"], Value::Null);
    assert_eq!(column(&event, "player"), json!(["B", "A"]));
    assert_eq!(column(&event, "tie_break"), json!([null, null]));
    assert_eq!(column(&event, "margin"), json!([4, -4]));
}

/// A match of two games in which both players win once.
fn event_without_plan() -> Value {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("events")).unwrap();
    let path = directory.path().join("events/match.journal");
    let journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]")).unwrap();
    for (game, first_wins, margin) in [(1, true, 3), (2, false, 7)] {
        journal
            .append(&Record::Begun(Begun::new(game, 1, ["A", "B"])))
            .unwrap();
        journal.append(&ended(game, first_wins, margin)).unwrap();
    }
    let service = Service::start(directory.path());
    let events = service.value("/api/v1/events");
    let id = events["events"][0]["id"].as_str().unwrap();
    service.value(&format!("/api/v1/events/{id}"))
}
