//! Source document 004: a modified Duo that starts in the corners.

use duoforge_rules::{
    Colour, Game, GameVariant, IllegalMove, Move, ScoringRule, Seat, Tile, TileSet,
};

use crate::common::{Random, list, random_move};
use crate::{Row, after, cell, check, finished, mv, reason};

const VARIANT: GameVariant = GameVariant::DUO_CORNER;

#[test]
fn every_sentence_of_the_corner_game_holds() {
    check(RULES);
    check(CHANGES);
    check(DIAGNOSTICS);
}

const RULES: &[Row] = &[
    ("1 a game of two players", || {
        assert_eq!((VARIANT.seat_count(), VARIANT.colour_count()), (2, 2));
    }),
    (
        "2 each player has the same tiles of one to five cells",
        || {
            let game = Game::new(&VARIANT);
            for colour in game.colours() {
                let sizes: Vec<u8> = game.tiles_left(colour).iter().map(|it| it.size()).collect();
                assert_eq!((sizes[0], sizes[20], sizes.len()), (1, 5, 21));
            }
        },
    ),
    ("3 the player with more cells on the board wins", || {
        for seed in 0..10 {
            let game = finished(&VARIANT, seed).fast;
            let [first, second] = [0, 1].map(|it| game.cells(Colour(it)).len());
            let expected: &[Seat] = match first.cmp(&second) {
                std::cmp::Ordering::Greater => &[Seat(0)],
                std::cmp::Ordering::Less => &[Seat(1)],
                std::cmp::Ordering::Equal => &[Seat(0), Seat(1)],
            };
            assert_eq!(game.result().winners(), expected);
        }
    }),
    ("4 turns alternate, player 1 first", || {
        let mut game = Game::new(&VARIANT);
        for ply in 0..6 {
            assert_eq!(game.seat_to_move(), Some(Seat(ply % 2)));
            let placement = game.legal()[0];
            game.play(placement.into()).unwrap();
        }
    }),
    ("5 a move places any of the remaining pieces", || {
        let mut game = after(&VARIANT, "11 1e").fast;
        game.play(mv("22+23")).unwrap();
        let used = IllegalMove::TileUsed {
            tile: Tile::from_letter(b'b').unwrap(),
        };
        game.play(Move::Pass).unwrap();
        assert_eq!(game.check(mv("34+35")), Err(used));
    }),
    ("6 a piece touches a corner of another own piece", || {
        let pair = after(&VARIANT, "11 1e");
        assert_eq!(reason(&pair, "22+23"), None);
        let found = reason(&pair, "55+56").unwrap();
        assert!(matches!(found, IllegalMove::NoConnection { .. }), "{found}");
        let text = "the tile touches no corner of a tile of the same colour and covers no free start cell (e1)";
        assert_eq!(found.to_string(), text);
    }),
    ("7 a piece touches no side of another own piece", || {
        let pair = after(&VARIANT, "11 1e");
        let edge = IllegalMove::EdgeContact { cell: cell(2, 1) };
        assert_eq!(reason(&pair, "21+22"), Some(edge));
    }),
    (
        "8 a piece may touch the side of an opponent's piece",
        || {
            let pair = after(&VARIANT, "11+12+13+14+15 1a+1b+1c+1d+1e 26+27+28");
            assert_eq!(reason(&pair, "29+39"), None);
        },
    ),
    (
        "9 player 1 covers the upper left or right cell first",
        || {
            let pair = after(&VARIANT, "");
            let starts = [
                ("11", true),
                ("e1", true),
                ("1e", false),
                ("ee", false),
                ("77", false),
            ];
            for (code, is_legal) in starts {
                assert_eq!(reason(&pair, code).is_none(), is_legal, "{code}");
            }
            let found = reason(&pair, "77").unwrap();
            let text = "a colour's first tile must cover one of the start cells 11, e1";
            assert_eq!(found.to_string(), text);
            assert_eq!(pair.fast.count_legal(), 2 * 58);
        },
    ),
    (
        "10 player 2 covers the lower left or right cell first",
        || {
            let pair = after(&VARIANT, "11");
            let starts = [("1e", true), ("ee", true), ("e1", false), ("77", false)];
            for (code, is_legal) in starts {
                assert_eq!(reason(&pair, code).is_none(), is_legal, "{code}");
            }
            assert_eq!(pair.fast.count_legal(), 2 * 58);
            // On the first turn a player must place a piece.
            assert_eq!(reason(&pair, "pass"), Some(IllegalMove::PassOnFirstTurn));
        },
    ),
    ("11 a player that passed places no further piece", || {
        let mut game = after(&VARIANT, "11 1e pass").fast;
        assert!(game.is_out(Colour(0)) && game.can_place(Colour(0)));
        let mut random = Random(11);
        while let Some(colour) = game.to_move() {
            assert_eq!(colour, Colour(1));
            game.play(random_move(&game, &mut random, usize::MAX))
                .unwrap();
        }
        assert_eq!(game.cells_placed(Colour(0)), 1);
        assert!(game.cells_placed(Colour(1)) > 20);
    }),
    ("12 the game ends when both have passed", || {
        let mut pair = after(&VARIANT, "11 1e pass 2c+2d");
        assert!(!pair.fast.is_over());
        pair.play(Move::Pass);
        assert!(pair.fast.is_over() && pair.slow.to_move().is_none());
        // A player without a place to go still has to pass.
        let mut game = finished(&VARIANT, 12).fast;
        let mut passes = 0;
        while let Some(ply) = game.undo() {
            passes += usize::from(ply.mv == Move::Pass);
        }
        assert_eq!(passes, 2);
    }),
    ("13 the score is the number of cells on the board", || {
        let game = finished(&VARIANT, 13).fast;
        for seat in game.seats() {
            let cells = game.cells(Colour(seat.0)).len() as i32;
            assert_eq!(game.seat_score(seat), cells);
        }
    }),
    ("14 pieces come in any order", || {
        let game = Game::new(&VARIANT);
        let tiles: TileSet = game.legal().into_iter().map(|it| it.tile()).collect();
        // The cross covers no corner of the board.
        assert_eq!(tiles.to_string(), "abcdefghijklmnopqrst");
        let game = after(&VARIANT, "11 1e").fast;
        let tiles: TileSet = game.legal().into_iter().map(|it| it.tile()).collect();
        assert_eq!(tiles.to_string(), "bcdefghijklmnopqrstu");
    }),
    ("15 after a pass the other takes turns in a row", || {
        let mut game = after(&VARIANT, "11 1e pass").fast;
        for _ in 0..5 {
            assert_eq!(game.seat_to_move(), Some(Seat(1)));
            let placement = game.legal()[0];
            game.play(placement.into()).unwrap();
        }
    }),
    (
        "16 a later piece may connect to an own starting corner",
        || {
            let pair = after(&VARIANT, "11 1e");
            assert_eq!(reason(&pair, "e1+e2+e3"), None);
            assert_eq!(reason(&pair, "d1+e1"), None);
            // The opponent's corners do not count, and a covered corner is taken.
            assert!(matches!(
                reason(&pair, "ee+ed"),
                Some(IllegalMove::NoConnection { .. })
            ));
            assert!(matches!(
                reason(&pair, "dd+dc"),
                Some(IllegalMove::NoConnection { .. })
            ));
            let points = pair.fast.corner_points(Colour(0));
            assert_eq!(list(points.iter()), [cell(14, 1), cell(2, 2)]);
            // Once both corners are used, only own corners remain.
            let pair = after(&VARIANT, "11 1e d1+e1 ee+ed");
            assert_eq!(
                reason(&pair, "77+78+79"),
                Some(IllegalMove::NoCornerContact)
            );
        },
    ),
    ("17 a player may not pass for the other", || {
        // A pass is a move of the colour that has the turn, and of no other.
        let game = after(&VARIANT, "11 1e pass").fast;
        let last = game.plies().last().unwrap();
        assert_eq!((last.colour, last.mv), (Colour(0), Move::Pass));
        assert!(!game.is_out(Colour(1)));
    }),
];

