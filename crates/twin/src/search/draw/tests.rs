use duoforge_rules::{Cell, Colour, Duo, DuoBoard};

use super::*;

/// Returns a position with hundreds of placements, some of which cover a reply cell.
fn maps() -> (DuoBoard, PlayoutMaps<Duo>) {
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0"] {
        board.play(code.parse().expect("a code")).expect("legal");
    }
    let maps = PlayoutMaps {
        allowed: board.allowed(Colour(0)),
        corners: board.corner_points(Colour(0)),
        reply_cells: (0..7).map(|x| Cell::new(x, 6)).collect(),
    };
    (board, maps)
}

/// Returns the placements of a class, filtered one by one.
fn listed(board: &DuoBoard, maps: &PlayoutMaps<Duo>, class: PlacementClass) -> Vec<Placement> {
    let covers_enough = |placement: &Placement| {
        let cells = placement.cells();
        let covered = cells.filter(|&cell| maps.reply_cells.contains(cell));
        covered.count() >= class.min_replies as usize
    };
    let of_class = |placement: &Placement| class.tiles.contains(placement.tile());
    let legal = board.legal().filter(of_class);
    legal.filter(covers_enough).collect()
}

fn number(placement: &Placement) -> u32 {
    let row_and_column = u32::from(placement.y) << 12 | u32::from(placement.x) << 7;
    row_and_column | placement.orientation.index() as u32
}

/// Returns parameters with at most this number of reply cells for tiles of any size.
fn parameters(reply_count_max: u32) -> SearchParameters {
    let mut p = SearchParameters {
        reply_min_size: 1,
        ..SearchParameters::default()
    };
    p.formulas.reply_count_max = reply_count_max;
    p
}

/// Returns the tiles of a board's first side that have this number of cells.
fn tiles(board: &DuoBoard, size: u8) -> TileSet {
    let tiles = board.tiles_left(Colour(0));
    tiles.iter().filter(|tile| tile.size() == size).collect()
}

#[test]
fn the_nearest_to_any_number_is_drawn() {
    let (board, mut maps) = maps();
    let memory = &mut DrawMemory::default();
    for (size, min_replies) in (1..=5).flat_map(|size| (0..=4).map(move |least| (size, least))) {
        let class = PlacementClass {
            tiles: tiles(&board, size),
            min_replies,
        };
        let list = listed(&board, &maps, class);
        if list.is_empty() {
            assert!(u32::from(size) < min_replies + 2);
            continue;
        }
        let p = parameters(min_replies);
        for random in (0..1 << 17).step_by(37) {
            let nearest = list.iter().min_by_key(|p| number(p) ^ random);
            // Only the lowest 17 bits are used.
            let drawn = draw(&maps, class.tiles, &p, random | 5 << 17, memory);
            assert_eq!(drawn, nearest.copied());
            let portable =
                Draws::new(&maps, &p, memory).and_then(|mut draws| draws.draw(class.tiles, random));
            assert_eq!(portable, drawn);
        }
        for &placement in &list {
            let drawn = draw(&maps, class.tiles, &p, number(&placement), memory);
            assert_eq!(drawn, Some(placement));
        }
    }
    maps.corners = Bitboard::EMPTY;
    assert_eq!(draw(&maps, TileSet::FULL, &parameters(2), 0, memory), None);
}

#[test]
fn the_first_class_that_has_any_is_taken() {
    let (board, mut maps) = maps();
    let memory = &mut DrawMemory::default();
    let far: Bitboard<Duo> = [Cell::new(13, 13)].into_iter().collect();
    for reply_cells in [maps.reply_cells, far] {
        maps.reply_cells = reply_cells;
        for (max_size, reply_min_size, max) in (1..=5)
            .flat_map(|size| [(1, 1), (1, 2), (4, 3), (6, 4)].map(|(min, max)| (size, min, max)))
        {
            let p = SearchParameters {
                reply_min_size,
                ..parameters(max)
            };
            let left =
                (1..=max_size).flat_map(|size| tiles(&board, size).iter().collect::<Vec<_>>());
            let left: TileSet = left.collect();
            // Of the most reply cells, and of these the largest tiles.
            let classes = (0..=max)
                .rev()
                .flat_map(|count| (1..=5).rev().map(move |size| (count, size)));
            let mut classes = classes.filter(|&(count, size)| count == 0 || size >= reply_min_size);
            let first = classes.find_map(|(min_replies, size)| {
                let tiles = left
                    .iter()
                    .filter(|tile| u32::from(tile.size()) == size)
                    .collect();
                let class = PlacementClass { tiles, min_replies };
                listed(&board, &maps, class).into_iter().min_by_key(number)
            });
            assert!(first.is_some());
            assert_eq!(draw(&maps, left, &p, 0, memory), first);
        }
    }
}

#[test]
fn classes_are_ordered_by_reply_cells_and_then_by_size() {
    let p = SearchParameters {
        reply_min_size: 3,
        ..parameters(2)
    };
    let classes = placement_classes(TileSet::FULL, &p);
    let order = (0..=4)
        .rev()
        .flat_map(|count| [5, 4, 3, 2, 1].map(|size| (count, size)));
    for (class, (count, size)) in classes.into_iter().zip(order) {
        let is_used = count == 0 || count <= 2 && size >= 3;
        let tiles = TileSet::FULL
            .iter()
            .filter(|tile| is_used && tile.size() == size);
        assert_eq!(class.tiles, tiles.collect());
        assert_eq!(class.min_replies, count);
    }
}
