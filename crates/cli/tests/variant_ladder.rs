//! Ladders over the games of variants.
#![cfg(unix)]

mod common;

use std::fs;

use common::seasons::{Results, played_match, zermelo};
use common::{good, run, text};
use duoforge_journal::read;
use serde_json::Value;
use tempfile::tempdir;

/// Each pair of seats of a game is a result, counted here straight from the journal.
#[test]
fn a_variant_has_a_separate_ladder_over_pairs_of_seats() {
    let directory = tempdir().unwrap();
    let [plan, journal] = ["cup.toml", "cup.journal"].map(|name| directory.path().join(name));
    let players = ["greedy:1", "random:2", "random:3", "greedy:4"];
    let players = players.map(|spec| format!("[[player]]\nspec = \"{spec}\"\n"));
    let head = "event = \"Cup\"\nvariant = \"classic-3\"\nconcurrency = 2\n";
    fs::write(&plan, head.to_owned() + &players.concat()).unwrap();
    good(&["tournament", text(&plan), "--quiet"]);
    fs::remove_file(&plan).unwrap();
    played_match(
        directory.path(),
        "match pattern twin --games 2 -q --journal duo.journal",
    );
    let mut results = Results::new();
    for (game, ended) in read(&journal).unwrap().history.variant_games.ended() {
        for one in 0..3 {
            for two in (0..3).filter(|&two| two != one) {
                let names = [one, two].map(|seat: usize| game.begun.players[seat].clone());
                let own = match ended.seats[one].place.cmp(&ended.seats[two].place) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
                results.entry(names).or_default()[own] += 1;
            }
        }
    }
    let expected = zermelo(&results);
    let words = ["ladder", text(directory.path()), "--variant", "classic-3"];
    let told = run(&[&words[..], &["--format", "json"]].concat());
    let ladder = &told.json()[0];
    assert_eq!(
        [&ladder["games"], &ladder["seats"]],
        [&Value::from(12), &3.into()]
    );
    assert_eq!(ladder["events"].as_array().unwrap().len(), 1);
    let rungs = ladder["rungs"].as_array().unwrap();
    assert_eq!(rungs.len(), 4);
    for rung in rungs {
        let name = rung["name"].as_str().unwrap();
        let elo = rung["elo"]["elo"].as_f64().unwrap();
        assert!((elo - expected[name]).abs() < 0.01, "{name} {elo}");
        // Nine games with two opponents each.
        assert_eq!(rung["games"], 18, "{name}");
        let version = rung["version"].as_str().unwrap();
        assert!(
            version.starts_with(&format!("{name}, duoforge ")),
            "{version}"
        );
    }
    let shown = good(&words);
    assert!(
        shown.starts_with("Ladder: classic-3, 1 event, 12 rated games\n"),
        "{shown}"
    );
    assert!(shown.contains("Each pair of seats"), "{shown}");
    let duo = run(&["ladder", text(directory.path())]);
    assert!(
        duo.out.starts_with("Ladder: 1 event, 2 rated games\n"),
        "{}",
        duo.out
    );
    let other = "12 games of classic-3 have a separate ladder: --variant classic-3";
    assert!(duo.err.contains(other), "{}", duo.err);
}
