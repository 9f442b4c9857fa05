//! Table tests: the responses and errors of each command, and the client's messages for faults of
//! an engine.

mod common;

use std::io;
use std::time::Duration;

use common::{First, answers_of};
use duoforge_gtp::{ClientError, GtpEngine, TimeSettings, serve};
use duoforge_rules::{Colour, DuoBoard, Move};

/// Returns the last response; all others must succeed.
fn last(input: &str) -> String {
    let mut answers = answers_of(&mut First::default(), input.as_bytes());
    let last = answers.pop().unwrap();
    assert!(
        answers.iter().all(|answer| answer.starts_with('=')),
        "{answers:?}"
    );
    last
}

#[test]
fn each_command_answers_as_its_specification_says() {
    for (input, answer) in [
        ("protocol_version", "= 2"),
        ("name", "= first"),
        ("version", "= 1.2"),
        ("known_command genmove", "= true"),
        ("known_command Genmove", "= false"),
        ("quit", "= "),
        ("set_game Blokus Duo", "= "),
        ("boardsize 14", "= "),
        ("clear_board", "= "),
        ("play b e10", "= "),
        ("p e10", "= "),
        ("p pass", "= "),
        ("final_score", "= 0"),
        ("play b e10\nfinal_score", "= B+1"),
        ("play b e10\nplay w j5,j6\nfinal_score", "= W+1"),
        ("play b e10,e9\nplay w j5,j6,j7\nfinal_score", "= W+1"),
        ("play b e10\nundo\nfinal_score", "= 0"),
        ("param", "= level 0"),
        ("param level 7\nparam", "= level 7"),
        ("param level 7\nget_value", "= 0.250000"),
        ("move_values", "= "),
        ("set_random_seed 18446744073709551615", "= "),
        ("time_settings 0 0 0", "= "),
        ("time_left b 0.5 0", "= "),
        ("12 name", "=12 first"),
        ("0 name", "=0 first"),
    ] {
        assert_eq!(last(input), answer, "{input}");
    }
}

#[test]
fn each_refusal_names_what_is_wrong() {
    let long = "x".repeat(41);
    let short = "x".repeat(40);
    for (input, answer) in [
        ("fly", "? unknown command (fly)"),
        ("9 fly away", "?9 unknown command (fly)"),
        (&long, &*format!("? unknown command ({short})")),
        ("5", "?5 a command is missing"),
        ("name x", "? wrong number of arguments for name"),
        ("play b", "? wrong number of arguments for play"),
        ("genmove", "? wrong number of arguments for genmove"),
        ("g b", "? wrong number of arguments for g"),
        ("boardsize", "? wrong number of arguments for boardsize"),
        ("set_game", "? wrong number of arguments for set_game"),
        ("set_game Blokus", "? the only game is Blokus Duo"),
        ("set_game Blokus Duo Duo", "? the only game is Blokus Duo"),
        ("boardsize 20", "? unacceptable size"),
        ("boardsize 014", "? unacceptable size"),
        ("undo", "? cannot undo"),
        ("get_value", "? no value is known"),
        ("genmove x", "? 'x' is not a colour, b or w"),
        ("reg_genmove 3", "? '3' is not a colour, b or w"),
        ("all_legal blau", "? 'blau' is not a colour, b or w"),
        ("play x e10", "? 'x' is not a colour, b or w"),
        (
            "play b e15",
            "? 'e15' names no cell of a board of 14x14 cells",
        ),
        (
            "play b o1",
            "? 'o1' names no cell of a board of 14x14 cells",
        ),
        ("play b a1,a1", "? the cell a1 is named twice"),
        ("play b a1,c1", "? the cells a1,c1 are not a tile"),
        (
            "play b a1",
            "? illegal move: a colour's first tile must cover the start cell 55",
        ),
        (
            "play w e10",
            "? illegal move: a colour's first tile must cover the start cell aa",
        ),
        (
            "play b e10\nplay b d9,d10",
            "? illegal move: at cell 45 the tile touches the edge of a tile of the same colour",
        ),
        (
            "play b e10\nplay w e10",
            "? illegal move: cell 55 is occupied",
        ),
        (
            "play b e10\nplay b e10",
            "? illegal move: tile a has been placed before",
        ),
        ("param depth 3", "? unknown parameter depth"),
        ("param level x", "? no number"),
        ("set_random_seed -1", "? '-1' is not a number"),
        ("time_settings x 1 1", "? 'x' is not a time in seconds"),
        ("time_settings 1 -1 1", "? '-1' is not a time in seconds"),
        ("time_settings 1 1 1.5", "? '1.5' is not a number"),
        ("time_left b nan 1", "? 'nan' is not a time in seconds"),
        ("time_left b 1 x", "? 'x' is not a number"),
        ("time_left red 1 1", "? 'red' is not a colour, b or w"),
    ] {
        assert_eq!(last(input), answer, "{input}");
    }
}

/// Engine that implements only the required functions.
struct Bare;

impl GtpEngine for Bare {
    fn name(&self) -> &str {
        "bare"
    }

    fn version(&self) -> &str {
        "0"
    }

    fn choose(&mut self, _board: &DuoBoard) -> Result<Move, String> {
        Ok(Move::Pass)
    }
}

