//! Source document 003: rules, scorings and checks of a web implementation.

use std::collections::BTreeSet;

use duoforge_rules::{
    Cell, Colour, Game, GameVariant, IllegalMove, Orientation, Placement, ScoringRule, Seat, Tile,
    TileSet,
};

use crate::common::{Random, random_move};
use crate::{Row, after, before_the_last_tile, cell, check, finished, mv, reason};

const VARIANT: GameVariant = GameVariant::CLASSIC;

#[test]
fn every_sentence_of_the_readme_holds() {
    check(RULES);
    check(SCORINGS);
    check(VALIDATION);
}

const RULES: &[Row] = &[
    ("0 there are 21 pieces per player", || {
        let game = Game::new(&VARIANT);
        assert!(
            game.colours()
                .all(|it| game.tiles_left(it) == TileSet::FULL)
        );
        assert_eq!(TileSet::FULL.len(), 21);
    }),
    ("1 the first block covers a corner of the board", || {
        let corners = ["11", "k1", "kk", "1k"];
        for (i, own) in corners.into_iter().enumerate() {
            let before = corners[..i].join(" ");
            let pair = after(&VARIANT, &before);
            assert_eq!(reason(&pair, own), None);
            let start = VARIANT.starts(Colour(i as u8)).as_slice()[0];
            let missed = IllegalMove::StartCellMissed { start };
            assert_eq!(reason(&pair, "55"), Some(missed));
            // With free starts, every corner that is free will do.
            let free = after(&GameVariant::CLASSIC_FREE, &before);
            for corner in &corners[i..] {
                assert_eq!(reason(&free, corner), None);
            }
        }
    }),
    (
        "2 later blocks touch a corner of the colour and share no edge with it",
        || {
            let pair = after(&VARIANT, "11 k1 kk 1k");
            assert_eq!(reason(&pair, "22+23"), None);
            assert_eq!(reason(&pair, "33+34"), Some(IllegalMove::NoCornerContact));
            let edge = IllegalMove::EdgeContact { cell: cell(2, 1) };
            assert_eq!(reason(&pair, "21+22+31"), Some(edge));
        },
    ),
    ("3 a player is out once no block can be placed", || {
        let mut game = Game::new(&VARIANT);
        let mut random = Random(3);
        let mut skipped = 0;
        while let Some(colour) = game.to_move() {
            assert!(game.can_place(colour), "a colour that is out has no turn");
            game.play(random_move(&game, &mut random, usize::MAX))
                .unwrap();
            let next = game.to_move().map_or(colour.0, |next| next.0);
            let between = (1..4).map(|step| (colour.0 + step) % 4);
            for out in between.take_while(|&it| it != next) {
                assert!(!game.can_place(Colour(out)));
                skipped += 1;
            }
        }
        assert!(skipped > 0);
        assert!(game.plies().iter().all(|ply| ply.mv.placement().is_some()));
    }),
    (
        "4 the game ends when no player can place, blocked or without pieces",
        || {
            let mut game = finished(&VARIANT, 4).fast;
            assert!(game.colours().all(|it| !game.can_place(it)));
            game.undo();
            assert!(!game.is_over());
            // A player may not give up a turn on which a block fits.
            assert_eq!(game.check(mv("pass")), Err(IllegalMove::PassWithPlacement));
        },
    ),
];

const SCORINGS: &[Row] = &[
    ("5 basic: the fewest unplayed cells win", || {
        for seed in 0..10 {
            let game = finished(&VARIANT.with_scoring(ScoringRule::Basic), seed).fast;
            let unplayed = |seat: Seat| game.tiles_left(Colour(seat.0)).cell_count();
            let fewest = game.seats().map(unplayed).min();
            for seat in game.seats() {
                let wins = game.result().winners().contains(&seat);
                assert_eq!(wins, Some(unplayed(seat)) == fewest);
                assert_eq!(game.seat_score(seat), -(unplayed(seat) as i32));
            }
        }
        // Also without a bonus at the end.
        let (mut game, last) = before_the_last_tile(true, ScoringRule::Basic);
        game.play(last).unwrap();
        assert_eq!(game.colour_score(Colour(0)), 0);
    }),
    ("6 advanced: each cell left is -1 point", || {
        let game = finished(&VARIANT, 6).fast;
        for colour in game.colours() {
            let left = game.tiles_left(colour);
            assert!(!left.is_empty());
            assert_eq!(game.colour_score(colour), -(left.cell_count() as i32));
        }
    }),
    ("7 advanced: +15 if all pieces have been placed", || {
        let (mut game, last) = before_the_last_tile(false, ScoringRule::Advanced);
        let size = i32::from(last.placement().unwrap().tile().size());
        assert_eq!(game.colour_score(Colour(0)), -size);
        game.play(last).unwrap();
        assert_eq!(game.colour_score(Colour(0)), 15);
    }),
    ("8 advanced: 5 more if the last was the single cell", || {
        let (mut game, last) = before_the_last_tile(true, ScoringRule::Advanced);
        assert_eq!(game.colour_score(Colour(0)), -1);
        game.play(last).unwrap();
        assert_eq!(game.colour_score(Colour(0)), 20);
    }),
    ("9 alternative: one point for each cell covered", || {
        let game = finished(&VARIANT.with_scoring(ScoringRule::Alternative), 9).fast;
        for colour in game.colours() {
            assert_eq!(game.colour_score(colour), game.cells(colour).len() as i32);
        }
    }),
    ("10 alternative: +15 if all pieces are used", || {
        let (mut game, last) = before_the_last_tile(false, ScoringRule::Alternative);
        game.play(last).unwrap();
        assert_eq!(game.colour_score(Colour(0)), 89 + 15);
    }),
    (
        "11 alternative: +5 if the single cell was last, 109 at most",
        || {
            let (mut game, last) = before_the_last_tile(true, ScoringRule::Alternative);
            assert_eq!(game.colour_score(Colour(0)), 88);
            game.play(last).unwrap();
            assert_eq!(game.colour_score(Colour(0)), 109);
            // The single cell counts only as the last of all pieces.
            let single = after(&VARIANT.with_scoring(ScoringRule::Alternative), "11").fast;
            assert_eq!(single.colour_score(Colour(0)), 1);
        },
    ),
];

