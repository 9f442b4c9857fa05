//! Games in files of both formats: converted, drawn, replayed, annotated.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{fed, good, replay_in, run, text};
use serde_json::Value;
use tempfile::tempdir;

/// A file that Pentobi wrote.
fn pentobi(name: &str) -> PathBuf {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../records/tests/data");
    data.join(format!("pentobi_{name}.blksgf"))
}

fn duo() -> String {
    text(&pentobi("duo")).to_owned()
}

#[test]
fn pentobi_s_games_are_judged() {
    let judged = good(&["replay", &duo()]);
    assert_eq!(
        judged,
        "game 1 (line 1): 35 moves, cells 74:59, score -15:-30, both players passed\n"
    );
    let object: Value = serde_json::from_str(&good(&["replay", &duo(), "--json"])).unwrap();
    assert_eq!(object["plies"].as_array().unwrap().len(), 35);
    let classic = run(&["annotate", text(&pentobi("classic"))]);
    assert_eq!(classic.status, 2);
    assert!(classic.err.contains("not Blokus Duo"), "{}", classic.err);
}

#[test]
fn games_go_there_and_back() {
    let directory = tempdir().unwrap();
    for (name, variant) in [
        ("duo", "duo"),
        ("duo_w_first", "duo"),
        ("classic", "classic"),
    ] {
        let list = directory.path().join(format!("{name}.txt"));
        let back = directory.path().join(format!("{name}.blksgf"));
        let again = directory.path().join(format!("{name}.again.txt"));
        good(&["convert", text(&pentobi(name)), text(&list)]);
        good(&["convert", text(&list), text(&back), "--variant", variant]);
        good(&["convert", text(&back), text(&again)]);
        let [list, again] = [&list, &again].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(list, again, "{name}");
    }
}

#[test]
fn the_other_format_is_written_unless_something_else_is_asked_for() {
    let list = good(&["convert", &duo()]);
    assert_eq!(list.lines().count(), 1);
    let blksgf = fed(&list, &["convert", "-", "--ply", "2"]).out;
    assert!(
        blksgf.ends_with("\n;B[d9,c10,d10,e10,d11]\n;W[j5,i6,j6,k6,j7]\n)\n"),
        "{blksgf}"
    );
    assert_eq!(fed(&list, &["convert", "-", "--to", "list"]).out, list);
}

#[test]
fn pentobi_gets_a_file_for_each_game() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("cup.blksgf");
    let together = fed(
        "53e0\na8e0 0000\n55a0 aaa0\n",
        &["convert", "-", "--ply", "1"],
    );
    assert_eq!(together.status, 0, "{}", together.err);
    assert!(together.err.contains("--split"), "{}", together.err);
    let apart = fed(
        "53e0\n55a0 aaa0\n",
        &["convert", "-", text(&out), "--split"],
    );
    assert_eq!(apart.status, 0, "{}", apart.err);
    let second = fs::read_to_string(directory.path().join("cup-002.blksgf")).unwrap();
    assert!(second.contains(";B[e10]\n;W[j5]"), "{second}");
    assert!(!out.exists() && directory.path().join("cup-001.blksgf").exists());
    let nowhere = fed("53e0\n", &["convert", "-", "--split"]);
    assert_eq!(nowhere.status, 2);
}

/// Main line of two moves, a variation of the second one with a comment, and an unknown property.
const TREE: &str = "(;GM[Blokus Duo]PB[Ada];B[e10]ZZ[kept](;W[j5];B[f8,f9])(;W[j5,j6]C[or this]))";

