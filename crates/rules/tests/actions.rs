//! Action numbers, sets of cells, hints, diagnostics and reference data, against plain
//! enumerations.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_rules::{
    ActionSpace, Cell, CellSet, Colour, Game, GameVariant, Move, Offset, Orientation, Placement,
    ScoringRule, Seat, ShapeReference, Tile,
};

mod common;

use common::{Random, definition, list, random_move};

#[test]
fn action_numbers_are_those_of_the_placements_in_order() {
    for size in 1..=20 {
        let actions = ActionSpace::new(size);
        let mut next = 0;
        let mut placements = actions.placements();
        for orientation in Orientation::all() {
            let anchors = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
            for (x, y) in anchors {
                let placement = Placement::new(orientation, x, y);
                let mv = Move::Place(placement);
                if placement.fits(size) {
                    assert_eq!(actions.number(mv), Some(next));
                    assert_eq!(actions.mv(next), Some(mv));
                    assert_eq!(placements.next(), Some(placement));
                    next += 1;
                } else {
                    assert_eq!(actions.number(mv), None);
                }
            }
        }
        assert_eq!(placements.next(), None);
        assert_eq!(actions.pass(), next);
        assert_eq!(actions.number(Move::Pass), Some(next));
        assert_eq!(actions.mv(next), Some(Move::Pass));
        assert_eq!(
            [next + 1, u32::MAX].map(|number| actions.mv(number)),
            [None; 2]
        );
        assert_eq!((actions.len(), actions.size()), (next as usize + 1, size));
    }
}

/// Numbers computed from `tests/data/tile_codes.csv` by another program. They never change.
#[test]
fn action_numbers_are_fixed() {
    for (size, code, number) in [
        (14, "11a0", 0),
        (14, "eea0", 195),
        (14, "11b0", 196),
        (14, "53e0", 1_590),
        (14, "a8e0", 1_665),
        (14, "a4t3", 12_897),
        (14, "55u0", 13_624),
        (14, "ddu0", 13_728),
        (14, "0000", 13_729),
        (20, "11a0", 0),
        (20, "kka0", 399),
        (20, "a4t3", 28_533),
        (20, "jju0", 30_432),
        (20, "0000", 30_433),
        (5, "44u7", 957),
        (5, "0000", 958),
    ] {
        let mv: Move = code.parse().unwrap();
        let found = ActionSpace::new(size).number(mv);
        assert_eq!(found, Some(number), "{code} on {size} columns");
    }
}

#[test]
fn a_mask_has_the_legal_actions() {
    for variant in GameVariant::BUILT_IN {
        let mut game = Game::new(&variant);
        let actions = game.actions();
        let mut mask = vec![true; actions.len()];
        let mut random = Random(3);
        while !game.is_over() {
            game.write_action_mask(&mut mask);
            let set = (0..).zip(&mask).filter(|(_, is_legal)| **is_legal);
            let moves: Vec<Move> = set.map(|(number, _)| actions.mv(number).unwrap()).collect();
            assert_eq!(moves, game.legal_moves());
            game.play(random_move(&game, &mut random, 50)).unwrap();
        }
        game.write_action_mask(&mut mask);
        assert!(!mask.contains(&true));
    }
}

#[test]
#[should_panic(expected = "a mask has one entry per action")]
fn a_mask_of_another_size_is_refused() {
    Game::new(&GameVariant::DUO).write_action_mask(&mut [false; 9]);
}

#[test]
fn sets_of_cells_have_a_size() {
    let mut set = CellSet::new(15);
    assert!(set.is_empty());
    set.insert(Cell::new(14, 0));
    set.insert(Cell::new(0, 14));
    assert_eq!(list(set.iter()), [Cell::new(14, 0), Cell::new(0, 14)]);
    assert_eq!(
        (set.len(), set.complement().len(), set.size()),
        (2, 223, 15)
    );
    assert_eq!(set.complement().complement(), set);
    assert_eq!((set.rows().len(), set.rows()[14]), (15, 1));
    for off_board in [(15, 0), (0, 15), (40, 0), (0, 40), (255, 255)] {
        let cell = Cell::new(off_board.0, off_board.1);
        assert!(!set.contains(cell) && !set.complement().contains(cell));
    }
    let mut small = CellSet::new(2);
    small.insert(Cell::new(1, 0));
    assert_eq!(small.to_string(), ". X\n. .\n");
    assert_eq!(format!("{small:?}"), "CellSet {\n. X\n. .\n}");
}

