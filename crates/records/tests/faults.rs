//! Faults of records: each message, its help, and illegal games.

use std::collections::BTreeSet;

use duoforge_records::{
    IllegalRecord, MOST_BYTES, Record, SgfFault, forced_passes, read_blksgf, write_blksgf,
};
use duoforge_rules::{Cell, GameVariant, IllegalMove, Move};

fn duo(codes: &str) -> Record {
    let codes = codes.split_whitespace();
    let moves: Vec<Move> = codes.map(|code| code.parse().unwrap()).collect();
    Record::new(GameVariant::DUO, moves)
}

#[test]
fn faults_have_their_words_and_their_help() {
    let fault = |text: &str| read_blksgf(text).unwrap_err().to_string();
    for setup in ["AB", "AW", "AE", "A1", "A2", "A3", "A4"] {
        assert_eq!(
            fault(&format!("(;GM[Blokus Duo];{setup}[e10])")),
            format!(
                "line 1, column 18: {setup} sets a position up, and a record begins with the empty board"
            )
        );
    }
    let number = |value: &str, shown: &str| {
        let text = fault(&format!("(;GM[Blokus Duo];B[e10]V[{value}])"));
        assert_eq!(
            text,
            format!("line 1, column 26: '{shown}' is not a number, but V needs one")
        );
    };
    number("inf", "inf");
    number("NaN", "NaN");
    number(&"x".repeat(40), &"x".repeat(40));
    number(&"x".repeat(41), &format!("{}...", "x".repeat(40)));
    assert_eq!(
        fault("(;GM[Blokus Duo]PASSES[-1])"),
        "line 1, column 24: '-1' is not a number, but PASSES needs one"
    );
    assert_eq!(
        read_blksgf("(;GM[Blokus Duo];B[e10]V[ -1e1 ])").unwrap()[0]
            .record
            .plies[0]
            .value,
        Some(-10.0)
    );
    assert_eq!(
        fault("(;GM[Blokus Duo];B[e10];B[f9,f8])"),
        "line 1, column 25: B cannot move here: it is the turn of W, which cannot have passed"
    );
    assert_eq!(
        fault("(;GM[Blokus Duo]B[e10]x)"),
        "line 1, column 24: ')' cannot stand here: `[`, the beginning of a property's value is expected"
    );
    assert_eq!(
        fault("(;GM[Blokus Duo];B[e10][e9][g1])"),
        "line 1, column 20: invalid move: the cells e10,e9,g1 are not a tile"
    );
    let large = "x".repeat(MOST_BYTES + 1);
    assert_eq!(
        fault(&large),
        format!(
            "line 1, column 1: the file has {} bytes, and {MOST_BYTES} are the most that is read",
            MOST_BYTES + 1
        )
    );
    // `NoKind` and `Kind` share their help; all other faults have their own.
    let faults = [
        SgfFault::NoGame,
        SgfFault::Large(1),
        SgfFault::Unexpected {
            found: String::new(),
            wanted: "",
        },
        SgfFault::End(""),
        SgfFault::NoKind,
        SgfFault::Kind(String::new()),
        SgfFault::Variant {
            value: String::new(),
            game: String::new(),
            expected: String::new(),
        },
        SgfFault::Setup(String::new()),
        SgfFault::Several(String::new()),
        SgfFault::SecondMove(String::new()),
        SgfFault::Turn {
            found: String::new(),
            wanted: String::new(),
        },
        SgfFault::Number {
            property: String::new(),
            value: String::new(),
        },
        SgfFault::Illegal {
            mv: Move::Pass,
            reason: IllegalMove::GameOver,
        },
        SgfFault::Nodes,
        SgfFault::Depth,
    ];
    let help: BTreeSet<_> = faults.iter().map(SgfFault::help).collect();
    assert_eq!(help.len(), faults.len() - 1);
    assert_eq!(faults[4].help(), faults[5].help());
    assert!(help.iter().all(|help| help.len() > 20));
}

#[test]
fn illegal_games_name_move_and_reason() {
    let wrong = IllegalRecord {
        ply: 2,
        mv: "55a0".parse().unwrap(),
        reason: IllegalMove::Occupied {
            cell: Cell::new(4, 4),
        },
    };
    assert_eq!(
        wrong.to_string(),
        "move 2, 55a0, is illegal: cell 55 is occupied"
    );
    assert_eq!(forced_passes(&duo("55a0 55a0")), Err(wrong));
    assert_eq!(write_blksgf(&[duo("55a0 55a0")]), Err(wrong.into()));
    assert_eq!(forced_passes(&duo("55a0 aaa0")), Ok(0));
    assert_eq!(forced_passes(&duo("")), Ok(0));
    // No pass is forced at the end of the games with bonuses.
    let games = include_str!("../../../tests/data/bonus_games.txt");
    for game in games.lines() {
        let codes: Vec<_> = game.split(' ').skip(2).collect();
        assert_eq!(forced_passes(&duo(&codes.join(" "))), Ok(0), "{game}");
    }
}
