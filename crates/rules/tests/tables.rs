//! Table tests: the reason and text of each illegal move, passes, endings, small perft counts.

use duoforge_rules::naive::{NaiveBoard, RejectReason};
use duoforge_rules::{
    Bitboard, Board, Cell, Classic, CodeError, Colour, Duo, DuoBoard, IllegalMove, Move,
    Orientation, Placement, Scoring, Size, Tile, TileSet, Variant, perft,
};

/// Returns the reason why a move is rejected.
fn refused(game: &[&str], code: &str) -> IllegalMove {
    let mut board = DuoBoard::duo();
    let mut slow = NaiveBoard::new(&Variant::DUO);
    for code in game {
        board.play(code.parse().unwrap()).unwrap();
        slow.play(code.as_bytes().try_into().unwrap()).unwrap();
    }
    let before = board.clone();
    let reason = board.play(code.parse().unwrap()).unwrap_err();
    assert_eq!(board, before, "a refused move changes nothing");
    let slow = slow.play(code.as_bytes().try_into().unwrap());
    assert_eq!(slow, Err(RejectReason::IllegalMove(reason)), "{code}");
    reason
}

#[test]
fn each_reason_has_its_move_and_its_text() {
    let game = ["53e0", "a8e0"];
    let cell = |x: u8, y: u8| Cell::new(x - 1, y - 1);
    let tile = |letter| Tile::from_letter(letter).unwrap();
    for (game, code, reason, text) in [
        (
            &["53e0", "a8e0", "0000", "0000"][..],
            "0000",
            IllegalMove::GameOver,
            "the game is over",
        ),
        (
            &["53e0", "a8e0", "0000", "0000"],
            "66a0",
            IllegalMove::GameOver,
            "the game is over",
        ),
        (
            &[],
            "0000",
            IllegalMove::PassOnFirstTurn,
            "a colour may not pass on its first turn",
        ),
        (
            &["53e0"],
            "0000",
            IllegalMove::PassOnFirstTurn,
            "a colour may not pass on its first turn",
        ),
        (
            &game,
            "66e0",
            IllegalMove::TileUsed { tile: tile(b'e') },
            "tile e has been placed before",
        ),
        (
            &game,
            "eec0",
            IllegalMove::OffBoard,
            "the tile reaches beyond the board",
        ),
        (
            &game,
            "eeb0",
            IllegalMove::OffBoard,
            "the tile reaches beyond the board",
        ),
        (
            &game,
            "54a0",
            IllegalMove::Occupied { cell: cell(5, 4) },
            "cell 54 is occupied",
        ),
        (
            &game,
            "a8a0",
            IllegalMove::Occupied { cell: cell(10, 8) },
            "cell a8 is occupied",
        ),
        (
            &game,
            "64a0",
            IllegalMove::EdgeContact { cell: cell(6, 4) },
            "at cell 64 the tile touches the edge of a tile of the same colour",
        ),
        (
            &["53e0"],
            "53a0",
            IllegalMove::Occupied { cell: cell(5, 3) },
            "cell 53 is occupied",
        ),
        (
            &["53e0"],
            "99a0",
            IllegalMove::StartCellMissed {
                start: cell(10, 10),
            },
            "a colour's first tile must cover the start cell aa",
        ),
        (
            &[],
            "aaa0",
            IllegalMove::StartCellMissed { start: cell(5, 5) },
            "a colour's first tile must cover the start cell 55",
        ),
        (
            &game,
            "99a0",
            IllegalMove::NoCornerContact,
            "the tile touches no corner of a tile of the same colour",
        ),
    ] {
        let found = refused(game, code);
        assert_eq!(found, reason, "{code} after {game:?}");
        assert_eq!(found.to_string(), text);
    }
}

/// If a move breaks several rules, the first rule of the list is reported, with the first cell.
#[test]
fn the_first_broken_rule_is_the_reason() {
    let game = ["53e0", "a8e0"];
    let cell = |x: u8, y: u8| Cell::new(x - 1, y - 1);
    let e = Tile::from_letter(b'e').unwrap();
    // Tile already used and off the board; tile already used and on covered cells.
    assert_eq!(refused(&game, "eee0"), IllegalMove::TileUsed { tile: e });
    assert_eq!(refused(&game, "53e0"), IllegalMove::TileUsed { tile: e });
    // Covered and at an edge: of three cells upwards, the first covered one is reported.
    assert_eq!(
        refused(&game, "55c0"),
        IllegalMove::Occupied { cell: cell(5, 4) }
    );
    // At an edge and without a corner point: first cell by row, then column.
    assert_eq!(
        refused(&game, "65c0"),
        IllegalMove::EdgeContact { cell: cell(6, 4) }
    );
    assert_eq!(
        refused(&game, "54j2"),
        IllegalMove::Occupied { cell: cell(5, 4) }
    );
    // Covered by the opponent, and the start cell is missed.
    let other = refused(&["53e0"], "54b0");
    assert_eq!(other, IllegalMove::Occupied { cell: cell(5, 4) });
}