#[test]
#[should_panic(expected = "6a is not on the board")]
fn a_set_takes_no_cell_off_its_board() {
    CellSet::new(9).insert(Cell::new(5, 9));
}

/// Calls `visit` at the positions of random games of all variants, and of a board of 16 columns.
fn at_positions(mut visit: impl FnMut(&Game)) {
    let odd = definition("odd", 16, 2, &[&[[0, 0], [15, 15]], &[[15, 0]]]);
    let odd = duoforge_rules::GameVariant::new(&odd).unwrap();
    for (seed, variant) in (0..).zip(GameVariant::BUILT_IN.iter().chain([&odd])) {
        let mut game = Game::new(variant);
        let mut random = Random(seed);
        while !game.is_over() {
            visit(&game);
            game.play(random_move(&game, &mut random, 50)).unwrap();
        }
        visit(&game);
    }
}

#[test]
fn hints_are_those_of_the_placements_one_by_one() {
    at_positions(|game| {
        for colour in game.colours() {
            let mut tiles: BTreeMap<Cell, BTreeSet<Tile>> = BTreeMap::new();
            let mut cells: BTreeMap<Tile, BTreeSet<Cell>> = BTreeMap::new();
            for placement in game.placements_of(colour) {
                for cell in placement.cells() {
                    tiles.entry(cell).or_default().insert(placement.tile());
                    cells.entry(placement.tile()).or_default().insert(cell);
                }
            }
            for tile in Tile::ALL {
                let found: BTreeSet<Cell> = game.cells_for_tile(colour, tile).iter().collect();
                assert_eq!(found, cells.remove(&tile).unwrap_or_default(), "{tile}");
            }
            for (x, y) in (0..21).map(|i| (i, i * 7 % 20)) {
                let cell = Cell::new(x, y);
                let found: BTreeSet<Tile> = game.tiles_for_cell(colour, cell).iter().collect();
                assert_eq!(found, tiles.remove(&cell).unwrap_or_default(), "{cell}");
            }
        }
    });
}

/// Corner points and allowed cells decide legality, as the reference data states.
#[test]
fn reference_data_decides_legality() {
    let shapes = ShapeReference::all();
    assert_eq!(shapes.len(), Orientation::COUNT);
    at_positions(|game| {
        let reference = game.reference();
        assert_eq!(reference.player_idx_to_play, game.to_move());
        assert_eq!(reference.user_idx_to_play, game.seat_to_move());
        let has_shared = game.variant().shared_colour().is_some();
        assert_eq!(
            reference.user_idx_to_play_fourth_color.is_some(),
            has_shared
        );
        let Some(colour) = game.to_move() else {
            assert!(reference.required_positions.is_empty());
            assert!(reference.unavailable_cells.complement().is_empty());
            return;
        };
        let mut legal = Vec::new();
        for shape in &shapes {
            if !game.tiles_left(colour).contains(shape.orientation.tile()) {
                continue;
            }
            for (x, y) in (0..game.size()).flat_map(|y| (0..game.size()).map(move |x| (x, y))) {
                let cells = shape.pos.iter();
                let cells = cells.map(|at| Cell::new(x + at.x as u8, y + at.y as u8));
                let is_on_board = |cell: Cell| cell.x < game.size() && cell.y < game.size();
                if cells.clone().all(is_on_board)
                    && !cells
                        .clone()
                        .any(|it| reference.unavailable_cells.contains(it))
                    && cells
                        .clone()
                        .any(|it| reference.required_positions.contains(it))
                {
                    legal.push(Placement::new(shape.orientation, x, y));
                }
            }
        }
        assert_eq!(legal, game.legal());
    });
}