const CHANGES: &[Row] = &[
    ("18 the score counts upwards from 0", || {
        let mut game = Game::new(&VARIANT);
        assert_eq!(game.seat_score(Seat(0)), 0);
        game.play(mv("11")).unwrap();
        assert_eq!(game.seat_score(Seat(0)), 1);
        assert_eq!(VARIANT.scoring(), ScoringRule::Cells);
    }),
    ("19 there are no bonus points", || {
        for last in [Tile::MONOMINO, Tile::ALL[20]] {
            let points = VARIANT.scoring().points(TileSet::EMPTY, Some(last));
            assert_eq!(points, 89);
        }
        // A player without tiles passes, and the other continues.
        assert!(!VARIANT.ending().all_placed);
    }),
    ("20 players start in the corners of 14x14 cells", || {
        assert_eq!(VARIANT.size(), 14);
        let starts = |colour| VARIANT.starts(Colour(colour)).as_slice().to_vec();
        assert_eq!(starts(0), [cell(1, 1), cell(14, 1)]);
        assert_eq!(starts(1), [cell(1, 14), cell(14, 14)]);
    }),
];

const DIAGNOSTICS: &[Row] = &[
    ("21 during the game: the current score", || {
        let game = after(&VARIANT, "11 1e+1d").fast;
        let colours = game.diagnostics().colours;
        assert_eq!([colours[0].score, colours[1].score], [1, 2]);
        assert!(!game.diagnostics().is_over);
    }),
    ("22 during the game: the number of remaining pieces", || {
        let game = after(&VARIANT, "11").fast;
        let colours = game.diagnostics().colours;
        let left = [0, 1].map(|colour| colours[colour].tiles_left.len());
        assert_eq!(left, [20, 21]);
    }),
    (
        "23 after the game: final score, void cells, remaining pieces",
        || {
            let game = finished(&VARIANT, 23).fast;
            let diagnostics = game.diagnostics();
            assert!(diagnostics.is_over);
            for it in &diagnostics.colours {
                assert_eq!(it.score, game.seat_score(Seat(it.colour.0)));
                assert_eq!(it.tiles_left.cell_count() as i32, 89 - it.score);
                assert!(!it.void_cells.is_empty());
            }
        },
    ),
    (
        "24 void: an empty cell next to a side of an own piece",
        || {
            let game = after(&VARIANT, "11 1e").fast;
            let void = |colour| list(game.void_cells(Colour(colour)).iter());
            assert_eq!(void(0), [cell(2, 1), cell(1, 2)]);
            assert_eq!(void(1), [cell(1, 13), cell(2, 14)]);
            // The opponent may cover a void cell, which is void no more.
            let mut pair = after(&VARIANT, "11+12+13+14+15 1a+1b+1c+1d+1e 26+27+28");
            assert!(pair.fast.void_cells(Colour(0)).contains(cell(2, 9)));
            pair.play(mv("29+39"));
            assert!(!pair.fast.void_cells(Colour(0)).contains(cell(2, 9)));
        },
    ),
    ("25 the number of empty cells, of 196", || {
        assert_eq!(Game::new(&VARIANT).diagnostics().empty_cells, 196);
        let game = after(&VARIANT, "11 1e").fast;
        assert_eq!(game.diagnostics().empty_cells, 194);
    }),
    ("26 which player won, or a draw", || {
        let mut pair = after(&VARIANT, "11 1e");
        assert!(pair.fast.diagnostics().result.is_draw());
        for word in ["22+23", "pass", "pass"] {
            pair.play(mv(word));
        }
        let diagnostics = pair.fast.diagnostics();
        assert!(diagnostics.is_over);
        assert_eq!(diagnostics.result.winners(), [Seat(0)]);
    }),
];
