//! Draws by weight, and playouts with them, against separate computations.

use std::collections::HashMap;

use duoforge_rules::{Bitboard, Cell, Colour, Duo, DuoBoard, Move, Placement, Tile, TileSet};
use duoforge_twin::search::{
    DrawMemory, PlayoutMaps, Search, SearchParameters, Simulation, draw_by_weight,
};

/// Returns the weight of a placement from its cells: those of its tile, and those that touch it
/// only diagonally.
fn expected_weight(placement: Placement) -> f64 {
    let cells: Vec<Cell> = placement.cells().collect();
    let (mut edges, mut diagonal) = (Vec::new(), Vec::new());
    for cell in &cells {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        edges.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1), (x, y)]);
        diagonal.extend([
            (x - 1, y - 1),
            (x - 1, y + 1),
            (x + 1, y - 1),
            (x + 1, y + 1),
        ]);
    }
    diagonal.retain(|cell| !edges.contains(cell));
    diagonal.sort();
    diagonal.dedup();
    3_f64.powi(cells.len() as i32) * 1.8_f64.powi(diagonal.len() as i32)
}

/// Every drawn placement is of the preferred kind, and each has its share.
#[test]
fn placements_are_drawn_by_weight() {
    let mut memory = DrawMemory::default();
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0"] {
        board.play(code.parse().expect("a code")).expect("legal");
    }
    let all: TileSet = board.tiles_left(Colour(0));
    let small: TileSet = Tile::ALL.into_iter().filter(|t| t.size() == 3).collect();
    let replies: Vec<Cell> = (0..7).map(|x| Cell::new(x, 6)).collect();
    let (replies, none): (&[Cell], &[Cell]) = (&replies, &[]);
    for (tiles, cells) in [(all, replies), (small, replies), (small, none), (all, none)] {
        let maps = PlayoutMaps {
            allowed: board.allowed(Colour(0)),
            corners: board.corner_points(Colour(0)),
            reply_cells: cells.iter().copied().collect(),
        };
        let count = |placement: &Placement| {
            let covered = placement.cells().filter(|cell| cells.contains(cell));
            covered.count().min(4)
        };
        let legal: Vec<_> = board.legal().filter(|p| tiles.contains(p.tile())).collect();
        let most = legal.iter().map(count).max().expect("a placement");
        assert_eq!(most > 0, !cells.is_empty());
        let best = legal.into_iter().filter(|p| count(p) == most);
        let wanted: HashMap<_, _> = best.map(|p| (p, expected_weight(p))).collect();
        let total: f64 = wanted.values().sum();
        let samples: u32 = 1 << 15;
        let mut drawn: HashMap<Placement, u32> = HashMap::new();
        for i in 0..samples {
            let placement =
                draw_by_weight(&maps, tiles, i << 17, &mut memory).expect("a placement");
            *drawn.entry(placement).or_default() += 1;
        }
        assert!(drawn.keys().all(|p| wanted.contains_key(p)));
        for (placement, weight) in wanted {
            let share = f64::from(*drawn.get(&placement).unwrap_or(&0)) / f64::from(samples);
            let expected = weight / total;
            assert!((share - expected).abs() < 0.002, "{placement:?} {share}");
        }
    }
}

/// With every formula that changes a playout: each placement is legal for its side, and the game is
/// over at the end.
#[test]
fn playouts_by_weight_are_legal_games_to_their_end() {
    let mut parameters = SearchParameters {
        expand_threshold: 4,
        lanes: 2,
        ..SearchParameters::default()
    };
    parameters.formulas.playout_weights = true;
    for replies in [0, 2] {
        parameters.formulas.replies = replies;
        let mut simulations = Vec::new();
        let found = Search::new(parameters.clone(), 3).run_traced(
            &DuoBoard::duo(),
            |done| done < 200,
            |simulation| simulations.push(simulation.clone()),
        );
        assert_eq!((found.simulations, simulations.len()), (200, 200));
        for Simulation { moves, value, .. } in simulations {
            let mut board = DuoBoard::duo();
            for (player, placement) in moves {
                if board.to_move() != player {
                    assert_eq!(board.count_legal(), 0);
                    board.play(Move::Pass).expect("no placement is legal");
                }
                board.play(Move::Place(placement)).expect("legal");
            }
            for _ in 0..2 {
                assert_eq!(board.count_legal(), 0);
                if !board.is_over() {
                    board.play(Move::Pass).expect("no placement is legal");
                }
            }
            let cells = [Colour(0), Colour(1)].map(|player| board.cells(player).len() as i32);
            assert_eq!(value, parameters.value(cells[0] - cells[1]));
        }
    }
}

