//! Server of the Go Text Protocol in a separate process.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{fed, good, run};
use duoforge_gtp::Client;
use duoforge_rules::{DuoBoard, Notation};

const PROGRAM: &str = env!("CARGO_BIN_EXE_duoforge");

/// Far more time than a response takes on a busy machine.
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
    let mut engines = [client(&["pattern"]), client(&["random", "--seed", "7"])];
    let names = engines
        .each_mut()
        .map(|engine| engine.send("name", LONG).unwrap());
    assert_eq!(names, ["duoforge pattern", "duoforge random"]);
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

/// Referee, link, client, pipe and server change no move.
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
    let outside = format!("gtp:{PROGRAM} engine pattern");
    let expected = list("pattern", "random:3");
    assert_eq!(list(&outside, "random:3"), expected);
    let random = format!("gtp:{PROGRAM} engine random --seed 3");
    assert_eq!(list("pattern", &random), expected);
}

/// Asks the player `engine` for the first moves of a game, as both colours.
fn first_moves(client: &mut Client, moves: usize) -> Vec<String> {
    client.send("clear_board", LONG).unwrap();
    let colours = ["b", "w"].into_iter().cycle().take(moves);
    let genmove = |colour| client.send(&format!("genmove {colour}"), LONG).unwrap();
    colours.map(genmove).collect()
}

#[test]
fn the_engine_is_served_by_default_and_has_parameters() {
    let mut engine = client(&[]);
    let mut send = |command: &str| engine.send(command, LONG);
    assert_eq!(send("name").unwrap(), "duoforge engine");
    assert!(send("get_value").is_err());
    for command in ["param sims 200", "param threads 1", "param memory 64"] {
        assert_eq!(send(command).unwrap(), "");
    }
    let parameters = send("param").unwrap();
    for line in [
        "sims 200",
        "threads 1",
        "memory 64",
        "seed 1",
        "voluntary_pass 0",
        "prior_network 1",
    ] {
        assert!(
            parameters.lines().any(|l| l == line),
            "{line}: {parameters}"
        );
    }
    for (command, answer) in [
        (
            "param lanes 2",
            "unknown key `lanes`; expected one of sims, ms, level,",
        ),
        ("param threads 0", "threads=0 is out of range"),
    ] {
        let error = send(command).unwrap_err().to_string();
        assert!(error.contains(answer), "{error}");
    }
    let moves = first_moves(&mut engine, 4);
    let value: f64 = engine.send("get_value", LONG).unwrap().parse().unwrap();
    assert!((0.0..=1.0).contains(&value));
    // Values of the last search, the best move first; the visits include those of the reused tree.
    let list = engine.send("move_values", LONG).unwrap();
    let (values, cells) = list.lines().next().unwrap().split_once(']').unwrap();
    assert_eq!(cells, moves[3]);
    let values: Vec<&str> = values.split(' ').collect();
    let [visits, count, value, tile] = values[..] else {
        panic!("{list}");
    };
    assert_eq!(format!("{visits}.0"), count);
    assert!(
        (0.0..=1.0).contains(&value.parse::<f64>().unwrap()),
        "{list}"
    );
    assert!(tile.starts_with('['), "{list}");
    let visits = |line: &str| line.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert!(list.lines().map(visits).sum::<u32>() >= 200, "{list}");
    // A game does not depend on the previous one.
    assert_eq!(first_moves(&mut engine, 4), moves);
    let mut other = client(&["engine:sims=200,threads=1"]);
    assert_eq!(first_moves(&mut other, 4), moves);
    other.send("set_random_seed 2", LONG).unwrap();
    assert_ne!(first_moves(&mut other, 4), moves);
}

#[test]
fn every_listed_command_is_known_to_the_engine() {
    let mut engine = client(&["engine:sims=10,threads=1"]);
    let list = engine.send("list_commands", LONG).unwrap();
    for command in list.lines().filter(|command| *command != "quit") {
        let known = engine.send(&format!("known_command {command}"), LONG);
        assert_eq!(known.unwrap(), "true");
        // Without its arguments it may be refused, but not as unknown.
        if let Err(error) = engine.send(command, LONG) {
            assert!(!error.to_string().contains("unknown command"), "{error}");
        }
    }
}

#[test]
fn the_engine_plays_a_match_and_wins() {
    let player = "engine:sims=200,threads=1,endgame_nodes=2000";
    let arguments = ["match", player, "random:3", "--json", "--limit", "60s"];
    let game = run(&arguments).json()[0].clone();
    assert_eq!(game["names"][0], player, "{game}");
    assert_eq!(game["winner"], 1, "{game}");
}

/// A time control replaces the earlier limit: a game of 2 s ends soon.
#[test]
fn a_clock_is_shared_out_over_the_game() {
    let mut engine = client(&["engine:ms=600000"]);
    engine.send("time_settings 2 0 0", LONG).unwrap();
    let moves = first_moves(&mut engine, 44);
    assert!(
        moves.ends_with(&["pass".to_owned(), "pass".to_owned()]),
        "{moves:?}"
    );
    // The times of the controller take precedence.
    engine.send("clear_board", LONG).unwrap();
    engine.send("time_left b 600000 0", LONG).unwrap();
    engine.send("time_left b 1 5", LONG).unwrap();
    engine.send("genmove b", LONG).unwrap();
}

#[test]
fn engines_play_by_the_rules_from_both_start_cells_and_in_both_turns() {
    let one = format!("gtp:{PROGRAM} engine engine:sims=100,endgame_nodes=2000");
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
    for part in ["duoforge::engine", "cannot be started", "is executable"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let dumb = run(&["match", "twin", "gtp:sh -c 'echo who are you'"]);
    assert_eq!(dumb.status, 2);
    for part in ["duoforge::engine", "who are you", "list_commands"] {
        assert!(dumb.err.contains(part), "{part}: {}", dumb.err);
    }
    let empty = run(&["match", "gtp:", "twin"]);
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("not a command line"), "{}", empty.err);
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
