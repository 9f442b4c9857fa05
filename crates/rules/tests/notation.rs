//! Notation of moves and cells, and the errors for invalid texts.

use duoforge_rules::{Cell, DuoBoard, Notation, NotationError, Variant};

#[test]
fn cells_are_written_from_the_bottom_row_of_the_picture_up() {
    // Column letter, then the row counted from below.
    for (code, text) in [
        ("55a0", "e10"),
        ("11a0", "a14"),
        ("eea0", "n1"),
        ("53e0", "e10,e11,e12,e13"),
        ("55h0", "e9,f9,e10,f10"),
    ] {
        let mv = code.parse().unwrap();
        assert_eq!(Notation::DUO.write(mv), text, "{code}");
        assert_eq!(Notation::DUO.read(text), Ok(mv));
    }
    let turned = Notation::DUO.turned();
    assert_eq!(turned.write("55a0".parse().unwrap()), "j5");
    assert_eq!(turned.write("11b0".parse().unwrap()), "n1,n2");
    assert_eq!(turned.turned(), Notation::DUO);
    let classic = Notation::CLASSIC;
    assert_eq!(classic.write("kka0".parse().unwrap()), "t1");
    assert_eq!(classic.write("11a0".parse().unwrap()), "a20");
}

#[test]
fn a_board_with_swapped_starts_is_turned_for_engines() {
    let notation = |starts: &[(u8, u8)]| {
        let starts: Vec<Cell> = starts.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        Notation::for_board(&DuoBoard::with_starts(&Variant::DUO, &starts))
    };
    assert_eq!(notation(&[(4, 4), (9, 9)]), Notation::DUO);
    assert_eq!(notation(&[(9, 9), (4, 4)]), Notation::DUO.turned());
    assert_eq!(notation(&[(0, 0), (9, 9)]), Notation::DUO);
}

#[test]
fn errors_of_notation_have_their_words() {
    let text = |input: &str| -> String {
        let error: NotationError = Notation::DUO.read(input).unwrap_err();
        error.to_string()
    };
    assert_eq!(text(""), "'' names no cell of a board of 14x14 cells");
    let long = format!("e{}", "1".repeat(50));
    let cut = format!("e{}...", "1".repeat(39));
    assert_eq!(
        text(&long),
        format!("'{cut}' names no cell of a board of 14x14 cells")
    );
    let whole = format!("e{}", "1".repeat(39));
    assert_eq!(
        text(&whole),
        format!("'{whole}' names no cell of a board of 14x14 cells")
    );
    assert_eq!(text("a1,b1,A1"), "the cell A1 is named twice");
    assert_eq!(
        text("a1,b1,c1,d1,e1,f1"),
        "the cells a1,b1,c1,d1,e1,f1 are not a tile"
    );
    let error = Notation::CLASSIC.read("u1").unwrap_err();
    assert_eq!(
        error.to_string(),
        "'u1' names no cell of a board of 20x20 cells"
    );
    assert!(Notation::CLASSIC.read("t20").is_ok() && Notation::CLASSIC.read("t21").is_err());
}