#[test]
fn texts_of_broken_codes_name_the_byte_and_what_is_expected() {
    for (code, text) in [
        ("05a0", "'0' is not a column (1-9, then a, b, c, ...)"),
        ("l5a0", "'l' is not a column (1-9, then a, b, c, ...)"),
        ("50a0", "'0' is not a row (1-9, then a, b, c, ...)"),
        ("5 a0", "byte 0x20 is not a row (1-9, then a, b, c, ...)"),
        ("55v0", "'v' is not a tile (a-u)"),
        ("55A0", "'A' is not a tile (a-u)"),
        ("55a8", "'8' is not a rotation (0-7)"),
        ("55a\x7f", "byte 0x7f is not a rotation (0-7)"),
        ("", "a code has four letters, this one has 0"),
        ("00000", "a code has four letters, this one has 5"),
        (
            "11e0",
            "11e0 reaches beyond the left or upper edge of the board",
        ),
    ] {
        let error: CodeError = code.parse::<Move>().unwrap_err();
        assert_eq!(error.to_string(), text);
    }
    assert_eq!(
        RejectReason::Broken.to_string(),
        "the four bytes are not the code of a move"
    );
    assert_eq!(
        RejectReason::IllegalMove(IllegalMove::GameOver).to_string(),
        "the game is over"
    );
    let error = "X".parse::<Bitboard<Duo>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the picture shows 1 cells, the board has 196"
    );
}

#[test]
fn coordinates_and_letters_have_exact_ends() {
    for (code, x, y) in [
        ("11a0", 0, 0),
        ("99a0", 8, 8),
        ("aaa0", 9, 9),
        ("kka7", 19, 19),
    ] {
        let code: duoforge_rules::Code = code.parse().unwrap();
        assert_eq!((code.x, code.y), (x, y));
    }
    assert_eq!(Colour(0).to_string() + &Colour(3).to_string(), "14");
    assert_eq!(
        [Colour(0).opponent(), Colour(1).opponent()],
        [Colour(1), Colour(0)]
    );
    assert_eq!(Colour(2).index(), 2);
}

#[test]
fn aliases_of_a_placement_are_those_that_cover_its_cells() {
    // Tile h of 2x2 cells has eight codes with four centres; a cross has all eight rotations at one
    // centre.
    for (canonical, aliases) in [
        (
            "66h0",
            &[
                "66h0", "76h1", "76h2", "66h3", "77h4", "67h5", "67h6", "77h7",
            ][..],
        ),
        (
            "66u0",
            &["66u1", "66u2", "66u3", "66u4", "66u5", "66u6", "66u7"],
        ),
        ("66b0", &["66b1", "67b4", "67b5"]),
        (
            "66a0",
            &["66a1", "66a2", "66a3", "66a4", "66a5", "66a6", "66a7"],
        ),
        ("66c0", &["66c1", "66c4", "66c5"]),
    ] {
        let placement = canonical.parse::<Move>().unwrap();
        assert_eq!(placement.to_string(), canonical);
        for alias in aliases {
            assert_eq!(alias.parse::<Move>(), Ok(placement), "{alias}");
        }
    }
    let distinct = Orientation::all().map(|o| o.tile().index());
    let mut shapes = [0; Tile::COUNT];
    distinct.for_each(|tile| shapes[tile] += 1);
    // Published counts of fixed polyominoes: 1, 2, 6, 19 and 63.
    let sizes = Tile::ALL.map(|tile| usize::from(tile.size()));
    let of_size = |size| -> usize {
        (0..Tile::COUNT)
            .filter(|&t| sizes[t] == size)
            .map(|t| shapes[t])
            .sum()
    };
    assert_eq!([1, 2, 3, 4, 5].map(of_size), [1, 2, 6, 19, 63]);
}

#[test]
fn passes_end_the_game_only_in_a_row() {
    let mut board = DuoBoard::duo();
    let mut play = |code: &str| {
        board.play(code.parse().unwrap()).unwrap();
        (board.to_move().0, board.is_over())
    };
    assert_eq!(play("53e0"), (1, false));
    assert_eq!(play("a8e0"), (0, false));
    assert_eq!(play("0000"), (1, false));
    assert_eq!(play("b6a0"), (0, false));
    assert_eq!(play("0000"), (1, false));
    assert_eq!(play("0000"), (0, true));
    assert_eq!((board.ply(), board.moves().len()), (6, 6));
    assert_eq!(
        board.cells_placed(Colour(0)) + board.cells_placed(Colour(1)),
        9
    );
    // After all moves are taken back, the board equals a new one.
    for ply in (0..6).rev() {
        assert!(board.undo().is_some());
        assert_eq!((board.ply(), board.is_over()), (ply, false));
    }
    assert_eq!(board, DuoBoard::duo());
}

