//! Source document 000: rules and state of a service for bots.

use duoforge_rules::{
    Cell, Colour, Game, GameVariant, IllegalMove, Orientation, ScoringRule, Seat, ShapeReference,
    Tile,
};

use crate::common::{Random, list, random_move};
use crate::{Row, after, cell, check, finished, reason};

const VARIANT: GameVariant = GameVariant::CLASSIC_FREE;

/// Game after one round: each colour covers its corner with the monomino.
const ROUND: &str = "11 k1 kk 1k";

#[test]
fn every_sentence_of_the_service_holds() {
    check(SENTENCES);
}

const SENTENCES: &[Row] = &[
    (
        "1 place shapes by connecting the corners but not the sides",
        || {
            let pair = after(&VARIANT, ROUND);
            assert_eq!(reason(&pair, "22+23"), None);
            let edge = IllegalMove::EdgeContact { cell: cell(2, 1) };
            assert_eq!(reason(&pair, "21+22"), Some(edge));
        },
    ),
    ("2 cover the most area to win", || {
        let game = after(&VARIANT, "11+12 k1 kk 1k").fast;
        assert_eq!(game.result().winners(), [Seat(0)]);
    }),
    ("3 players take turns on a 20 by 20 board", || {
        let mut game = Game::new(&VARIANT);
        assert_eq!((game.size(), game.empty_cells().len()), (20, 400));
        for ply in 0..8 {
            assert_eq!(game.to_move(), Some(Colour(ply % 4)));
            let placement = game.legal()[0];
            game.play(placement.into()).unwrap();
        }
    }),
    ("4 the first piece starts in one of the corners", || {
        for (codes, colour) in [("", 0), ("11", 1), ("11 k1", 2), ("11 k1 kk", 3)] {
            let pair = after(&VARIANT, codes);
            assert_eq!(pair.fast.to_move(), Some(Colour(colour)));
            let corners = ["11", "k1", "kk", "1k"];
            for code in corners {
                let is_free = !codes.contains(code);
                assert_eq!(reason(&pair, code).is_none(), is_free, "{code}");
            }
            let missed = reason(&pair, "55").unwrap().to_string();
            let rest = corners[usize::from(colour)..].join(", ");
            let text = "a colour's first tile must cover one of the start cells";
            assert_eq!(missed, format!("{text} {rest}"));
        }
    }),
    (
        "5 a corner of the piece touches the corner of another piece of the colour",
        || {
            let pair = after(&VARIANT, ROUND);
            assert_eq!(reason(&pair, "22+23"), None);
            assert_eq!(reason(&pair, "55+56"), Some(IllegalMove::NoCornerContact));
            // A corner of another colour, or an unused corner of the board, does not count.
            assert_eq!(reason(&pair, "j2+j3"), Some(IllegalMove::NoCornerContact));
            let pair = after(&VARIANT, "11 k1 kk 1j+1k");
            assert_eq!(reason(&pair, "3h+3i"), Some(IllegalMove::NoCornerContact));
        },
    ),
    (
        "6 a side does not touch the side of another piece of the colour",
        || {
            let pair = after(&VARIANT, ROUND);
            let edge = IllegalMove::EdgeContact { cell: cell(1, 2) };
            assert_eq!(reason(&pair, "12+13"), Some(edge));
            // Sides of other colours may touch: here (2, 12) of colour 3.
            let left = "11+12+13+14+15 k1 kk 1g+1h+1i+1j+1k";
            let next = "26+27+28+29 j2+j3 jj+ji 2c+2d+2e+2f";
            let pair = after(&VARIANT, &format!("{left} {next}"));
            assert_eq!(reason(&pair, "3a+3b+3c"), None);
        },
    ),
    ("7 pieces do not overlap", || {
        let pair = after(&VARIANT, "11+12 k1 kk 1k");
        let taken = IllegalMove::Occupied { cell: cell(1, 2) };
        assert_eq!(reason(&pair, "12+13+14"), Some(taken));
    }),
    ("8 there are 4 sets of 21 different pieces", || {
        let game = Game::new(&VARIANT);
        assert_eq!(game.colours().len(), 4);
        for colour in game.colours() {
            assert_eq!(game.tiles_left(colour).len(), 21);
        }
        let pair = after(&VARIANT, ROUND);
        let tile = Tile::MONOMINO;
        assert_eq!(reason(&pair, "22"), Some(IllegalMove::TileUsed { tile }));
    }),
    ("9 orientations come from rotation and reflection", || {
        let forms: Vec<Orientation> = "fklmn".bytes().flat_map(of_letter).collect();
        // Rotations of L4, L5, N, P have mirror images; those of U have none.
        assert_eq!(forms.len(), 8 + 8 + 8 + 8 + 4);
    }),
    ("10 each piece has at most 8 orientations", || {
        let counts = Tile::ALL.map(|tile| Orientation::of_tile(tile).len());
        assert_eq!(counts.iter().max(), Some(&8));
        assert_eq!(counts.iter().sum::<usize>(), 91);
    }),
    ("11 some pieces have one orientation only", || {
        for letter in *b"ahu" {
            assert_eq!(of_letter(letter).len(), 1);
        }
    }),
    ("12 all orientations are in the reference data", || {
        let shapes = ShapeReference::all();
        let orientations: Vec<_> = shapes.iter().map(|shape| shape.orientation).collect();
        assert_eq!(orientations, Orientation::all().collect::<Vec<_>>());
    }),
    ("13 `pos` has the coordinates of a piece", || {
        for shape in ShapeReference::all() {
            let cells = shape.orientation.cells().iter();
            let cells: Vec<(i8, i8)> = cells.map(|it| (it.x as i8, it.y as i8)).collect();
            let pos: Vec<(i8, i8)> = shape.pos.iter().map(|it| (it.x, it.y)).collect();
            assert_eq!(pos, cells);
        }
    }),
    (
        "14 `side` and `corner` have those of its neighbours",
        || {
            let domino = &ShapeReference::all()[1];
            let pairs = |list: &[duoforge_rules::Offset]| -> Vec<(i8, i8)> {
                list.iter().map(|it| (it.x, it.y)).collect()
            };
            assert_eq!(pairs(&domino.pos), [(0, 0), (0, 1)]);
            let side = [(0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, 2)];
            assert_eq!(pairs(&domino.side), side);
            assert_eq!(pairs(&domino.corner), [(-1, -1), (1, -1), (-1, 2), (1, 2)]);
        },
    ),
    (
        "15 `required_positions` and `unavailable_spots` are calculated",
        || {
            let game = after(&VARIANT, ROUND).fast;
            let reference = game.reference();
            assert_eq!(list(reference.required_positions.iter()), [cell(2, 2)]);
            let unavailable = list(reference.unavailable_cells.iter());
            let expected = [(1, 1), (2, 1), (20, 1), (1, 2), (1, 20), (20, 20)];
            assert_eq!(unavailable, expected.map(|(x, y)| cell(x, y)));
            let start = Game::new(&VARIANT).reference();
            assert_eq!(start.required_positions.len(), 4);
            assert!(start.unavailable_cells.is_empty());
        },
    ),
    (
        "16 a piece on a required position and no unavailable one satisfies the rules",
        || {
            let mut game = Game::new(&VARIANT);
            let mut random = Random(16);
            while !game.is_over() {
                let reference = game.reference();
                for orientation in Orientation::all() {
                    let (x, y) = (random.below(20) as u8, random.below(20) as u8);
                    let placement = duoforge_rules::Placement::new(orientation, x, y);
                    let left = game.tiles_left(game.to_move().unwrap());
                    if !placement.fits(20) || !left.contains(placement.tile()) {
                        continue;
                    }
                    let mut cells = placement.cells();
                    let is_required = |it: Cell| reference.required_positions.contains(it);
                    let is_free = |it: Cell| !reference.unavailable_cells.contains(it);
                    let satisfies = cells.clone().any(is_required) && cells.all(is_free);
                    assert_eq!(game.check(placement.into()).is_ok(), satisfies);
                }
                game.play(random_move(&game, &mut random, usize::MAX))
                    .unwrap();
            }
        },
    ),
    (
        "17 with 2 players `player_idx_to_play` is the set to play",
        || {
            let mut game = Game::new(&GameVariant::CLASSIC_2);
            for ply in 0..8 {
                let reference = game.reference();
                assert_eq!(reference.player_idx_to_play, Some(Colour(ply % 4)));
                assert_eq!(reference.user_idx_to_play, Some(Seat(ply % 2)));
                assert_eq!(reference.user_idx_to_play_fourth_color, None);
                let placement = game.legal()[0];
                game.play(placement.into()).unwrap();
            }
        },
    ),
    (
        "18 player 1 controls indices 0 and 2, player 2 controls 1 and 3",
        || {
            let colours = |seat| -> Vec<u8> {
                let colours = GameVariant::CLASSIC_2.colours_of(Seat(seat)).map(|it| it.0);
                colours.collect()
            };
            assert_eq!([colours(0), colours(1)], [[0, 2], [1, 3]]);
        },
    ),
    (
        "19 with 3 players each has a set and takes turns with the 4th",
        || {
            let game = finished(&GameVariant::CLASSIC_3, 19).fast;
            let shared = game.plies().iter().filter(|ply| ply.colour == Colour(3));
            let seats: Vec<u8> = shared.map(|ply| ply.seat.0).collect();
            assert!(seats.len() > 6);
            assert!(
                seats
                    .iter()
                    .zip((0..3).cycle())
                    .all(|(&seat, place)| seat == place)
            );
            let own = game.plies().iter().filter(|ply| ply.colour != Colour(3));
            assert!(own.clone().all(|ply| ply.seat.0 == ply.colour.0));
        },
    ),
    (
        "20 `user_idx_to_play_fourth_color` is the player of the fourth set",
        || {
            let mut game = Game::new(&GameVariant::CLASSIC_3);
            for ply in 0..16 {
                let expected = Some(Seat(ply / 4 % 3));
                let reference = game.reference();
                assert_eq!(reference.user_idx_to_play_fourth_color, expected);
                if game.to_move() == Some(Colour(3)) {
                    assert_eq!(reference.user_idx_to_play, expected);
                }
                let placement = game.legal()[0];
                game.play(placement.into()).unwrap();
            }
        },
    ),
    ("21 with 4 players each has a set", || {
        for seat in VARIANT.seats() {
            let colours: Vec<Colour> = VARIANT.colours_of(seat).collect();
            assert_eq!(colours, [Colour(seat.0)]);
        }
    }),
    ("22 points are the size of the piece", || {
        let mut game = Game::new(&VARIANT);
        let mut random = Random(22);
        while let Some(colour) = game.to_move() {
            let before = game.colour_score(colour);
            let mv = random_move(&game, &mut random, usize::MAX);
            game.play(mv).unwrap();
            let size = mv.placement().unwrap().tile().size();
            assert_eq!(game.colour_score(colour), before + i32::from(size));
        }
    }),
    ("23 the score is the sum of the points", || {
        let game = finished(&VARIANT, 23).fast;
        for seat in game.seats() {
            let own = game.plies().iter().filter(|ply| ply.seat == seat);
            let sizes = own.filter_map(|ply| ply.mv.placement());
            let sum: i32 = sizes.map(|it| i32::from(it.tile().size())).sum();
            assert_eq!(game.seat_score(seat), sum);
        }
        assert_eq!(VARIANT.scoring(), ScoringRule::Cells);
    }),
    ("24 the game ends when no one can place", || {
        let mut game = finished(&VARIANT, 24).fast;
        assert!(game.colours().all(|colour| !game.can_place(colour)));
        while game.undo().is_some() {
            assert!(!game.is_over());
            assert!(game.colours().any(|colour| game.can_place(colour)));
            assert!(
                game.can_place(game.to_move().unwrap()),
                "others have no turn"
            );
        }
    }),
    ("25 the player with the highest score wins", || {
        for seed in 0..20 {
            let result = finished(&VARIANT, seed).fast.result();
            let best = result.seats().iter().map(|seat| seat.score).max();
            for seat in result.seats() {
                let wins = result.winners().contains(&seat.seat);
                assert_eq!(wins, Some(seat.score) == best);
            }
        }
    }),
];

fn of_letter(letter: u8) -> Vec<Orientation> {
    Orientation::of_tile(Tile::from_letter(letter).unwrap()).collect()
}