/// Equal weights have equal parts of the random numbers, in the order of rows and columns.
#[test]
fn equal_weights_divide_the_random_numbers_evenly() {
    let mut memory = DrawMemory::default();
    let one: TileSet = [Tile::MONOMINO].into_iter().collect();
    let cells = [(0, 0), (3, 0), (0, 2), (5, 5), (13, 13)].map(|(x, y)| Cell::new(x, y));
    let all: Bitboard<Duo> = cells.into_iter().collect();
    for reply_cells in [all, Bitboard::EMPTY] {
        let maps = PlayoutMaps {
            allowed: all,
            corners: all,
            reply_cells,
        };
        for (i, &cell) in cells.iter().enumerate() {
            // Smallest and greatest number of a fifth.
            let least = ((i as u64) << 32).div_ceil(5);
            let most = ((i as u64 + 1) << 32).div_ceil(5) - 1;
            for random in [least, most] {
                let drawn =
                    draw_by_weight(&maps, one, random as u32, &mut memory).expect("a placement");
                assert!(drawn.cells().eq([cell]), "{random}: {drawn:?}");
            }
        }
    }
    // The parts of orientations are divided alike: a domino across comes before or after one down.
    let two: TileSet = Tile::ALL
        .into_iter()
        .filter(|tile| tile.size() == 2)
        .collect();
    let corner = [(0, 0), (1, 0), (0, 1)].map(|(x, y)| Cell::new(x, y));
    let maps = PlayoutMaps {
        allowed: corner.into_iter().collect(),
        corners: corner[..1].iter().copied().collect(),
        reply_cells: Bitboard::EMPTY,
    };
    let drawn = [0, (1 << 31) - 1, 1 << 31, u32::MAX]
        .map(|random| draw_by_weight(&maps, two, random, &mut memory).expect("a domino"));
    assert!(drawn[0] == drawn[1] && drawn[1] != drawn[2] && drawn[2] == drawn[3]);
}

/// Wherever the reply cells are, the placements that cover the most of them are drawn, even if there
/// are thousands of them.
#[test]
fn placements_at_any_reply_cells_are_drawn() {
    let mut memory = DrawMemory::default();
    let tiles: TileSet = Tile::ALL.into_iter().collect();
    for rows in [0..14, 0..6, 13..14, 0..1, 4..5] {
        let reply_cells: Bitboard<Duo> = rows
            .clone()
            .flat_map(|y| (0..14).map(move |x| Cell::new(x, y)))
            .collect();
        let maps = PlayoutMaps {
            allowed: Bitboard::FULL,
            corners: Bitboard::FULL,
            reply_cells,
        };
        let mut first_rows = [false; 14];
        for random in (0..u32::MAX).step_by(1 << 18) {
            let drawn = draw_by_weight(&maps, tiles, random, &mut memory).expect("a placement");
            let covered = drawn.cells().filter(|&cell| reply_cells.contains(cell));
            assert!(covered.count() >= 4, "{drawn:?}");
            first_rows[usize::from(drawn.y)] = true;
        }
        // Tiles of up to five rows may begin above the first row, and do.
        let first = rows.start.saturating_sub(1);
        assert!(first_rows[usize::from(first)], "{rows:?}: {first_rows:?}");
    }
}
