//! Positions, lists and counts on the command line.

mod common;

use common::{fed, good, run, text};
use duoforge_tests::data;
use serde_json::{Value, json};
use tempfile::tempdir;

const EXAMPLE: [&str; 6] = ["53e0", "a8e0", "21k7", "94j0", "61a0", "71b3"];

#[test]
fn perft_counts_what_is_known() {
    let known = data::perft();
    for depth in 1..=2 {
        let run = run(&["perft", &depth.to_string(), "--json"]);
        assert_eq!(run.json()[0]["moves"], known.duo[&depth]);
        assert!(run.json()[0]["moves_per_second"].as_f64().unwrap() > 0.0);
    }
    let out = good(&["perft", "3", "--variant", "classic"]);
    assert!(out.lines().last().unwrap().contains("195,112"), "{out}");
    assert_eq!(out.lines().count(), 4);
}

#[test]
fn a_depth_out_of_range_is_refused_with_the_range() {
    for depth in ["x", "-1", "85"] {
        let wrong = run(&["perft", "--", depth]);
        assert_eq!((wrong.status, wrong.out.as_str()), (2, ""), "{depth}");
        let part = "expected an integer from 0 to 84";
        assert!(wrong.err.contains(part), "{}", wrong.err);
    }
}

#[test]
fn moves_are_listed_once_each() {
    assert_eq!(good(&["moves", "--count"]), "414\n");
    let list = good(&["moves", "53e0", "a8e0"]);
    let object: Value = serde_json::from_str(&good(&["moves", "53e0 a8e0", "--json"])).unwrap();
    let legal = &object["legal"];
    assert_eq!(legal["count"], list.lines().count());
    assert_eq!(object["to_move"], json!({ "colour": 0, "seat": 0 }));
    // After the placements comes the pass, which is legal after the first turn.
    let codes: Vec<_> = legal["codes"].as_array().unwrap().iter().collect();
    assert_eq!(codes.len(), list.lines().count() + 1);
    assert!(
        codes
            .iter()
            .zip(list.lines())
            .all(|(code, line)| **code == line)
    );
    let over = good(&["moves", "53e0", "a8e0", "0000", "0000", "--json", "--count"]);
    let expected = r#"{"version":1,"variant":"duo","ply":4,"to_move":null,"legal":{"count":0}}"#;
    assert_eq!(over, format!("{expected}\n"));
}

#[test]
fn illegal_moves_are_a_negative_result_and_broken_ones_a_failure() {
    let illegal = run(&["moves", "53e0", "53e0"]);
    assert_eq!((illegal.status, illegal.out.as_str()), (1, ""));
    assert!(
        illegal.err.contains("move 2") && illegal.err.contains("occupied"),
        "{}",
        illegal.err
    );
    let broken = run(&["moves", "53e0", "a8e"]);
    assert_eq!((broken.status, broken.out.as_str()), (2, ""));
    assert!(
        broken.err.contains("duoforge::list") && broken.err.contains("help:"),
        "{}",
        broken.err
    );
}

#[test]
fn figure_6_is_shown() {
    let arguments: Vec<_> = ["show", "--glyphs", "ascii"]
        .into_iter()
        .chain(EXAMPLE)
        .collect();
    let out = good(&arguments);
    assert!(out.contains(" 1 1 1 1 1 . 1 2 2 . . . . . .   "), "{out}");
    assert!(out.contains(" 7 . . . . . . . . . 2 . . . .   "), "{out}");
    assert!(out.contains("10 cells, score -79") && out.contains("11 cells, score -78"));
    assert!(out.contains("player 1 to move"));
    assert!(out.is_ascii());
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    assert!(!good(&["show", "53e0"]).contains('\x1b'));
    assert!(good(&["show", "53e0", "--color", "always"]).contains("\x1b[48;5;"));
}