const VALIDATION: &[Row] = &[
    ("12 there is a definition of each of the 21 blocks", || {
        assert_eq!(Tile::ALL.len(), 21);
        let shapes: BTreeSet<_> = Tile::ALL.iter().map(|tile| tile.base_cells()).collect();
        assert_eq!(shapes.len(), 21);
    }),
    ("13 the first block covers a corner", || {
        let game = Game::new(&VARIANT);
        for placement in game.legal() {
            assert!(placement.cells().any(|it| it == Cell::new(0, 0)));
        }
    }),
    ("14 the positions are not used", || {
        let pair = after(&VARIANT, "11+12 k1 kk 1k");
        let taken = IllegalMove::Occupied { cell: cell(1, 2) };
        assert_eq!(reason(&pair, "12"), Some(taken));
    }),
    (
        "15 at least one corner touches one of the player's blocks",
        || {
            // The corner of another player's block does not count.
            let pair = after(&VARIANT, "11 k1 kk 1k");
            assert_eq!(
                reason(&pair, "j2+i2+h2"),
                Some(IllegalMove::NoCornerContact)
            );
        },
    ),
    (
        "16 the block shares no edges with the player's blocks",
        || {
            let pair = after(&VARIANT, "11 k1 kk 1k");
            let edge = IllegalMove::EdgeContact { cell: cell(1, 2) };
            assert_eq!(reason(&pair, "12+13+14"), Some(edge));
            // In a game of two players, the two colours of one may share edges.
            let pair = after(&GameVariant::CLASSIC_2, "11 k1 kk 1k");
            assert_eq!(reason(&pair, "22+23"), None);
        },
    ),
    (
        "17 the given positions match the shape of the block",
        || {
            // A legal move covers the cells of one of its tile's forms, moved to the anchor.
            for placement in Game::new(&VARIANT).legal() {
                let cells: Vec<Cell> = placement.cells().collect();
                let matching = Orientation::of_tile(placement.tile()).filter(|&form| {
                    Placement::new(form, placement.x, placement.y)
                        .cells()
                        .eq(cells.iter().copied())
                });
                assert_eq!(matching.count(), 1);
            }
        },
    ),
    (
        "18 there are 8 possible forms, and fewer of some blocks",
        || {
            let forms = |letter| Orientation::of_tile(Tile::from_letter(letter).unwrap()).len();
            assert_eq!([forms(b'u'), forms(b'j'), forms(b'k')], [1, 2, 8]);
        },
    ),
    ("19 two to four players", || {
        let seats = [
            &GameVariant::CLASSIC_2,
            &GameVariant::CLASSIC_3,
            &GameVariant::CLASSIC,
        ];
        assert_eq!(seats.map(GameVariant::seat_count), [2, 3, 4]);
    }),
    ("20 hints show which pieces can be played where", || {
        let game = after(&VARIANT, "11 k1 kk 1k").fast;
        let at = game.tiles_for_cell(Colour(0), cell(2, 2));
        assert_eq!(at.len(), 20, "every piece but the one placed");
        assert!(game.tiles_for_cell(Colour(0), cell(1, 2)).is_empty());
        let domino = Tile::from_letter(b'b').unwrap();
        let cells = game.cells_for_tile(Colour(0), domino);
        let expected = [(2, 2), (3, 2), (2, 3)].map(|(x, y)| cell(x, y));
        assert_eq!(cells.iter().collect::<Vec<_>>(), expected);
    }),
    ("21 different game types are supported", || {
        let names: Vec<_> = GameVariant::BUILT_IN
            .iter()
            .map(|it| it.name().to_owned())
            .collect();
        let expected = [
            "duo",
            "duo-corner",
            "classic",
            "classic-free",
            "classic-2",
            "classic-3",
        ];
        assert_eq!(names, expected);
    }),
];
