//! Complete games: the contest's example, passes, end of game and scores.

use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{
    Bitboard, Board, Cell, Classic, Colour, Duo, DuoBoard, IllegalMove, Move, TileSet, Variant,
};

const EXAMPLE: [&str; 6] = ["53e0", "a8e0", "21k7", "94j0", "61a0", "71b3"];

/// Figure 6 of the contest's rules.
const FIGURE_6: &str = "\
    1 1 1 1 . 1 2 2 . . . . . .
    1 . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . 1 . . . 2 . . . . .
    . . . . . . . . 2 . . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . 2 . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .
    . . . . . . . . . . . . . .";

fn played(codes: &[&str]) -> DuoBoard {
    let mut board = DuoBoard::duo();
    for code in codes {
        board
            .play(code.parse().unwrap())
            .unwrap_or_else(|e| panic!("{code}: {e}"));
    }
    board
}

#[test]
fn the_example_of_the_contest_ends_in_its_figure() {
    let board = played(&EXAMPLE);
    for player in board.players() {
        let mark = char::from(b'1' + player.0);
        assert_eq!(
            board.cells(player),
            Bitboard::from_picture(FIGURE_6, mark).unwrap()
        );
    }
    let unindented: Vec<&str> = FIGURE_6.lines().map(str::trim).collect();
    assert_eq!(board.to_string().lines().collect::<Vec<_>>(), unindented);
    assert_eq!(board.ply(), 6);
    assert_eq!(board.to_move(), Colour(0));
    assert_eq!(
        [board.cells_placed(Colour(0)), board.cells_placed(Colour(1))],
        [10, 11]
    );
    assert_eq!([board.score(Colour(0)), board.score(Colour(1))], [-79, -78]);
    assert_eq!(
        board.tiles_left(Colour(1)).to_string(),
        "acdfghiklmnopqrstu"
    );
}

#[test]
fn the_players_start_at_their_own_cells() {
    let mut board = DuoBoard::duo();
    assert_eq!(
        [board.start(Colour(0)), board.start(Colour(1))],
        [Cell::new(4, 4), Cell::new(9, 9)]
    );
    let start = Cell::new(4, 4);
    assert_eq!(board.corner_points(Colour(0)), Bitboard::from_iter([start]));
    assert_eq!(board.allowed(Colour(0)), Bitboard::FULL);
    let missed = board.play("99e0".parse().unwrap());
    assert_eq!(missed, Err(IllegalMove::StartCellMissed { start }));
    assert_eq!(board, DuoBoard::duo(), "a refused move changes nothing");

    let swapped = [Cell::new(9, 9), Cell::new(4, 4)];
    let mut board = Board::<Duo>::with_starts(&Variant::DUO, &swapped);
    assert_eq!(board.count_legal(), 414);
    assert!(board.play("a8e0".parse().unwrap()).is_ok());
    assert!(board.play("53e0".parse().unwrap()).is_ok());
}

#[test]
fn corner_points_and_allowed_cells_follow_the_tiles() {
    let board = played(&["53e0", "a8e0"]);
    let corners = ["41", "61", "46", "66"].map(cell);
    assert_eq!(
        board.corner_points(Colour(0)),
        corners.into_iter().collect()
    );
    let own = board.cells(Colour(0));
    let expected = !(board.occupied() | own.edge_neighbours());
    assert_eq!(board.allowed(Colour(0)), expected);
    assert!(
        board.allowed(Colour(0)).contains(cell("96")),
        "beside the other player's tile"
    );
}

/// Returns the cell of a name such as `5a`.
fn cell(name: &str) -> Cell {
    let code: duoforge_rules::Code = format!("{name}a0").parse().unwrap();
    Cell::new(code.x, code.y)
}

#[test]
fn a_pass_is_refused_on_first_turns_only() {
    let mut board = DuoBoard::duo();
    assert_eq!(board.play(Move::Pass), Err(IllegalMove::PassOnFirstTurn));
    board.play("53e0".parse().unwrap()).unwrap();
    assert_eq!(board.play(Move::Pass), Err(IllegalMove::PassOnFirstTurn));
    board.play("a8e0".parse().unwrap()).unwrap();
    assert!(board.has_legal());
    assert_eq!(board.play(Move::Pass), Ok(()));
    assert_eq!(board.to_move(), Colour(1));
    assert!(!board.is_over());
}

#[test]
fn a_player_who_cannot_start_may_pass() {
    let same = [Cell::new(4, 4), Cell::new(4, 4)];
    let mut board = Board::<Duo>::with_starts(&Variant::DUO, &same);
    board.play("53e0".parse().unwrap()).unwrap();
    assert!(board.corner_points(Colour(1)).is_empty());
    assert!(!board.has_legal());
    assert_eq!(board.play(Move::Pass), Ok(()));
}

