//! Reference tables, with the engine for processors as the reference engine in another process.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use duoforge_lab::reference::split::Split;
use duoforge_lab::reference::table::Table;
use duoforge_lab::reference::{compare, evaluate, positions};
use duoforge_lab::training_games::Plan;

const ENGINE: &str = concat!(
    "gtp:",
    env!("CARGO_BIN_EXE_duoforge"),
    " engine engine:sims=2000,threads=1,reuse_tree=0,early_stop=0,endgame_mobility=0"
);

/// Writes games and 12 positions of them.
fn prepare(directory: &Path) {
    let plan = Plan {
        players: ["pattern", "pattern"].map(|text| text.parse().expect("a player")),
        games: 12,
        drawn: 3,
        seed: 1,
    };
    let mut lines = String::new();
    let played = plan.play(
        0..plan.games,
        |_, game| {
            lines += &serde_json::to_string(&game)?;
            lines.push('\n');
            Ok(())
        },
        || false,
    );
    played.expect("games");
    fs::write(directory.join("games"), lines).expect("a file");
    let chosen = positions::run(&positions::Args {
        files: vec![directory.join("games")],
        count: None,
        max_ply: 14,
        seed: 1,
        exclude: Vec::new(),
        out: directory.join("positions"),
    });
    chosen.expect("positions");
}

fn evaluation(directory: &Path, out: &str, shard: &str) -> evaluate::Args {
    evaluate::Args {
        positions: directory.join("positions"),
        engine: ENGINE.parse().expect("an engine"),
        out: directory.join(out),
        min_visits: 20,
        seed: 1,
        shard: shard.parse().expect("a shard"),
        count: None,
    }
}

#[test]
fn tables_grow_in_parts_and_do_not_depend_on_them() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    prepare(directory.path());
    let run = |out: &str, shard: &str, count| {
        let args = evaluate::Args {
            count,
            ..evaluation(directory.path(), out, shard)
        };
        evaluate::run(&args, || false)
    };
    run("whole", "0/1", None).expect("a table");
    // The second shard is interrupted twice; the second time it was about to write a line.
    run("one", "0/2", None).expect("a table");
    run("two", "1/2", Some(2)).expect("a table");
    let text = fs::read_to_string(path("two")).expect("a file");
    fs::write(path("two"), format!("{text}{{\"ply\":")).expect("a file");
    run("two", "1/2", None).expect("a table");
    let read = |names: &[&str]| {
        let table = Table::read(&names.iter().map(|name| path(name)).collect::<Vec<_>>());
        table.map(|table| {
            let mut entries: Vec<_> = table
                .entries
                .iter()
                .map(|entry| (entry.board.moves().to_vec(), entry.placements.clone()))
                .collect();
            entries.sort_by_cached_key(|entry| {
                entry.0.iter().map(ToString::to_string).collect::<Vec<_>>()
            });
            entries
        })
    };
    let whole = read(&["whole"]).expect("a table");
    assert_eq!(whole.len(), 12);
    assert_eq!(read(&["one", "two"]).expect("a table"), whole);
    let both = ["one", "two"].map(|name| fs::read_to_string(path(name)).expect("a file"));
    fs::write(path("both"), both.concat()).expect("a file");
    assert_eq!(read(&["both"]).expect("a table"), whole);
    let error = read(&["one", "both"]).expect_err("doubles").to_string();
    assert!(error.contains("occurs twice"), "{error}");
    // Another recipe, and positions of another shard.
    let other = evaluate::Args {
        seed: 2,
        ..evaluation(directory.path(), "whole", "0/1")
    };
    let error = evaluate::run(&other, || false).expect_err("another recipe");
    assert!(error.to_string().contains("other settings"), "{error}");
    let error = run("one", "1/2", None).expect_err("another shard");
    assert!(error.to_string().contains("not in shard 1/2"), "{error}");
}

#[test]
fn the_engine_has_no_regret_and_unlisted_choices_are_evaluated() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    prepare(directory.path());
    let args = evaluation(directory.path(), "table", "0/1");
    evaluate::run(&args, || false).expect("a table");
    let path = |name: &str| directory.path().join(name);
    let compare = |searches: &[&str], reference: bool| {
        let args = compare::Args {
            table: path("table"),
            searches: searches
                .iter()
                .map(|text| text.parse().expect("a search"))
                .collect(),
            more: Vec::new(),
            split: Split::Training,
            all: true,
            count: None,
            jobs: 2,
            seed: 1,
            min_visits: 20,
            supplement: (reference || path("supplement").exists()).then(|| path("supplement")),
            reference: reference.then(|| ENGINE.parse().expect("an engine")),
            choices: Some(path("choices")),
            json: None,
        };
        compare::rows(&args, || false).expect("rows")
    };
    let rows = compare(&[ENGINE, "random"], false);
    let cells = |row: &str| -> Vec<String> {
        let cells = row.split('|').map(|cell| cell.trim().to_owned());
        cells.collect()
    };
    let (engine, random) = (cells(&rows[0]), cells(&rows[1]));
    // Equal seeds: the engine chooses what the table lists first.
    assert_eq!(engine[2], "0.0000 +- 0.0000", "{rows:?}");
    assert_eq!((engine[5].as_str(), engine[6].as_str()), ("1.000", "0"));
    assert!(random[3].starts_with('-'), "{rows:?}");
    assert_ne!(random[6], "0", "{rows:?}");
    // The second run takes the choices from their file.
    let again = compare(&["random"], true);
    assert_eq!(cells(&again[0])[6], random[6]);
    assert!(path("supplement").exists());
    assert_eq!(compare(&["random"], false), again);
}