#[test]
fn an_engine_without_extras_has_their_defaults() {
    assert!(
        Bare.parameters().is_empty() && Bare.move_values().is_empty() && Bare.value().is_none()
    );
    for (input, answer) in [
        ("param", "= "),
        ("param level 1", "? unknown parameter level"),
        ("get_value", "? no value is known"),
        ("move_values", "= "),
        ("set_random_seed 1", "= "),
        ("time_settings 1 1 1", "= "),
        ("time_left b 1 1", "= "),
        ("clear_board", "= "),
    ] {
        let mut output = Vec::new();
        serve(&mut Bare, input.as_bytes(), &mut output).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            format!("{answer}\n\n"),
            "{input}"
        );
    }
}

#[test]
fn times_and_players_reach_the_engine_in_their_places() {
    let mut engine = First::default();
    answers_of(
        &mut engine,
        b"time_settings 1.5 2.5 7\ntime_left b 3.25 9\n",
    );
    let settings = TimeSettings {
        main: Duration::from_millis(1_500),
        period: Duration::from_millis(2_500),
        moves: 7,
    };
    assert_eq!(engine.settings, Some(settings));
    let left = (Colour(0), Duration::from_millis(3_250), 9);
    assert_eq!(engine.left, Some(left));
    // Each of three commands starts a game.
    let mut engine = First::default();
    answers_of(
        &mut engine,
        b"clear_board\nboardsize 14\nset_game Blokus Duo\nboardsize 13\n",
    );
    assert_eq!(engine.begun, 3);
}

#[test]
fn a_board_is_shown_cell_by_cell() {
    let shown = last("play b e10\nplay w j5,j6\nshowboard");
    let lines: Vec<&str> = shown.lines().collect();
    let columns = "   A B C D E F G H I J K L M N";
    assert_eq!((lines.len(), lines[0]), (1 + 16 + 2, "= "));
    assert_eq!((lines[1], lines[16]), (columns, columns));
    for (y, line) in lines[2..16].iter().enumerate() {
        let row = 14 - y;
        let cells: String = (0..14)
            .map(|x| match (x, row) {
                (4, 10) => " X",
                (9, 5 | 6) => " O",
                _ => " .",
            })
            .collect();
        assert_eq!(*line, format!("{row:>2}{cells} {row}"));
    }
    assert_eq!(
        lines[17],
        "X (b): 1 cells, tiles left: bcdefghijklmnopqrstu"
    );
    assert_eq!(
        lines[18],
        "O (w): 2 cells, tiles left: acdefghijklmnopqrstu"
    );
    // Start cells are marked while they are free.
    let shown = last("showboard");
    assert_eq!(shown.matches('+').count(), 2);
    assert!(
        shown.contains("10 . . . . + . . . . . . . . . 10"),
        "{shown}"
    );
    assert!(
        shown.contains(" 5 . . . . . . . . . + . . . . 5"),
        "{shown}"
    );
}

#[test]
fn undo_takes_back_what_a_command_did() {
    // A move out of turn is two plies, but one command.
    assert_eq!(
        last("play b e10\nplay b d8,d9\nundo\nundo\nundo"),
        "? cannot undo"
    );
    let all = |input: &str| last(&format!("{input}\nall_legal w")).lines().count();
    let fresh = all("clear_board");
    assert_eq!(fresh, 414);
    assert_eq!(all("play b e10\nplay b f9,f8\nundo\nundo"), fresh);
    assert!(last("play b e10\nplay b f9,f8\nundo\nplay w j5\nfinal_score") == "= 0");
    // `reg_genmove` does not change the board.
    assert_eq!(last("reg_genmove b\nfinal_score"), "= 0");
    assert_eq!(last("reg_genmove b\nundo"), "? cannot undo");
    assert!(last("genmove b\nfinal_score").starts_with("= B+"));
    assert!(last("g\ng\nundo\nfinal_score").starts_with("= B+"));
    assert!(last("genmove w\nfinal_score").starts_with("= W+"));
}

#[test]
fn a_controller_says_what_an_engine_did() {
    let (program, command) = ("engine".to_owned(), "genmove b".to_owned());
    let said = "\n  a line\nanother\n".to_owned();
    for (error, text) in [
        (
            ClientError::NoCommand,
            "the command line of the engine is empty",
        ),
        (
            ClientError::Start {
                program: program.clone(),
                source: io::Error::other("why"),
            },
            "engine cannot be started: why",
        ),
        (
            ClientError::Died {
                program: program.clone(),
                command: command.clone(),
                status: "exit status: 3".to_owned(),
                tail: said.clone(),
            },
            "engine ended at 'genmove b' with exit status: 3; its last output was:\na line\nanother",
        ),
        (
            ClientError::Timeout {
                program: program.clone(),
                command: command.clone(),
                limit: Duration::from_millis(1_500),
                tail: " \n".to_owned(),
            },
            "engine did not answer 'genmove b' within 1.5 s",
        ),
        (
            ClientError::Refused {
                program: program.clone(),
                command: command.clone(),
                message: "no".to_owned(),
            },
            "engine refused 'genmove b': no",
        ),
        (
            ClientError::Malformed {
                program,
                command,
                answer: "x".to_owned(),
                reason: "begins neither with = nor with ?".to_owned(),
            },
            "engine answered 'genmove b' with 'x', which begins neither with = nor with ?",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}