#[test]
fn pictures_are_well_formed() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("game.svg");
    let list = directory.path().join("games.txt");
    std::fs::write(&list, EXAMPLE.join(" ")).unwrap();
    good(&["replay", text(&list), "--svg", text(&path)]);
    let picture = std::fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    // One group for each tile, with the number of its ply.
    assert_eq!(picture.matches("<g ").count(), 6);
    assert_eq!(
        picture.matches("<g ").count(),
        picture.matches("</g>").count()
    );
    assert!(picture.contains(">6</text>"));
    let arguments: Vec<_> = ["show", "--svg", "-"].into_iter().chain(EXAMPLE).collect();
    assert_eq!(good(&arguments), picture);
}

/// Writes games as a list with comments.
fn list(games: impl Iterator<Item = Vec<String>>) -> String {
    let lines: Vec<_> = games.map(|moves| moves.join(" ")).collect();
    format!("# a comment\n\n{}  # the end", lines.join("\n\n"))
}

#[test]
fn random_games_replay_with_their_legal_counts() {
    let games = data::random_games();
    let list = list(games.iter().map(|game| game.moves.clone()));
    let run = fed(&list, &["replay", "-", "--json"]);
    assert_eq!(run.status, 0);
    let objects = run.json();
    assert_eq!(objects.len(), games.len());
    for (object, game) in objects.iter().zip(&games) {
        let plies = game.moves.iter().zip(&game.legal_counts);
        let plies: Vec<_> = plies
            .map(|(code, legal)| json!({"code": code, "legal": legal}))
            .collect();
        assert_eq!(object["plies"], Value::from(plies));
        assert_eq!(object["cells_placed"], json!(game.cells_placed));
        let keys: Vec<_> = object.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 5, "{keys:?}");
        assert_eq!(object["state"]["ply"], game.moves.len());
    }
}

#[test]
fn refereed_games_replay_with_their_scores() {
    let games = data::refereed_games();
    let list = list(games.iter().map(|game| game.moves.clone()));
    let directory = tempdir().unwrap();
    let path = directory.path().join("games.txt");
    std::fs::write(&path, list).unwrap();
    let run = run(&["replay", text(&path), "--json"]);
    let objects = run.json();
    assert_eq!(objects.len(), games.len());
    for (object, game) in objects.iter().zip(&games) {
        assert_eq!(object["score"], json!(game.score));
        assert_eq!(object["plies"].as_array().unwrap().len(), game.moves.len());
    }
}

#[test]
fn a_list_with_an_illegal_move_is_judged() {
    let run = fed("53e0 a8e0 51a0 94j0\n53e0", &["replay", "-", "--json"]);
    assert_eq!(run.status, 1);
    let objects = run.json();
    assert_eq!(objects[0]["ending"], "illegal");
    assert_eq!(objects[0]["fault"]["ply"], 3);
    assert_eq!(objects[0]["plies"].as_array().unwrap().len(), 2);
    assert_eq!(objects[1]["ending"], "unfinished");
}

#[test]
fn wrong_use_is_told_with_its_place() {
    let broken = fed("53e0\n53e0 a8e0 zz", &["replay", "-"]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("line 2, column 11"), "{}", broken.err);
    let missing = run(&["replay", "/nonexistent/games.txt"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("duoforge::file"), "{}", missing.err);
    let beyond = fed("53e0", &["replay", "-", "--game", "2"]);
    assert_eq!(beyond.status, 2);
    let several = fed("53e0\n53e0", &["replay", "-", "--svg", "-"]);
    assert_eq!((several.status, several.out.as_str()), (2, ""));
}

#[test]
fn the_definition_makes_help_completions_and_manual_pages() {
    let help = good(&["--help"]);
    for command in [
        "match", "demo", "device", "sim", "verilog", "perft", "moves", "replay", "ports",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        let page = good(&["man", command]);
        assert!(page.contains(&format!("duoforge-{command}")), "{command}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            good(&["completions", shell]).contains("duoforge"),
            "{shell}"
        );
    }
    assert_eq!(run(&["man", "nothing"]).status, 2);
    assert_eq!(run(&[]).status, 2);
}

#[test]
fn ports_are_listed() {
    let ports: Value = serde_json::from_str(&good(&["ports", "--json"])).unwrap();
    assert!(ports.is_array());
    assert_eq!(run(&["ports"]).status, 0);
}
