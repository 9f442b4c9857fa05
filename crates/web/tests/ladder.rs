//! Ladder over all journals, and the games of two players.

mod common;

use std::fs;
use std::path::Path;

use common::{Service, wait_for};
use duoforge_journal::{Begun, Ended, GameResult, Header, Journal, Kind, Record, now_ms, read};
use duoforge_tournament::{Form, Ladder, LadderUnit};
use serde_json::{Value, json};

/// Games by player 1, player 2 and result.
const GAMES: [(&str, &str, GameResult); 6] = [
    ("A", "B", GameResult::One),
    ("B", "A", GameResult::Two),
    ("A", "B", GameResult::Draw),
    ("B", "C", GameResult::One),
    ("C", "A", GameResult::Two),
    ("C", "B", GameResult::Open),
];

fn play(journal: &Journal, game: u32, (one, two, result): (&str, &str, GameResult)) {
    let mut begun = Begun::new(game, 1, [one, two]);
    begun.versions = [one, two].map(|name| Some(format!("{name}{}", 1 + game / 3)));
    journal.append(&Record::Begun(begun)).unwrap();
    let ended = Ended {
        game,
        attempt: 1,
        result,
        ending: "both-passed".to_owned(),
        detail: "both passed".to_owned(),
        score: [0, 0],
        cells_placed: [0, 0],
        teams: [None, None],
        plies: 0,
        evidence: None,
        at_ms: now_ms(),
    };
    journal.append(&Record::Ended(ended)).unwrap();
}

fn journal(directory: &Path) -> Journal {
    fs::create_dir_all(directory.join("events")).unwrap();
    let header = Header::new(Kind::Match, "Cup", "[]");
    Journal::create(&directory.join("events/cup.journal"), header).unwrap()
}

/// The object of the command, computed of the file.
fn command(directory: &Path, unit: LadderUnit) -> Value {
    let history = read(&directory.join("events/cup.journal")).unwrap().history;
    let ladder = Ladder::new(&[history], "duo", unit);
    serde_json::from_str(&ladder.render(Form::Json)).unwrap()
}

fn column<'a>(ladder: &'a Value, keys: &[&str]) -> Vec<Vec<&'a Value>> {
    let rungs = ladder["rungs"].as_array().unwrap().iter();
    rungs
        .map(|rung| keys.iter().map(|key| &rung[*key]).collect())
        .collect()
}

#[test]
fn the_ladder_is_that_of_the_command_and_follows_the_results() {
    let directory = tempfile::tempdir().unwrap();
    let journal = journal(directory.path());
    let service = Service::start(directory.path());
    let none = service.value("/api/v1/ladder");
    assert_eq!((&none["games"], &none["rungs"]), (&json!(0), &json!([])));
    for (game, entry) in (1..).zip(GAMES) {
        play(&journal, game, entry);
    }
    let by_player = "/api/v1/ladder?variant=duo&by=player";
    let ladder = wait_for(|| {
        let ladder = service.value(by_player);
        (ladder["games"] == 5 && ladder["open"] == 1).then_some(ladder)
    });
    // Counted by hand: A has three wins and a draw, and C lost all.
    let keys = ["name", "won", "drawn", "lost", "games", "version"];
    let expected = json!([
        ["A", 3, 1, 0, 4, null],
        ["B", 1, 1, 2, 4, null],
        ["C", 0, 0, 2, 2, null]
    ]);
    assert_eq!(json!(column(&ladder, &keys)), expected);
    let cell = |won, drawn, lost| json!({ "won": won, "drawn": drawn, "lost": lost });
    assert_eq!(
        ladder["cross"][0],
        json!([null, cell(2, 1, 0), cell(1, 0, 0)])
    );
    // A score without a loss has an infinite Elo difference.
    let meeting = &ladder["meetings"][1];
    assert_eq!(meeting["players"][1]["name"], "C");
    assert_eq!(
        (&meeting["elo"]["elo"], &meeting["elo"]["score"]),
        (&Value::Null, &json!(1.0))
    );
    for (place, unit) in [
        (by_player, LadderUnit::Player),
        ("/api/v1/ladder", LadderUnit::Version),
    ] {
        let mut served = service.value(place);
        let variants = served.as_object_mut().unwrap().remove("variants");
        assert_eq!(variants, Some(json!([{ "variant": "duo", "games": 6 }])));
        assert_eq!(served, command(directory.path(), unit), "{place}");
    }
    let versions = service.value("/api/v1/ladder");
    let names: Vec<_> = column(&versions, &["name", "version"]);
    assert!(
        names.contains(&vec![&json!("A"), &json!("A2")]),
        "{names:?}"
    );
    for (query, status) in [
        ("by=team", 400),
        ("variant=chess", 400),
        ("order=elo", 400),
        ("variant=classic", 200),
    ] {
        let answer = service.get(&format!("/api/v1/ladder?{query}"));
        assert_eq!(answer.status, status, "{query}");
    }
}

#[test]
fn games_are_selected_by_their_players() {
    let directory = tempfile::tempdir().unwrap();
    let journal = journal(directory.path());
    for (game, entry) in (1..).zip(GAMES) {
        play(&journal, game, entry);
    }
    let service = Service::start(directory.path());
    let total = |query: &str| service.value(&format!("/api/v1/games?{query}"))["total"].clone();
    for (query, expected) in [
        ("player=A", 4),
        ("opponent=A", 4),
        ("player=B&opponent=A", 3),
        ("player=A&opponent=B&variant=duo", 3),
        ("player=A&opponent=B&variant=classic", 0),
        ("player=A&opponent=A", 0),
        ("player=a", 0),
        ("player=C&limit=1", 3),
    ] {
        assert_eq!(total(query), expected, "{query}");
    }
    assert_eq!(service.get("/api/v1/games?variant=chess").status, 400);
}
