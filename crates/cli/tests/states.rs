//! States of positions of all variants on the command line.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{fed, good, run, text};
use duoforge_rules::{Cell, Colour, Game, GameVariant, Tile};
use duoforge_view::{CellHints, Hints, State, TileHints, read_variant};
use serde_json::{Value, json};
use tempfile::tempdir;

const SMALL: &str = "
    name = 'small'
    size = 9
    seats = 2
    colours = [
        { seat = 0, starts = [[2, 2]] },
        { seat = 1, starts = [[6, 6]] },
    ]
";

fn played(variant: &GameVariant, codes: &[&str]) -> Game {
    let mut game = Game::new(variant);
    for code in codes {
        game.play(code.parse().unwrap()).unwrap();
    }
    game
}

/// Runs the command; its output must be a state.
fn state(arguments: &[&str]) -> State {
    serde_json::from_str(&good(arguments)).unwrap()
}

/// A 20x20 game that Pentobi wrote.
fn classic() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../records/tests/data/pentobi_classic.blksgf")
}

#[test]
fn the_state_of_every_variant_is_one_object() {
    for variant in GameVariant::BUILT_IN {
        let start = Game::new(&variant).legal()[0].to_string();
        let arguments = ["state", "--variant", variant.name(), &start, "--json"];
        assert_eq!(state(&arguments), State::new(&played(&variant, &[&start])));
    }
    assert_eq!(state(&["state", "--json"]).variant, "duo");
    let swapped = state(&["state", "aaa0 55a0", "--json"]);
    assert_eq!((swapped.variant.as_str(), swapped.ply), ("duo", 2));
}

#[test]
fn a_custom_variant_is_read_from_a_file() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("small.toml");
    fs::write(&path, SMALL).unwrap();
    let variant = read_variant(SMALL).unwrap();
    let arguments = ["state", "33a0", "--json", "--variant", text(&path)];
    assert_eq!(state(&arguments), State::new(&played(&variant, &["33a0"])));
    let moves = good(&["moves", "--variant", text(&path), "--count"]);
    assert_eq!(moves, format!("{}\n", Game::new(&variant).count_legal()));
}