#[test]
fn variations_are_kept_where_the_format_holds_them() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("tree.blksgf");
    let converted = fed(TREE, &["convert", "-", text(&out)]);
    assert_eq!(converted.status, 0, "{}", converted.err);
    let written = fs::read_to_string(&out).unwrap();
    let expected =
        "\nPB[Ada]\n;B[e10]ZZ[kept]\n(\n;W[j5]\n;B[f8,f9]\n)\n(\n;W[j5,j6]C[or this]\n)\n)\n";
    assert!(written.ends_with(expected), "{written}");
    let cut = fed(TREE, &["convert", "-", "--to", "blksgf", "--ply", "2"]).out;
    assert!(
        cut.contains("(\n;W[j5]\n)\n(\n;W[j5,j6]C[or this]\n)"),
        "{cut}"
    );
    let main = fed(TREE, &["convert", "-", "--to", "blksgf", "--main-line"]).out;
    assert!(
        main.ends_with("\n;B[e10]\n;W[j5]\n;B[f8,f9]\n)\n"),
        "{main}"
    );
    // A list holds the main line.
    let list = fed(TREE, &["convert", "-"]).out;
    assert_eq!(fed(&main, &["convert", "-"]).out, list);

    let judged = fed(TREE, &["replay", "-"]).out;
    assert!(
        judged.ends_with("\n  1 variation besides the main line\n"),
        "{judged}"
    );
    let object: Value = serde_json::from_str(&fed(TREE, &["replay", "-", "--json"]).out).unwrap();
    let nodes = object["tree"]["nodes"].as_array().unwrap();
    let codes: Vec<_> = nodes
        .iter()
        .filter_map(|node| node["code"].as_str())
        .collect();
    assert_eq!((nodes.len(), &codes[..2]), (5, &["55a0", "aaa0"][..]));
    assert_eq!(
        (&nodes[4]["parent"], &nodes[4]["comment"]),
        (&1.into(), &"or this".into())
    );
    assert_eq!(object["plies"].as_array().unwrap().len(), 3);
    let plain: Value = serde_json::from_str(&good(&["replay", &duo(), "--json"])).unwrap();
    assert_eq!(plain.get("tree"), None);

    // An illegal variation does not hinder the main line, and is not lost in silence.
    let illegal = TREE.replace("W[j5,j6]", "W[e10]");
    let refused = fed(&illegal, &["convert", "-", "--to", "blksgf"]);
    assert_eq!((refused.status, refused.out.as_str()), (1, ""));
    for part in ["line 1, column", "is illegal here", "--main-line"] {
        assert!(refused.err.contains(part), "{}", refused.err);
    }
    let main_only = fed(&illegal, &["convert", "-", "--to", "blksgf", "--main-line"]);
    assert_eq!((main_only.status, main_only.out), (0, main));
    let replayed = fed(&illegal, &["replay", "-"]);
    assert_eq!(replayed.status, 0);
    assert!(
        replayed.err.contains("variations are not shown"),
        "{}",
        replayed.err
    );
    let classic = "(;GM[Blokus];1[a20](;2[t20])(;2[t20,t19]))";
    let free = [
        "convert",
        "-",
        "--to",
        "blksgf",
        "--variant",
        "classic-free",
    ];
    let mixed = fed(classic, &free);
    assert_eq!(mixed.status, 2, "{}", mixed.err);
    assert!(
        mixed.err.contains("variations of `classic`"),
        "{}",
        mixed.err
    );
}

#[test]
fn illegal_games_go_into_lists_only() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("game.blksgf");
    let refused = fed("53e0 53e0\n", &["convert", "-", text(&out)]);
    assert_eq!((refused.status, refused.out.as_str()), (1, ""));
    assert!(
        refused
            .err
            .contains("game 1 (line 1): move 2, 53e0, is illegal"),
        "{}",
        refused.err
    );
    assert!(!out.exists());
    let list = fed("53e0 53e0\n", &["convert", "-", "--to", "list"]);
    assert_eq!((list.status, list.out.as_str()), (0, "53e0 53e0\n"));
}