/// Cells around each shape, by distances: 1 for an edge, and (1, 1) for a corner.
#[test]
fn sides_and_corners_of_shapes_are_those_by_distance() {
    for shape in ShapeReference::all() {
        let (mut side, mut corner) = (Vec::new(), Vec::new());
        for (x, y) in (-2..8).flat_map(|y| (-2..8).map(move |x| (x, y))) {
            let cell = Offset { x, y };
            let apart = |own: &Offset| (own.x.abs_diff(x), own.y.abs_diff(y));
            if shape.pos.contains(&cell) {
                continue;
            }
            if shape
                .pos
                .iter()
                .any(|own| matches!(apart(own), (0, 1) | (1, 0)))
            {
                side.push(cell);
            } else if shape.pos.iter().any(|own| apart(own) == (1, 1)) {
                corner.push(cell);
            }
        }
        assert_eq!((&shape.side, &shape.corner), (&side, &corner));
        assert_eq!(
            shape.pos.len(),
            usize::from(shape.orientation.tile().size())
        );
    }
}

#[test]
fn diagnostics_are_consistent_at_every_position() {
    at_positions(|game| {
        let diagnostics = game.diagnostics();
        let placed: u32 = diagnostics.colours.iter().map(|it| it.cells_placed).sum();
        let size = u32::from(game.size());
        assert_eq!(placed + diagnostics.empty_cells, size * size);
        assert_eq!(diagnostics.empty_cells, game.occupied().complement().len());
        assert_eq!(diagnostics.is_over, game.is_over());
        for it in &diagnostics.colours {
            assert_eq!(it.cells_placed + it.tiles_left.cell_count(), 89);
            assert_eq!(it.score, game.colour_score(it.colour));
            assert_eq!(it.can_place, game.can_place(it.colour));
            let allowed = game.allowed(it.colour);
            assert_eq!(
                allowed.len() + it.void_cells.len(),
                diagnostics.empty_cells,
                "an empty cell is allowed or void"
            );
        }
        let best = game.seats().map(|seat| game.seat_score(seat)).max();
        for result in diagnostics.result.seats() {
            let is_winner = diagnostics.result.winners().contains(&result.seat);
            assert_eq!(is_winner, Some(result.score) == best);
        }
    });
}

#[test]
fn ties_are_shared_or_broken_as_the_variant_defines() {
    let mut tied = definition("tied", 9, 2, &[&[[0, 0]], &[[8, 8]]]);
    tied.scoring = ScoringRule::Cells;
    for (ties, winners, places) in [
        (
            duoforge_rules::Ties::Shared,
            &[Seat(0), Seat(1)][..],
            [1, 1],
        ),
        (duoforge_rules::Ties::LaterSeat, &[Seat(1)], [2, 1]),
    ] {
        tied.ties = ties;
        let mut game = Game::new(&GameVariant::new(&tied).unwrap());
        game.play("11a0".parse().unwrap()).unwrap();
        assert_eq!(game.result().winners(), [Seat(0)]);
        game.play("99a0".parse().unwrap()).unwrap();
        let result = game.result();
        assert_eq!(result.winners(), winners);
        assert_eq!(result.is_draw(), winners.len() > 1);
        assert_eq!([0, 1].map(|seat| result.seats()[seat].place), places);
    }
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_game_has_the_colours_of_its_variant_only() {
    let _ = Game::new(&GameVariant::DUO).tiles_left(Colour(2));
}

#[test]
fn undo_without_moves_is_none() {
    let mut game = Game::new(&GameVariant::DUO);
    assert_eq!(game.undo(), None);
    assert_eq!(game, Game::new(&GameVariant::DUO));
}

#[test]
fn games_are_drawn_with_the_numbers_of_the_colours() {
    let small = definition("small", 5, 2, &[&[[0, 0]], &[[4, 4]]]);
    let mut game = Game::new(&GameVariant::new(&small).unwrap());
    game.play("11b0".parse().unwrap()).unwrap();
    game.play("55a0".parse().unwrap()).unwrap();
    let drawn = "1 . . . .\n1 . . . .\n. . . . .\n. . . . .\n. . . . 2\n";
    assert_eq!(game.to_string(), drawn);
    assert_eq!(game.colour_at(Cell::new(0, 1)), Some(Colour(0)));
    assert_eq!(game.colour_at(Cell::new(1, 1)), None);
    assert_eq!(game.colour_at(Cell::new(5, 5)), None);
    assert_eq!(game.last_tile(Colour(1)), Some(Tile::MONOMINO));
}