#[test]
fn a_wrong_variant_is_refused_with_file_key_value_and_range() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("small.toml");
    let name = text(&path);
    for (from, to, parts) in [
        (
            "size = 9",
            "size = 21",
            vec![": size=21 is out of range: expected 5 to 20"],
        ),
        (
            "size = 9",
            "size = 'big'",
            vec![
                ", line 3: size='big' is not permitted: expected 5 to 20",
                "here",
            ],
        ),
        ("seats = 2", "seat = 2", vec!["unknown field `seat`"]),
        ("name = 'small'", "", vec![": the key name is missing"]),
    ] {
        fs::write(&path, SMALL.replacen(from, to, 1)).unwrap();
        let wrong = run(&["state", "--variant", name]);
        assert_eq!((wrong.status, wrong.out.as_str()), (2, ""), "{to}");
        // Messages are wrapped, names of files possibly within.
        let message: String = wrong.err.split_whitespace().collect();
        for part in parts
            .into_iter()
            .chain(["small.toml", "duoforge::variant", "help:"])
        {
            let part: String = part.split_whitespace().collect();
            assert!(
                message.replace('│', "").contains(&part),
                "{part}: {}",
                wrong.err
            );
        }
    }
    let unknown = run(&["state", "--variant", "chess"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("duo-corner"), "{}", unknown.err);
    let missing = run(&["moves", "--variant", "/nonexistent/small.toml"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("duoforge::file"), "{}", missing.err);
}

#[test]
fn the_text_has_the_diagnostics() {
    let out = good(&[
        "state",
        "--variant",
        "duo-corner",
        "11a0",
        "1ea0",
        "--glyphs",
        "ascii",
    ]);
    for part in [
        "   1 2 3 4 5 6 7 8 9 a b c d e   duo-corner, ply 2",
        " 1 1 . . . . . . . . . . . . S    1 colour 1, seat 1",
        "   score 1, 1 cells, 2 void cells, mobility ",
        "   20 tiles left: bcdefghijklmnopqrstu",
        "194 empty cells",
        "after 1ea0 of colour 2",
        "colour 1 to move, seat 1, ",
    ] {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    let over = good(&["state", "53e0 a8e0 0000 0000"]);
    assert!(
        over.contains("game over: seats 1, 2 draw, scores -85:-85"),
        "{over}"
    );
    let classic = good(&["state", "--variant", "classic-3", "--glyphs", "ascii"]);
    assert!(
        classic.contains(" k S . . . . . . . . . . . . . . . . . . S"),
        "{classic}"
    );
    assert!(
        classic.contains("colour 4, shared, next seat 1"),
        "{classic}"
    );
}

#[test]
fn hints_are_given_both_ways() {
    let game = played(&GameVariant::DUO, &["53e0"]);
    let hints = |hint| good(&["state", "53e0", "--json", "--hints", hint]);
    let object = |text: String| serde_json::from_str::<Hints>(&text).unwrap();
    let cell = CellHints::new(&game, Colour(1), Cell::new(9, 9));
    assert_eq!(object(hints("aa")), Hints::Cell(cell));
    let tile = Tile::from_letter(b'b').unwrap();
    let expected = Hints::Tile(TileHints::new(&game, Colour(1), tile));
    assert_eq!(object(hints("b")), expected);
    let out = good(&["state", "53e0", "--hints", "b", "--glyphs", "ascii"]);
    assert!(out.contains("tile b: 5 cells, 4 placements\nb "), "{out}");
    assert!(out.contains(" a . . . . . . . . + + + . . ."), "{out}");
    let out = good(&["state", "--hints", "11"]);
    assert!(out.ends_with("cell 11: no tile, 0 placements\n"), "{out}");
    for (hint, part) in [
        ("v", "a to u"),
        ("5", "such as 5a"),
        ("ff", "expected 11 to ee"),
    ] {
        let wrong = run(&["state", "--hints", hint]);
        assert_eq!((wrong.status, wrong.out.as_str()), (2, ""), "{hint}");
        assert!(wrong.err.contains(part), "{}", wrong.err);
    }
    let over = run(&["state", "53e0 a8e0 0000 0000", "--hints", "b"]);
    assert_eq!((over.status, over.out.as_str()), (1, ""));
}

#[test]
fn files_state_their_variant_or_take_the_option() {
    let classic = classic();
    let found = state(&["state", text(&classic), "--json"]);
    assert_eq!((found.variant.as_str(), found.over), ("classic", true));
    let shared = state(&["state", text(&classic), "--json", "--variant", "classic-2"]);
    let seats = shared.result.unwrap().seats;
    let scores: Vec<i32> = found.colours.iter().map(|colour| colour.score).collect();
    assert_eq!(seats[0].score, scores[0] + scores[2]);
    assert_eq!(seats[1].score, scores[1] + scores[3]);
    // The same game as a list, with the passes of the format of records.
    let list = good(&["convert", text(&classic)]);
    let arguments = ["state", "-", "--json", "--variant", "classic"];
    let listed: State = serde_json::from_str(&fed(&list, &arguments).out).unwrap();
    assert_eq!(listed, found);
    let early = state(&["state", text(&classic), "--ply", "3", "--json"]);
    assert_eq!((early.ply, early.to_move.unwrap().colour), (3, 3));
    let small = run(&["state", text(&classic), "--variant", "duo"]);
    assert_eq!(small.status, 2);
    assert!(
        small.err.contains("the game is `classic`, not `duo`"),
        "{}",
        small.err
    );
    let two = fed("53e0\n53e0\n", &["state", "-"]);
    assert_eq!(two.status, 2);
    assert!(two.err.contains("--game N"), "{}", two.err);
    let second = fed(
        "53e0\n53e0 a8e0\n",
        &["state", "-", "--game", "2", "--json"],
    );
    let second: State = serde_json::from_str(&second.out).unwrap();
    assert_eq!(second.ply, 2);
}

#[test]
fn illegal_moves_are_a_negative_result() {
    for arguments in [
        &["state", "53e0", "53e0"][..],
        &["state", "53e0", "53e0", "--json"],
        &["moves", "--variant", "classic", "11a0", "11a0"],
    ] {
        let illegal = run(arguments);
        assert_eq!((illegal.status, illegal.out.as_str()), (1, ""));
        assert!(illegal.err.starts_with("move 2, "), "{}", illegal.err);
    }
    let shown = run(&["show", "53e0", "53e0", "--json"]);
    assert_eq!(shown.status, 1);
    let shown: State = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown.ply, 1);
}

#[test]
fn show_and_moves_give_parts_of_the_state() {
    for variant in ["duo", "classic-free"] {
        let legal = good(&["moves", "--variant", variant]);
        let first = legal.lines().next().unwrap();
        let state = good(&["state", first, "--variant", variant, "--json"]);
        assert_eq!(
            good(&["show", first, "--variant", variant, "--json"]),
            state
        );
        let state: Value = serde_json::from_str(&state).unwrap();
        let moves = good(&["moves", first, "--variant", variant, "--json"]);
        let moves: Value = serde_json::from_str(&moves).unwrap();
        for key in ["version", "variant", "ply", "to_move", "legal"] {
            assert_eq!(moves[key], state[key], "{key}");
        }
        assert_eq!(moves.as_object().unwrap().len(), 5);
    }
    let drawn = good(&["show", "--variant", "classic", "11a0"]);
    assert_eq!(drawn, good(&["state", "--variant", "classic", "11a0"]));
    let picture = run(&["show", "--variant", "classic", "--svg", "-"]);
    assert_eq!((picture.status, picture.out.as_str()), (2, ""));
}

#[test]
fn games_of_all_variants_are_replayed() {
    let classic = classic();
    let line = good(&["replay", text(&classic)]);
    assert!(line.starts_with("game 1 (line 1): classic, "), "{line}");
    let object: Value = serde_json::from_str(&good(&["replay", text(&classic), "--json"])).unwrap();
    assert_eq!(object["ending"], "over");
    assert_eq!(object["plies"][0]["legal"], 58);
    assert_eq!(object["plies"][3]["colour"], 3);
    let found = state(&["state", text(&classic), "--json"]);
    assert_eq!(object["state"], json!(found));
    assert_eq!(
        object["plies"].as_array().unwrap().len(),
        found.ply as usize
    );
    let wrong = fed(
        "11a0 11a0\n",
        &["replay", "-", "--variant", "classic", "--json"],
    );
    assert_eq!(wrong.status, 1);
    let object = &wrong.json()[0];
    assert_eq!(
        (&object["ending"], &object["fault"]["ply"]),
        (&json!("illegal"), &json!(2))
    );
    assert_eq!(object["state"]["ply"], 1);
}
