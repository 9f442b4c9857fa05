//! Pictures of positions.

use duoforge_pictures::{Caption, svg};
use duoforge_rules::{Cell, Colour, DuoBoard, Variant};

/// The expected picture was made by a short Python program from the table of tiles in the reference
/// data. A cell has 30 units and the margin 34.
#[test]
fn a_picture_shows_tiles_plies_and_players() {
    // Player 2 moves first, from the far start cell.
    let starts = [Cell::new(9, 9), Cell::new(4, 4)];
    let mut board = DuoBoard::with_starts(&Variant::DUO, &starts);
    for code in ["a8e0", "53e0", "0000", "21k7"] {
        board.play(code.parse().unwrap()).unwrap();
    }
    let caption = Caption {
        colours: [Colour(1), Colour(0)],
        players: ["A & B: -78", "<C>"].map(str::to_owned),
    };
    assert_eq!(svg(&board, &caption), include_str!("data/position.svg"));
    // Without a text there is no line for a player, and player 1 moves first.
    let plain = svg(&DuoBoard::duo(), &Caption::default());
    assert!(!plain.contains("class=\"t\"") && plain.contains("after 0 moves"));
}

#[test]
fn player_1_owns_the_first_colour_by_default() {
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0"] {
        board.play(code.parse().unwrap()).unwrap();
    }
    let picture = svg(&board, &Caption::default());
    for tile in [
        "class=\"p1\"><title>1: 53e0<",
        "class=\"p2\"><title>2: a8e0<",
    ] {
        assert!(picture.contains(tile), "{picture}");
    }
}