/// Moves that the options leave out are not judged, neither in the main line nor in variations.
#[test]
fn illegal_moves_that_are_left_out_do_not_stop_a_conversion() {
    let bad = "(;GM[Blokus Duo];B[e10](;W[j5];B[f8,f9];W[e10])(;W[j5,j6];B[e10]))";
    let good = "(;GM[Blokus Duo];B[e10](;W[j5])(;W[j5,j6]))";
    let two = format!("{bad}\n{good}\n");
    let convert = |text: &str, options: &[&str]| {
        let run = fed(text, &[&["convert", "-", "--to=blksgf"], options].concat());
        (run.status, run.out)
    };
    for options in [
        &[][..],
        &["--game=1"],
        &["--game=1", "--ply=3"],
        &["--ply=3"],
    ] {
        assert_eq!(convert(&two, options), (1, String::new()), "{options:?}");
    }
    let (_, whole) = convert(good, &[]);
    assert!(
        whole.ends_with("\n;B[e10]\n(\n;W[j5]\n)\n(\n;W[j5,j6]\n)\n)\n"),
        "{whole}"
    );
    assert_eq!(convert(bad, &["--ply=2"]), (0, whole.clone()));
    assert_eq!(convert(&two, &["--game=2"]), (0, whole.clone()));
    assert_eq!(convert(&two, &["--ply=2"]), (0, whole.repeat(2)));
}

#[test]
fn broken_files_are_shown_with_their_place() {
    let broken = fed("(;GM[Blokus Duo]\n;B[e10,zz])", &["replay", "-"]);
    assert_eq!((broken.status, broken.out.as_str()), (2, ""));
    for part in ["duoforge::blksgf", "line 2, column 4", "'zz'", "help:"] {
        assert!(broken.err.contains(part), "{part}: {}", broken.err);
    }
    // A line of thousands of characters is not shown; the message names the column.
    let long = format!("(;GM[Blokus Duo]C[{}];B[zz])", "x".repeat(5_000));
    let long = fed(&long, &["replay", "-"]);
    assert_eq!(long.status, 2);
    assert!(
        long.err.len() < 1_000 && long.err.contains("column 5023"),
        "{}",
        long.err
    );
    let directory = tempdir().unwrap();
    let path = directory.path().join("latin.blksgf");
    fs::write(&path, b"(;GM[Blokus Duo]PB[M\xfcller])").unwrap();
    let latin = run(&["replay", text(&path)]);
    assert_eq!(latin.status, 2);
    assert!(
        latin.err.contains("byte 20") && latin.err.contains("UTF-8"),
        "{}",
        latin.err
    );
}

