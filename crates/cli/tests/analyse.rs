//! Positions analysed on the command line.

mod common;

use std::fs;

use common::{fed, good, run, text};
use duoforge_rules::{DuoBoard, Move};
use duoforge_tests::data;
use serde_json::Value;
use tempfile::tempdir;

const EXAMPLE: &str = "53e0 a8e0 21k7 94j0 61a0 71b3";

/// Runs an analysis with one thread and removes its time, which differs from run to run.
fn analysis(arguments: &[&str]) -> Value {
    let fixed = ["analyse", "--json", "--threads", "1"];
    let arguments: Vec<_> = fixed.iter().chain(arguments).copied().collect();
    let mut object: Value = serde_json::from_str(&good(&arguments)).unwrap();
    assert!(object["seconds"].take().as_f64().unwrap() > 0.0);
    object
}

#[test]
fn the_best_moves_come_with_visits_values_and_lines() {
    let object = analysis(&["--sims", "600", "--top", "0", EXAMPLE]);
    assert_eq!(object["ply"], 6);
    assert_eq!(object["to_move"], 1);
    assert_eq!(object["simulations"], 600);
    assert_eq!(
        (&object["full"], &object["exact"]),
        (&Value::from(false), &Value::Null)
    );
    let moves = object["moves"].as_array().unwrap();
    assert_eq!(object["best"], moves[0]["move"]);
    let visits: Vec<_> = moves
        .iter()
        .map(|row| row["visits"].as_u64().unwrap())
        .collect();
    // The best comes first, the others by visit count.
    assert!(visits[1..].is_sorted_by(|a, b| a >= b));
    assert_eq!(visits.iter().sum::<u64>(), 600);
    let mut board = DuoBoard::duo();
    for code in EXAMPLE.split(' ') {
        board.play(code.parse().unwrap()).unwrap();
    }
    for row in moves {
        let share = |key: &str| (0.0..=1.0).contains(&row[key].as_f64().unwrap());
        assert!(share("value") && share("prior"), "{row}");
        assert_eq!(row["wins"].is_null(), row["visits"] == 0, "{row}");
        assert_eq!(row["margin"].is_null(), row["visits"] == 0, "{row}");
        let mut after = board.clone();
        let line = row["line"].as_array().unwrap();
        for code in [&row["move"]].into_iter().chain(line) {
            after.play(code.as_str().unwrap().parse().unwrap()).unwrap();
        }
    }
    assert!(!moves[0]["line"].as_array().unwrap().is_empty());
}

#[test]
fn one_thread_and_a_number_of_simulations_are_repeatable() {
    let think = |seed| analysis(&["--sims", "400", "--seed", seed, "53e0", "a8e0"]);
    assert_eq!(think("1"), think("1"));
    assert_ne!(think("1"), think("2"));
}

#[test]
fn several_threads_think_for_a_time() {
    let arguments = ["analyse", "--ms", "80", "--threads", "3", "--json"];
    let object: Value = serde_json::from_str(&good(&arguments)).unwrap();
    assert_eq!(
        (
            &object["threads"],
            object["moves"].as_array().unwrap().len()
        ),
        (&3.into(), 10)
    );
    assert!(object["seconds"].as_f64().unwrap() >= 0.08);
}

#[test]
fn people_read_a_table() {
    let out = good(&["analyse", "--sims", "300", "--top", "2", "53e0"]);
    let lines: Vec<_> = out.lines().collect();
    assert!(
        lines[0].starts_with("player 2 to move, 414 legal; best "),
        "{out}"
    );
    assert!(lines[1].starts_with("300 simulations in "), "{out}");
    assert!(lines[2].starts_with("move       visits  value"), "{out}");
    assert_eq!(lines.len(), 5);
    assert!(lines[3].contains(" %  ") && lines[3].starts_with(&lines[0][lines[0].len() - 4..]));
}

/// The results of the last moves of recorded games are known from playing them.
#[test]
fn the_end_is_exact() {
    let mut finals = 0;
    for game in data::random_games().iter().take(20) {
        let mut board = DuoBoard::duo();
        let moves: Vec<Move> = game
            .moves
            .iter()
            .map(|code| code.parse().unwrap())
            .collect();
        let last = moves.iter().rposition(|mv| *mv != Move::Pass).unwrap();
        for mv in &moves[..last] {
            board.play(*mv).unwrap();
        }
        let codes = game.moves[..last].join(" ");
        let object = analysis(&["--sims", "10", &codes]);
        let exact = &object["exact"];
        if exact.is_null() {
            continue;
        }
        assert_eq!(object["best"], exact["move"]);
        // The recorded move and two passes are one continuation.
        let player = board.to_move();
        board.play(moves[last]).unwrap();
        let margin = board.score(player) - board.score(player.opponent());
        let opponent_is_blocked = !board.has_legal();
        if exact["final"] == true && opponent_is_blocked {
            finals += 1;
            assert!(
                exact["margin"].as_i64().unwrap() >= margin.into(),
                "{codes}"
            );
        }
    }
    assert!(finals > 2, "{finals}");
}

#[test]
fn games_of_a_list_are_analysed_at_any_ply() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("games.txt");
    fs::write(&path, format!("# two games\n{EXAMPLE}\n53e0 a8e0\n")).unwrap();
    let listed = |more: &[&str]| {
        let fixed = ["--sims", "50", "--list", text(&path)];
        let arguments: Vec<_> = fixed.iter().chain(more).copied().collect();
        analysis(&arguments)
    };
    let whole = analysis(&["--sims", "50", EXAMPLE]);
    assert_eq!(listed(&["--game", "1"]), whole);
    assert_eq!(
        listed(&["--game", "1", "--ply", "2"]),
        listed(&["--game", "2"])
    );
    let several = run(&["analyse", "--list", text(&path)]);
    assert_eq!((several.status, several.out.as_str()), (2, ""));
    for part in ["duoforge::usage", "contains 2 games", "--game N"] {
        assert!(several.err.contains(part), "{part}: {}", several.err);
    }
    let none = run(&["analyse", "--list", text(&path), "--game", "3"]);
    assert_eq!(none.status, 2);
    let piped = fed(
        EXAMPLE,
        &["analyse", "--list", "-", "--sims", "5", "--json"],
    );
    assert_eq!(
        (piped.status, piped.json()[0]["ply"].as_u64()),
        (0, Some(6))
    );
}

#[test]
fn ends_of_games_and_wrong_use_are_told() {
    let over = ["53e0", "a8e0", "0000", "0000"];
    let arguments: Vec<_> = ["analyse"].into_iter().chain(over).collect();
    assert_eq!(good(&arguments), "both players passed\n");
    let arguments: Vec<_> = ["analyse", "--json"].into_iter().chain(over).collect();
    let object: Value = serde_json::from_str(&good(&arguments)).unwrap();
    assert_eq!(
        (&object["to_move"], &object["best"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(object["moves"], Value::Array(Vec::new()));
    let illegal = run(&["analyse", "53e0", "53e0"]);
    assert_eq!((illegal.status, illegal.out.as_str()), (1, ""));
    assert!(illegal.err.contains("move 2"), "{}", illegal.err);
    let broken = run(&["analyse", "53e"]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("duoforge::list") && broken.err.contains("help:"));
    for wrong in [
        ["--threads", "0"],
        ["--memory", "0"],
        ["--sims", "x"],
        ["--game", "1"],
    ] {
        let run = run(&["analyse", wrong[0], wrong[1]]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{wrong:?}");
    }
    assert!(good(&["man", "analyse"]).contains("simulations"));
}
