//! Server under valid and invalid commands of all kinds.

mod common;

use std::time::Duration;

use common::{First, answers_of};
use duoforge_gtp::TimeSettings;
use duoforge_rules::Colour;
use proptest::prelude::*;

fn answers(input: &str) -> Vec<String> {
    answers_of(&mut First::default(), input.as_bytes())
}

/// Returns the response to the last command; all others must succeed.
fn last(input: &str) -> String {
    let mut answers = answers(input);
    let last = answers.pop().unwrap();
    for answer in answers {
        assert!(answer.starts_with('='), "{answer}");
    }
    last
}

#[test]
fn every_listed_command_is_known_and_no_other() {
    let list = last("list_commands");
    let names: Vec<_> = list[1..].split_whitespace().collect();
    assert!(names.len() > 20);
    for name in names {
        assert_eq!(last(&format!("known_command {name}")), "= true");
        // With too many arguments each command is rejected, but not as unknown.
        let refusal = last(&format!("{name} x x x x x x"));
        assert!(
            refusal.starts_with("? ") && !refusal.contains("unknown"),
            "{name}: {refusal}"
        );
    }
    assert_eq!(last("known_command fly"), "= false");
    assert_eq!(last("7 fly"), "?7 unknown command (fly)");
}

#[test]
fn numbers_comments_and_blanks_are_as_in_the_specification() {
    let input =
        "\n  \n# nothing\n12 name # of whom\nname\n\tversion \r\n5\n+3 name\n3quit\n\x07\x01\nname";
    assert_eq!(
        answers(input),
        [
            "=12 first",
            "= first",
            "= 1.2",
            "?5 a command is missing",
            "? unknown command (+3)",
            "? unknown command (3quit)",
            "= first"
        ]
    );
    assert_eq!(answers("1 quit\n2 name\n"), ["=1 "]);
    assert_eq!(answers(""), [""; 0]);
}

#[test]
fn lines_that_are_too_long_are_refused_and_passed_over() {
    let long = "x".repeat(100_000);
    let input = format!("1 {long}\n2 name\n3 name #{}", "y".repeat(3000));
    assert_eq!(
        answers(&input),
        [
            "? the line is longer than 4096 bytes",
            "=2 first",
            "=3 first"
        ]
    );
    // Longest accepted line, with and without its terminator.
    for input in [
        format!("name {}\nname", " ".repeat(4091)),
        format!("name{}", " ".repeat(4092)),
    ] {
        let answers = answers(&input);
        assert!(
            answers.iter().all(|answer| answer == "= first"),
            "{answers:?}"
        );
    }
    assert_eq!(
        answers(&"x".repeat(4097)),
        ["? the line is longer than 4096 bytes"]
    );
}

#[test]
fn a_game_is_played_undone_and_shown() {
    assert_eq!(
        last("play b e8,d9,e9,f9,e10\nplay w j5\nfinal_score"),
        "= B+4"
    );
    let board = last("play black E10\nplay white j5\nshowboard");
    assert!(
        board.contains("10 . . . . X . . . . . . . . . 10"),
        "{board}"
    );
    assert!(
        board.contains(" 5 . . . . . . . . . O . . . . 5"),
        "{board}"
    );
    assert!(
        board.contains("X (b): 1 cells, tiles left: bcdef"),
        "{board}"
    );
    assert_eq!(last("g\nundo\nfinal_score"), "= 0");
    let both = answers("genmove b\nreg_genmove w\nreg_genmove w\ngenmove w\nundo\nundo\nundo");
    assert_eq!(both[1], both[2]);
    assert_eq!(both[1], both[3]);
    assert_eq!(&both[4..], ["= ", "= ", "? cannot undo"]);
    assert_eq!(last("p e10\np j5\nfinal_score"), "= 0");
    assert_eq!(last("p e10\nclear_board\nundo"), "? cannot undo");
}

/// Controllers skip a colour without a legal placement instead of sending a pass for it.
#[test]
fn either_colour_may_move_at_any_time() {
    let input = "play b e10\nplay b d8,d9\nplay b a7,b7,c7\nall_legal w\nundo\nfinal_score";
    assert!(last(input).contains("B+3"), "{}", last(input));
    assert_eq!(
        last("play b pass\nplay w pass\nplay w pass\nplay w j5\nfinal_score"),
        "= W+1"
    );
    assert_eq!(last("genmove w\nundo\nundo"), "? cannot undo");
}

#[test]
fn illegal_moves_change_nothing() {
    for (text, expected) in [
        ("play b a1", "illegal move"),
        ("play b j5", "illegal move"),
        ("play b e10,f9", "not a tile"),
        ("play b z9", "no cell"),
        ("play b", "number of arguments"),
        ("play c e10", "no colour"),
        ("genmove 3", "no colour"),
    ] {
        let answers = answers(&format!("{text}\nundo\nall_legal b"));
        assert!(answers[0].starts_with("? "), "{text}: {}", answers[0]);
        let expected = expected.replace("no colour", "not a colour");
        assert!(answers[0].contains(&expected), "{text}: {}", answers[0]);
        assert_eq!(answers[1], "? cannot undo");
        assert_eq!(answers[2].split_whitespace().count(), 415);
    }
}