#[test]
fn a_player_without_a_move_passes_and_the_other_goes_on() {
    // The other start cell is covered, so player 2 can never begin.
    let starts = [Cell::new(4, 4), Cell::new(4, 4)];
    let mut board = Board::<Duo>::with_starts(&Variant::DUO, &starts);
    let mut slow = NaiveBoard::with_starts(&Variant::DUO, &starts);
    for (code, mover, legal, over) in [
        ("55a0", 1, 0, false),
        ("0000", 0, 0, false),
        ("66b0", 1, 0, false),
        ("0000", 0, 0, false),
        ("0000", 1, 0, true),
    ] {
        board.play(code.parse().unwrap()).unwrap();
        slow.play(code.as_bytes().try_into().unwrap()).unwrap();
        assert_eq!((board.to_move().0, slow.to_move().0), (mover, mover));
        assert_eq!((board.is_over(), slow.is_over()), (over, over));
        assert_eq!(board.has_legal(), mover == 0 && !over, "{code}");
        if mover == 1 {
            assert_eq!(board.count_legal(), legal);
        }
    }
    assert_eq!([0, 1].map(|p| board.score(Colour(p))), [-86, -89]);
    assert_eq!([0, 1].map(|p| slow.cells_placed(Colour(p))), [3, 0]);
}

#[test]
fn variants_are_as_the_rules_say() {
    assert_eq!(
        Scoring::STANDARD,
        Scoring {
            cell_left: -1,
            all_placed: 15,
            monomino_last: 20
        }
    );
    let flags = |variant: &Variant| {
        [
            variant.pass_is_final,
            variant.may_pass_first_turn,
            variant.ends_when_all_placed,
            variant.ends_when_all_pass,
        ]
    };
    assert_eq!(flags(&Variant::DUO), [false, false, true, true]);
    assert_eq!(flags(&Variant::ENDLESS_DUO), [false, true, false, false]);
    assert_eq!(flags(&Variant::CLASSIC), [true, false, false, true]);
    for (variant, name, size, players) in [
        (&Variant::DUO, "duo", 14, 2),
        (&Variant::ENDLESS_DUO, "duo without an end", 14, 2),
        (&Variant::CLASSIC, "classic", 20, 4),
    ] {
        assert_eq!(
            (variant.name, variant.size, variant.players()),
            (name, size, players)
        );
        assert_eq!(variant.scoring, Scoring::STANDARD);
    }
    let corners = [(0, 0), (19, 0), (19, 19), (0, 19)].map(|(x, y)| Cell::new(x, y));
    assert_eq!(Variant::CLASSIC.starts, corners);
    assert_eq!(Variant::DUO.starts, [Cell::new(4, 4), Cell::new(9, 9)]);
    assert_eq!((Duo::WIDTH, Classic::WIDTH), (14, 20));
}

#[test]
fn perft_has_the_published_counts() {
    let mut board = DuoBoard::duo();
    assert_eq!(
        [0, 1, 2].map(|depth| perft(&mut board, depth)),
        [1, 414, 171_396]
    );
    assert_eq!(board, DuoBoard::duo(), "the board is left as it was");
    let mut classic = Board::<Classic>::new(&Variant::CLASSIC);
    assert_eq!(
        [1, 2, 3].map(|depth| perft(&mut classic, depth)),
        [58, 3_364, 195_112]
    );
    for code in ["53e0", "a8e0", "0000", "0000"] {
        board.play(code.parse().unwrap()).unwrap();
    }
    assert_eq!([0, 1, 2].map(|depth| perft(&mut board, depth)), [1, 0, 0]);
}

#[test]
fn sets_of_tiles_and_cells_answer_for_themselves() {
    let set = TileSet::from_bits(1 << 21 | 0b101);
    assert_eq!(
        (set.bits(), set.len(), set.to_string()),
        (5, 2, "ac".to_owned())
    );
    assert!(!set.is_empty() && TileSet::EMPTY.is_empty() && TileSet::default().is_empty());
    let back: String = set.iter().rev().map(|tile| tile.to_string()).collect();
    assert_eq!((back.as_str(), set.cell_count()), ("ca", 4));
    let corner = Placement::new(Orientation::all().next().unwrap(), 13, 13);
    assert!(corner.fits(14) && !corner.fits(13));
    assert_eq!(corner.to_string(), "eea0");
    assert_eq!(Move::from(corner).placement(), Some(corner));
    assert_eq!(Move::Pass.placement(), None);
    assert_eq!(corner.orientation.to_string(), "a0");
}

#[test]
#[should_panic(expected = "each player needs one start cell")]
fn a_board_needs_a_start_cell_for_each_player() {
    let _ = Board::<Duo>::with_starts(&Variant::DUO, &[Cell::new(0, 0)]);
}

#[test]
#[should_panic(expected = "each player needs one start cell")]
fn the_slow_checker_needs_a_start_cell_for_each_player() {
    let _ = NaiveBoard::with_starts(&Variant::DUO, &[Cell::new(0, 0)]);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_board_knows_its_own_players_only() {
    let _ = DuoBoard::duo().cells_placed(Colour(2));
}
