//! Malformed files and files that a record cannot represent: each error has its place and its help.

use duoforge_records::{Record, SgfFault, SgfWriteError, read_blksgf, write_blksgf};
use duoforge_rules::{GameVariant, Move};

/// Returns the place and the message of the error of a file.
fn error(text: &str) -> (usize, usize, String) {
    let error = read_blksgf(text).expect_err("an error");
    assert!(!error.fault.help().is_empty());
    let place = error.place;
    let meant = &text[place.offset..place.offset + place.len];
    (
        place.line,
        place.column,
        format!("{meant}: {}", error.fault),
    )
}

#[test]
fn every_fault_has_its_place() {
    for (text, line, column, words) in [
        (
            "53e0 a8e0",
            1,
            1,
            ": there is no game: a game begins with `(;`",
        ),
        (
            "(;GM[Blokus Duo]\n;B[e10)",
            2,
            8,
            ": the file ends in the middle of a game, where `]`, the end of a property's value is expected",
        ),
        (
            "(;FF[4]\n;B[e10])",
            1,
            1,
            "(: the kind of game is missing: the first node has no property GM",
        ),
        (
            "(;FF[4]GM[1])",
            1,
            11,
            "1: '1' is another game: expected Blokus Duo, Blokus, Blokus Two-Player \
             or Blokus Three-Player",
        ),
        (
            "(;GM[Blokus Trigon])",
            1,
            6,
            "Blokus Trigon: 'Blokus Trigon' is another game: expected Blokus Duo, Blokus, Blokus Two-Player \
             or Blokus Three-Player",
        ),
        (
            "(;GM[Blokus Duo]AB[e10][d9])",
            1,
            17,
            "AB: AB sets a position up, and a record begins with the empty board",
        ),
        (
            "(;GM[Blokus Duo]\n;B[e10]\n W[j5])",
            3,
            2,
            "W: a node holds one move, and W is a second one",
        ),
        (
            "(;GM[Blokus Duo];B[e10,f11])",
            1,
            20,
            "e10,f11: invalid move: the cells e10,f11 are not a tile",
        ),
        (
            "(;GM[Blokus Duo];B[e10];W[o1])",
            1,
            27,
            "o1: invalid move: 'o1' names no cell of a board of 14x14 cells",
        ),
        (
            "(;GM[Blokus];1[a20];3[t1])",
            1,
            21,
            "3: 3 cannot move here: it is the turn of 2, which cannot have passed",
        ),
        (
            "(;GM[Blokus Duo];B[e10]V[much])",
            1,
            26,
            "much: 'much' is not a number, but V needs one",
        ),
        (
            "(;GM[Blokus Duo]PB[a][b])",
            1,
            23,
            "b: PB has several values here, and may have one",
        ),
    ] {
        assert_eq!(error(text), (line, column, words.to_owned()), "{text}");
    }
}

#[test]
fn every_cut_of_a_real_file_is_an_end() {
    let text = include_str!("data/pentobi_duo.blksgf").trim_end();
    for end in 1..text.len() {
        let fault = read_blksgf(&text[..end]).expect_err("a cut file").fault;
        let number = matches!(fault, SgfFault::End(_) | SgfFault::NoGame);
        assert!(number, "{end}: {fault}");
    }
}

#[test]
fn illegal_moves_are_left_to_who_judges_and_never_written() {
    let text = "(;GM[Blokus Duo];B[e10];W[e10];W[a1];B[a2])";
    let record = &read_blksgf(text).expect("a blksgf")[0].record;
    assert_eq!(record.plies.len(), 4);
    let error = write_blksgf(std::slice::from_ref(record)).expect_err("an illegal game");
    assert!(matches!(&error, SgfWriteError::Illegal(illegal) if illegal.ply == 2));
    assert!(error.to_string().starts_with("move 2, 55a0"), "{error}");
}

/// The contest's game ends once a player has placed every tile; Pentobi's continues.
#[test]
fn moves_after_the_end_are_left_out() {
    let passed = Record::new(
        GameVariant::DUO,
        ["55a0", "aaa0"].map(|code| code.parse().expect("a code")),
    );
    let text = write_blksgf(&[passed]).expect("a legal game");
    let text = text.replace("PASSES[0]", "");
    let text = text.replace("\n)", ";B[];W[];B[d11];W[k4])");
    let game = &read_blksgf(&text).expect("a blksgf")[0];
    assert_eq!((game.record.plies.len(), game.left_out), (4, 2));
    assert_eq!(game.record.plies[3].mv, Move::Pass);
}

#[test]
fn old_files_are_read() {
    let new = "(;GM[Blokus Duo]PB[x];B[e10,f10];W[j5])";
    let old = "(;GaMe[Blokus Duo]PlayerBlack[x];B[e10][f10];White[j5])";
    assert_eq!(read_blksgf(new), read_blksgf(old));
    let new = "(;GM[Blokus];1[a20];2[t20];3[t1];4[a1])";
    let old = "(;GM[Blokus];BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1])";
    assert_eq!(read_blksgf(new), read_blksgf(old));
}