#[test]
fn who_cannot_place_a_tile_passes_without_being_asked() {
    let mut input = String::new();
    for _ in 0..22 {
        input += "genmove b\n";
    }
    let answers = answers(&input);
    assert!(answers.contains(&"= pass".to_owned()), "{answers:?}");
    assert!(
        answers[1..5].iter().all(|answer| answer.contains(',')),
        "{answers:?}"
    );
}

#[test]
fn only_one_game_is_served() {
    assert_eq!(last("set_game Blokus Duo"), "= ");
    assert!(last("set_game Blokus Trigon").starts_with("? the only game"));
    assert_eq!(last("boardsize 14"), "= ");
    assert_eq!(last("boardsize 19"), "? unacceptable size");
}

#[test]
fn the_engine_is_told_what_concerns_it() {
    let mut engine = First::default();
    let input = "clear_board\nset_random_seed 77\nparam level 3\nparam\nget_value\n\
                 time_settings 600 30 5\ntime_left w 12.5 3\n";
    let answers = answers_of(&mut engine, input.as_bytes());
    assert_eq!(
        answers,
        ["= ", "= ", "= ", "= level 3", "= 0.250000", "= ", "= "]
    );
    assert_eq!((engine.begun, engine.seed, engine.level), (1, Some(77), 3));
    let settings = TimeSettings {
        main: Duration::from_secs(600),
        period: Duration::from_secs(30),
        moves: 5,
    };
    assert_eq!(engine.settings, Some(settings));
    let left = (Colour(1), Duration::from_millis(12_500), 3);
    assert_eq!(engine.left, Some(left));
    for wrong in [
        "get_value",
        "param depth 3",
        "param level x",
        "param level",
        "set_random_seed x",
        "time_settings 1 2 x",
        "time_settings -1 2 3",
        "time_left b inf 3",
        "time_left x 1 1",
    ] {
        assert!(last(wrong).starts_with("? "), "{wrong}");
    }
    assert_eq!(last("move_values"), "= ");
    let time: f64 = last("cputime")[2..].parse().unwrap();
    assert!(time > 0.0);
}

#[test]
fn an_engine_that_fails_or_cheats_is_told_of() {
    let mut failing = First {
        fails: true,
        ..First::default()
    };
    let answers = answers_of(&mut failing, b"genmove b\nundo\nname\n");
    assert_eq!(answers, ["? out of order", "? cannot undo", "= first"]);
    let mut cheating = First {
        cheats: true,
        ..First::default()
    };
    let answers = answers_of(&mut cheating, b"genmove b\nundo\n");
    assert!(answers[0].starts_with("? illegal move"), "{answers:?}");
    assert_eq!(answers[1], "? cannot undo");
}

/// Returns the expected number of responses: one for each non-blank line, up to `quit`.
fn commands(input: &[u8]) -> usize {
    let mut count = 0;
    for line in input.split(|&byte| byte == b'\n') {
        let line = line.split(|&byte| byte == b'#').next().unwrap();
        let bytes = line
            .iter()
            .map(|&byte| if byte == b'\t' { b' ' } else { byte });
        let bytes: Vec<u8> = bytes.filter(|byte| !byte.is_ascii_control()).collect();
        let text = String::from_utf8_lossy(&bytes);
        let words: Vec<_> = text.split_whitespace().collect();
        count += usize::from(!words.is_empty());
        let number = |word: &str| word.parse::<u32>().is_ok() && !word.starts_with('+');
        match words[..] {
            ["quit"] => break,
            [id, "quit"] if number(id) => break,
            _ => {}
        }
    }
    count
}

fn check(input: &[u8]) {
    let answers = answers_of(&mut First::default(), input);
    assert_eq!(answers.len(), commands(input), "{}", input.escape_ascii());
    for answer in answers {
        assert!(answer.starts_with(['=', '?']), "{answer}");
    }
}

/// Generates words of the protocol, valid and invalid ones.
fn word() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "play",
        "genmove",
        "undo",
        "b",
        "w",
        "black",
        "x",
        "pass",
        "e10",
        "j5",
        "e8,d9,e9,f9,e10",
        "a1,,",
        "12",
        "-1",
        "clear_board",
        "set_game",
        "Blokus",
        "Duo",
        "final_score",
        "#",
        "g",
        "p",
        "all_legal",
        "showboard",
        "time_left",
        "known_command",
        "quit",
        "\t",
        "\r",
        "1e400",
    ]);
    prop_oneof![9 => fixed.prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #[test]
    fn bytes_of_any_kind_are_answered(input in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&input);
    }

    #[test]
    fn words_of_the_protocol_in_any_order_are_answered(
        lines in prop::collection::vec(prop::collection::vec(word(), 0..5), 0..40)
    ) {
        let lines: Vec<_> = lines.iter().map(|line| line.join(" ")).collect();
        check(lines.join("\n").as_bytes());
    }
}