#[test]
fn any_position_of_a_file_is_drawn() {
    let drawn = good(&["show", "--file", &duo(), "--ply", "20", "--glyphs", "ascii"]);
    assert!(drawn.contains("after move 20"), "{drawn}");
    let picture = good(&["show", "--file", &duo(), "--ply", "2", "--svg", "-"]);
    assert!(picture.contains("Blokus Duo after 2 moves"));
    let wrong = run(&["show", "--file", &duo(), "--game", "2"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("expected 1 to 1"), "{}", wrong.err);
}

#[test]
fn annotations_by_simulations_are_repeatable() {
    let directory = tempdir().unwrap();
    let annotated = |name: &str| {
        let [svg, blksgf] =
            ["svg", "blksgf"].map(|kind| directory.path().join(format!("{name}.{kind}")));
        let arguments = [
            "annotate",
            &duo(),
            "--sims",
            "60",
            "--json",
            "--svg",
            text(&svg),
            "--blksgf",
            text(&blksgf),
        ];
        let out = good(&arguments);
        [
            out,
            fs::read_to_string(svg).unwrap(),
            fs::read_to_string(blksgf).unwrap(),
        ]
    };
    let first = annotated("first");
    let object: Value = serde_json::from_str(&first[0]).unwrap();
    assert_eq!(annotated("second"), first);
    let positions = object["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 36);
    let last = &positions[35];
    assert_eq!(
        (&last["chance"], &last["margin"]),
        (&1.0.into(), &15.0.into())
    );
    for position in positions {
        let chance = position["chance"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&chance), "{position}");
    }
    // The annotated file contains the same game.
    let list = good(&["convert", &duo()]);
    assert_eq!(fed(&first[2], &["convert", "-"]).out, list);
    assert!(
        first[2].contains("V[15]C[player 1: 100 %, margin +15.0, exact"),
        "{}",
        first[2]
    );
    assert_eq!(first[1].matches("<circle").count(), 36);
}

#[test]
fn a_replay_file_has_the_annotations_and_every_position() {
    let directory = tempdir().unwrap();
    let page = directory.path().join("game.html");
    let arguments = [
        "annotate",
        &duo(),
        "--sims",
        "20",
        "--json",
        "--html",
        text(&page),
    ];
    let object: Value = serde_json::from_str(&good(&arguments)).unwrap();
    let replay = replay_in(&fs::read_to_string(&page).unwrap());
    let game = &replay["games"][0];
    let positions = object["positions"].as_array().unwrap();
    assert_eq!(game["states"].as_array().unwrap().len(), positions.len());
    for (ply, position) in positions.iter().enumerate() {
        for key in ["chance", "margin", "exact"] {
            assert_eq!(
                game["evaluations"][ply][key], position[key],
                "{key} of ply {ply}"
            );
        }
        let Some(index) = ply.checked_sub(1) else {
            continue;
        };
        let shown = &game["moves"][index];
        assert_eq!(
            (&shown["code"], &shown["better"]),
            (&position["move"], &position["better"])
        );
        assert_eq!(shown["lost"], position["lost"]);
    }
    let last = positions.len() - 1;
    assert_eq!(game["states"][last]["board"], object["state"]["board"]);
    let comment = game["comment"].as_str().unwrap();
    assert!(comment.contains("20 simulations per position"), "{comment}");

    // A refused move comes after the last one.
    let refused = fed(
        "53e0 a8e0 53e0\n",
        &["annotate", "-", "--sims", "9", "--html", "-"],
    );
    assert_eq!(refused.status, 1);
    let game = &replay_in(&refused.out)["games"][0];
    assert_eq!(
        (&game["ply"], &game["refused"]["code"]),
        (&2.into(), &"53e0".into())
    );
    assert_eq!(game["refused"]["reason"], "tile e has been placed before");
    assert_eq!(game["result"]["winners"], serde_json::json!([1]));
}

#[test]
fn annotations_stop_before_illegal_moves() {
    let table = fed("53e0 a8e0 53e0\n", &["annotate", "-", "--sims", "20"]);
    assert_eq!(table.status, 1);
    assert!(table.err.contains("move 3"), "{}", table.err);
    assert_eq!(table.out.lines().count(), 1 + 3 + 1, "{}", table.out);
    let both = fed("53e0\n", &["annotate", "-", "--json", "--svg", "-"]);
    assert_eq!(both.status, 2);
}

/// A file without games is an error of the commands that need one.
#[test]
fn files_without_games_are_refused() {
    let directory = tempdir().unwrap();
    let empty = directory.path().join("empty.txt");
    fs::write(&empty, "# no game\n").unwrap();
    for command in ["annotate", "analyse", "replay"] {
        let option = if command == "analyse" { "--file" } else { "--" };
        for number in [None, Some("--game=1")] {
            let mut words = vec![command];
            words.extend(number);
            words.extend([option, text(&empty)]);
            let refused = run(&words);
            assert_eq!(refused.status, 2, "{words:?}: {}", refused.out);
            let shown = refused.err.replace("\n  │ ", " ");
            assert!(shown.contains("empty.txt contains no games"), "{shown}");
        }
    }
    // The output remains as it was.
    let out = directory.path().join("out.blksgf");
    fs::write(&out, "kept").unwrap();
    for options in [&[][..], &["--game=1"], &["--to=list"], &["--split"]] {
        let refused = run(&[&["convert", text(&empty), text(&out)], options].concat());
        assert_eq!(refused.status, 2, "{options:?}: {}", refused.out);
        let shown = refused.err.replace("\n  │ ", " ");
        assert!(shown.contains("empty.txt contains no games"), "{shown}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "kept");
    }
}
