//! The player behind the Go Text Protocol, in a process of its own.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{fed, good, run};
use duoforge_gtp::{Client, Notation};
use duoforge_rules::DuoBoard;

const PROGRAM: &str = env!("CARGO_BIN_EXE_duoforge");

/// Far more than an answer takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn client(arguments: &[&str]) -> Client {
    let words: Vec<String> = [PROGRAM, "engine"]
        .iter()
        .chain(arguments)
        .map(|&word| word.to_owned())
        .collect();
    Client::start(&words).unwrap()
}

#[test]
fn a_game_is_played_over_pipes() {
    let mut engines = [client(&[]), client(&["random", "--seed", "7"])];
    let names = engines
        .each_mut()
        .map(|engine| engine.send("name", LONG).unwrap());
    assert_eq!(names, ["duoforge engine", "duoforge random"]);
    let mut board = DuoBoard::duo();
    while !board.is_over() {
        let (colour, turn) = [("b", 0), ("w", 1)][board.ply() % 2];
        let answer = engines[turn]
            .send(&format!("genmove {colour}"), LONG)
            .unwrap();
        let told = engines[1 - turn].send(&format!("play {colour} {answer}"), LONG);
        assert_eq!(told.unwrap(), "");
        board.play(Notation::DUO.read(&answer).unwrap()).unwrap();
    }
    let scores = engines
        .each_mut()
        .map(|engine| engine.send("final_score", LONG).unwrap());
    assert_eq!(scores[0], scores[1]);
    assert!(scores[0].starts_with("B+"), "{}", scores[0]);
}

#[test]
fn the_seed_decides_random_moves() {
    let first = |arguments: &[&str]| client(arguments).send("genmove b", LONG).unwrap();
    assert_eq!(
        first(&["random", "--seed", "3"]),
        first(&["random", "--seed", "3"])
    );
    assert_ne!(
        first(&["random", "--seed", "3"]),
        first(&["random", "--seed", "4"])
    );
    let mut again = client(&["random", "--seed", "4"]);
    again.send("set_random_seed 3", LONG).unwrap();
    assert_eq!(
        again.send("genmove b", LONG).unwrap(),
        first(&["random", "--seed", "3"])
    );
}

#[test]
fn the_answers_go_to_standard_output_and_nothing_else_does() {
    let run = fed(
        "# hello\n\n7 protocol_version\nfly\nplay b a1\nquit\nname\n",
        &["engine"],
    );
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(
        run.out
            .starts_with("=7 2\n\n? unknown command (fly)\n\n? illegal move"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("\n\n= \n\n"), "{}", run.out);
    assert_eq!(run.out.matches("\n\n").count(), 4);
}

/// The referee, the line, the client, the pipe and the server in between change no move.
#[test]
fn an_engine_in_another_process_plays_as_the_one_in_this() {
    let list = |one: &str, two: &str| {
        let arguments = ["match", one, two, "--json", "--limit", "60s"];
        let run = run(&arguments);
        assert_eq!(run.status, 0, "{}", run.err);
        let game = run.json()[0].clone();
        let plies = game["plies"].as_array().unwrap().clone();
        plies
            .iter()
            .map(|ply| ply["code"].to_string())
            .collect::<Vec<_>>()
    };
    let outside = format!("gtp:{PROGRAM} engine");
    let expected = list("engine", "random:3");
    assert_eq!(list(&outside, "random:3"), expected);
    let random = format!("gtp:{PROGRAM} engine random --seed 3");
    assert_eq!(list("engine", &random), expected);
}

#[test]
fn engines_play_by_the_rules_from_both_start_cells_and_in_both_turns() {
    let one = format!("gtp:{PROGRAM} engine");
    let two = format!("gtp:{PROGRAM} engine random --seed 5");
    let out = good(&[
        "match",
        &one,
        &two,
        "--games",
        "4",
        "--first",
        "alternate",
        "--start",
        "alternate",
        "--limit",
        "60s",
    ]);
    assert!(out.contains("game 4: "), "{out}");
}

#[test]
fn engines_that_cannot_be_opened_are_failures_with_help() {
    let missing = run(&["match", "gtp:/no/such/engine", "twin"]);
    assert_eq!((missing.status, missing.out.as_str()), (2, ""));
    // The text is wrapped to the width of the terminal.
    let words: Vec<_> = missing.err.split_whitespace().collect();
    let text = words.join(" ");
    for part in [
        "duoforge::engine",
        "cannot be started",
        "may it be executed",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let dumb = run(&["match", "twin", "gtp:sh -c 'echo who are you'"]);
    assert_eq!(dumb.status, 2);
    for part in ["duoforge::engine", "who are you", "list_commands"] {
        assert!(dumb.err.contains(part), "{part}: {}", dumb.err);
    }
    let empty = run(&["match", "gtp:", "twin"]);
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("no command line"), "{}", empty.err);
    let line = run(&["engine", "twin"]);
    assert_eq!(line.status, 2);
    assert!(
        line.err.contains("cannot be asked for moves"),
        "{}",
        line.err
    );
}

#[test]
fn help_and_manual_tell_of_the_engine() {
    assert!(good(&["--help"]).contains("Serve a player"));
    assert!(good(&["engine", "--help"]).contains("Go Text Protocol"));
    assert!(good(&["man", "engine"]).contains("twogtp"));
    assert!(good(&["completions", "bash"]).contains("duoforge__subcmd__engine"));
}