#[test]
fn two_passes_in_a_row_end_the_game() {
    let mut board = played(&EXAMPLE);
    board.play(Move::Pass).unwrap();
    board
        .play("67b0".parse().unwrap_or(Move::Pass))
        .unwrap_err();
    let answer = board.legal().next().unwrap();
    board.play(Move::Place(answer)).unwrap();
    board.play(Move::Pass).unwrap();
    assert!(
        !board.is_over(),
        "passes with a placement between them do not count together"
    );
    board.play(Move::Pass).unwrap();
    assert!(board.is_over());
    assert_eq!(board.play(Move::Pass), Err(IllegalMove::GameOver));
    assert_eq!(
        (
            board.count_legal(),
            board.has_legal(),
            board.legal().count()
        ),
        (0, false, 0)
    );
    assert_eq!(board.undo(), Some(Move::Pass));
    assert!(!board.is_over() && board.has_legal());
}

/// Games in which one player places every tile, with the final scores.
const ALL_PLACED: [(&str, [i32; 2]); 3] = [
    (
        "55u0 aad2 78p4 bca0 36a0 ddg1 a6r3 adb0 6cq1 98f0 4ek2 76c2 d9s0 7bi3 a3o5 6dk6 73n1 58h0 \
         2cl0 4bp2 17j0 27e0 d2m3 34o2 42t3 62s2 cbg2 0000 12h0 0000 48e0 0000 9ci1 0000 e6f0 0000 \
         edc0 0000 bed0 0000 d4b2",
        [15, -40],
    ),
    (
        "65u0 a9b0 48r1 c7i1 88j0 d9a0 bbl3 e5c0 a5o1 b5d2 19k1 d2f4 ecq3 0000 3cs2 0000 c3t7 0000 \
         42p0 0000 12m4 0000 aen2 0000 69i2 0000 6ee2 0000 6bh0 0000 25g0 0000 71f7 0000 a1d2 0000 \
         83c2 0000 e2b0 0000 1ea0",
        [20, -72],
    ),
    (
        "66r0 aaa0 88q2 bcc0 43u0 ddf0 5bo3 aeb2 c6t5 ead3 9cs2 c8g1 e3k0 96i0 71j2 73e0 26l0 a4h0 \
         84n1 d2n0 12m4 0000 3dp0 0000 cai0 0000 b2g1 0000 d8h0 0000 1cf4 0000 38e0 0000 edc0 0000 \
         6ed0 0000 68b0 0000 46a0",
        [20, -55],
    ),
];

#[test]
fn placing_every_tile_ends_the_game_at_once_and_earns_the_bonus() {
    for (game, scores) in ALL_PLACED {
        let (mut board, mut slow) = (DuoBoard::duo(), NaiveBoard::new(&Variant::DUO));
        for code in game.split_whitespace() {
            assert!(!board.is_over() && !slow.is_over(), "before {code}");
            board.play(code.parse().unwrap()).unwrap();
            slow.play(code.as_bytes().try_into().unwrap()).unwrap();
        }
        assert!(board.is_over() && slow.is_over());
        assert_eq!(board.count_legal(), 0);
        assert_eq!(slow.legal().len(), 0);
        for player in board.players() {
            assert_eq!(board.score(player), scores[player.index()]);
            assert_eq!(slow.score(player), scores[player.index()]);
        }
        board.undo();
        assert!(!board.is_over());
        assert!(board.score(Colour(0)) < 0);
    }
}

#[test]
fn undo_without_moves_is_none() {
    assert_eq!(DuoBoard::duo().undo(), None);
}

#[test]
fn in_classic_a_player_who_passed_is_out() {
    let mut board = Board::<Classic>::new(&Variant::CLASSIC);
    for player in 0..4 {
        assert_eq!(board.to_move(), Colour(player));
        assert_eq!(board.play(Move::Pass), Err(IllegalMove::PassOnFirstTurn));
        let first = board.legal().next().unwrap();
        board.play(Move::Place(first)).unwrap();
    }
    board.play(Move::Pass).unwrap();
    board.play(Move::Pass).unwrap();
    let place = |board: &mut Board<Classic>| {
        let next = board.legal().next().unwrap();
        board.play(Move::Place(next)).unwrap();
    };
    for player in [2, 3, 2, 3] {
        assert_eq!(board.to_move(), Colour(player));
        place(&mut board);
    }
    board.play(Move::Pass).unwrap();
    for _ in 0..3 {
        assert_eq!(board.to_move(), Colour(3));
        place(&mut board);
    }
    board.play(Move::Pass).unwrap();
    assert!(board.is_over());
    board.undo();
    assert_eq!((board.to_move(), board.is_over()), (Colour(3), false));
}

#[test]
#[should_panic(expected = "classic is played on another board")]
fn a_variant_needs_its_own_board() {
    let _ = Board::<Duo>::new(&Variant::CLASSIC);
}

#[test]
fn nothing_placed_scores_minus_89() {
    let board = DuoBoard::duo();
    assert_eq!(board.score(Colour(0)), -89);
    assert_eq!(board.tiles_left(Colour(0)), TileSet::FULL);
}
