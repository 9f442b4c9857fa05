use std::collections::BTreeSet;

use duoforge_rules::Variant;

use super::*;

/// Returns the standard board of Duo after these codes; `0000` is a pass.
fn board(codes: &str) -> DuoBoard {
    play(DuoBoard::new(&Variant::ENDLESS_DUO), codes)
}

fn play(mut board: DuoBoard, codes: &str) -> DuoBoard {
    for code in codes.split_whitespace() {
        let mv = Move::from_code_bytes(code.as_bytes().try_into().expect("four letters"));
        board.play(mv.expect("a code")).expect("a legal move");
    }
    board
}

/// Returns the board whose first mover has the start cell (10,10), after these codes.
fn exchanged(codes: &str) -> DuoBoard {
    let starts = [STARTS[1], STARTS[0]];
    play(DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts), codes)
}

/// Returns the reply to a position as its code.
fn reply(book: &Book, board: &DuoBoard) -> Option<String> {
    book.reply(board)
        .map(|placement| Move::Place(placement).to_string())
}

#[test]
fn the_built_in_book_is_legal_everywhere() {
    let book = Book::built_in();
    assert!(book.entries().len() > 0);
    let text = include_str!("book.txt");
    for line in text.lines() {
        let (codes, last) = line.rsplit_once(' ').unwrap_or(("", line));
        assert_eq!(reply(book, &board(codes)).as_deref(), Some(last), "{line}");
    }
    // All entries, images included, as separate games.
    for (key, placement) in book.entries() {
        let first_is_a = key.start_is_a == (key.placements.len() % 2 == 0);
        let mut board = match first_is_a {
            true => exchanged(""),
            false => board(""),
        };
        for &placement in &key.placements {
            board
                .play(Move::Place(placement))
                .expect("a legal placement");
        }
        assert_eq!(BookKey::of(&board).as_ref(), Some(key));
        assert_eq!(book.reply(&board), Some(placement));
        board.play(Move::Place(placement)).expect("a legal reply");
    }
}

/// The four images of the opening move 66t3, whose tile covers (5,5) or (10,10).
#[test]
fn a_line_holds_for_its_images() {
    let book = Book::parse("66t3 aat5").expect("a book");
    let keys: BTreeSet<_> = book.entries().map(|(key, _)| key.start_is_a).collect();
    assert_eq!((book.entries().len(), keys.len()), (4, 2));
    let cells = |placement: Placement| -> BTreeSet<_> {
        placement.cells().map(|cell| (cell.x, cell.y)).collect()
    };
    let original = board("66t3 aat5");
    let [Move::Place(first), Move::Place(second)] = *original.moves() else {
        panic!("two placements");
    };
    type Map = fn((u8, u8)) -> (u8, u8);
    let maps: [(bool, Map); 4] = [
        (true, |(x, y)| (x, y)),
        (true, |(x, y)| (y, x)),
        (false, |(x, y)| (13 - x, 13 - y)),
        (false, |(x, y)| (13 - y, 13 - x)),
    ];
    for (start_is_a, map) in maps {
        let image = |placement| cells(placement).into_iter().map(map).collect();
        let expected: (BTreeSet<_>, BTreeSet<_>) = (image(first), image(second));
        let found = book.entries().any(|(key, reply)| {
            let images = (cells(key.placements[0]), cells(reply));
            key.start_is_a == start_is_a && images == expected
        });
        assert!(found, "{expected:?}");
    }
}

#[test]
fn other_positions_have_no_key() {
    let key = |board: &DuoBoard| BookKey::of(board);
    let empty = key(&board("")).expect("the empty board");
    assert_eq!((empty.start_is_a, empty.placements.len()), (false, 0));
    // The opponent passed its first move.
    let passed = key(&board("0000")).expect("an empty board");
    assert_eq!((passed.start_is_a, passed.placements.len()), (true, 0));
    assert!(key(&exchanged("")).expect("an empty board").start_is_a);
    let placed = key(&board("66t3")).expect("one placement");
    assert_eq!((placed.start_is_a, placed.placements.len()), (true, 1));
    assert_eq!(key(&board("66t3 0000")), None);
    assert_eq!(key(&board("66t3 aat5 0000")), None);
    assert_eq!(key(&board("66t3 0000 87r2")), None);
    // After two passes the position is the same again.
    assert_eq!(key(&board("66t3 0000 0000")), Some(placed));
    // Corner starts are another game.
    assert_eq!(
        key(&DuoBoard::with_starts(
            &Variant::ENDLESS_DUO,
            &[Cell::new(0, 0), Cell::new(13, 13)]
        )),
        None
    );
}

#[test]
fn bad_lines_are_refused() {
    for (text, message) in [
        (
            "66t3\n66x3",
            "line 2: `66x3` is not the code of a placement",
        ),
        ("\n0000", "line 2: `0000` is not the code of a placement"),
        ("66t", "line 1: `66t` is not the code of a placement"),
        (
            "66t3\n66t0",
            "line 2: an earlier line, or its image, replies to this position already",
        ),
    ] {
        let error = Book::parse(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    let error = Book::parse("11a0").expect_err("not on the start cell");
    assert!(
        matches!(error, BookError::Illegal { line: 1, .. }),
        "{error}"
    );
    let long = "56u0 aau0 88r0 a7t4 95o7";
    let error = Book::parse(long).expect_err("too long").to_string();
    assert_eq!(error, "line 1 has 5 codes: expected 1 to 4");
}
