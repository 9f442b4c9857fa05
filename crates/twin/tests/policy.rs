//! Pattern policy against its definition, cell by cell.

use duoforge_rules::{Bitboard, Cell, Code, Colour, Duo, DuoBoard, Placement};
use duoforge_twin::{Policy, PolicyMaps};

use common::random_position;

mod common;

fn cells() -> impl Iterator<Item = (i32, i32)> {
    (0..14).flat_map(|y| (0..14).map(move |x| (x, y)))
}

fn holds(set: Bitboard<Duo>, x: i32, y: i32) -> bool {
    (0..14).contains(&x) && (0..14).contains(&y) && set.contains(Cell::new(x as u8, y as u8))
}

const EDGES: [(i32, i32); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

#[test]
fn maps_are_what_their_names_say() {
    for seed in 0..200 {
        let board = random_position(seed, seed as usize % 24);
        let me = board.to_move();
        let opponent = Colour(1 - me.0);
        let maps = PolicyMaps::new(&board, me);
        for (x, y) in cells() {
            let near = |set, offsets: &[(i32, i32)]| {
                offsets
                    .iter()
                    .filter(|(dx, dy)| holds(set, x + dx, y + dy))
                    .count()
            };
            let free = !holds(board.occupied(), x, y);
            let allowed = |p: Colour| free && near(board.cells(p), &EDGES) == 0;
            let corner = |p: Colour| {
                let start = board.start(p);
                let fresh = board.cells(p).is_empty();
                allowed(p)
                    && (near(board.cells(p), &DIAGONALS) > 0
                        || fresh && (i32::from(start.x), i32::from(start.y)) == (x, y))
            };
            assert_eq!(
                holds(maps.allowed, x, y),
                allowed(me),
                "allowed at {x},{y}\n{board}"
            );
            assert_eq!(
                holds(maps.corner, x, y),
                corner(me),
                "corner at {x},{y}\n{board}"
            );
            assert_eq!(holds(maps.opponent_corner, x, y), corner(opponent));
            let open_cells = allowed(me) && near(maps.allowed, &EDGES) >= 3;
            assert_eq!(
                holds(maps.open_cells, x, y),
                open_cells,
                "open_cells at {x},{y}\n{board}"
            );
            let next_to =
                allowed(opponent) && !corner(opponent) && near(maps.opponent_corner, &EDGES) > 0;
            assert_eq!(
                holds(maps.opponent_near, x, y),
                next_to,
                "near at {x},{y}\n{board}"
            );
        }
    }
}

#[test]
fn features_are_counted_as_they_are_described() {
    for seed in 0..60 {
        let board = random_position(seed, seed as usize % 20);
        let maps = PolicyMaps::new(&board, board.to_move());
        for placement in board.legal().step_by(7) {
            let own: Vec<_> = placement
                .cells()
                .map(|cell| (i32::from(cell.x), i32::from(cell.y)))
                .collect();
            let beside = |x: i32, y: i32, offsets: &[(i32, i32)]| {
                offsets
                    .iter()
                    .any(|(dx, dy)| own.contains(&(x + dx, y + dy)))
            };
            let mut expected = [0; 6];
            for (x, y) in cells() {
                let covered = own.contains(&(x, y));
                let edge = !covered && beside(x, y, &EDGES);
                let opened =
                    !covered && !edge && beside(x, y, &DIAGONALS) && !holds(maps.corner, x, y);
                expected[0] += u32::from(covered && holds(maps.opponent_corner, x, y));
                expected[1] += u32::from(covered && holds(maps.opponent_near, x, y));
                expected[2] += u32::from(opened && holds(maps.allowed, x, y));
                expected[3] += u32::from(opened && holds(maps.open_cells, x, y));
                expected[4] += u32::from(edge && holds(maps.allowed, x, y));
                expected[5] += u32::from(edge && holds(maps.corner, x, y));
            }
            assert_eq!(
                Policy::features(&maps, placement),
                expected,
                "{}",
                placement.code()
            );
        }
    }
}

#[test]
fn no_count_leaves_its_table() {
    let most = (0..300).flat_map(|seed| {
        let board = random_position(seed, seed as usize % 22);
        let maps = PolicyMaps::new(&board, board.to_move());
        board
            .legal()
            .map(|p| Policy::features(&maps, p))
            .collect::<Vec<_>>()
    });
    let most = most.flatten().max();
    assert!(most <= Some(12), "{most:?}");
}

#[test]
fn a_score_is_base_plus_values() {
    // The first tile of the contest's example on an empty board covers only the player's start
    // cell. It creates corner points at its ends and blocks the cells along its sides.
    let policy = Policy::linear(&[10, 6, 2, 3, 3, 2, 4]);
    let board = DuoBoard::duo();
    let maps = PolicyMaps::new(&board, board.to_move());
    let placement = placement("53j0");
    let [opponent, near, opened, open_cells, wasted, spoiled] = Policy::features(&maps, placement);
    assert_eq!((opponent, near, opened, wasted, spoiled), (0, 0, 2, 11, 0));
    assert_eq!(open_cells, 2);
    // 5 cells; two new corner points, both open cells; losses count down from twelve: 1 and 12
    // remain.
    assert_eq!(
        policy.score(&maps, placement),
        50 + 2 * 3 + 2 * 3 + 2 + 4 * 12
    );
}

#[test]
fn the_best_has_the_highest_score_and_ties_go_to_the_first() {
    let policy = Policy::default();
    let mut ties = 0;
    for seed in 0..100 {
        let board = random_position(seed, seed as usize % 26);
        let maps = PolicyMaps::new(&board, board.to_move());
        let mut all: Vec<_> = board.legal().map(|p| (policy.score(&maps, p), p)).collect();
        let Some(choice) = policy.best(&board) else {
            assert!(all.is_empty());
            continue;
        };
        all.retain(|(score, _)| *score >= choice.score);
        assert!(all.iter().all(|(score, _)| *score == choice.score));
        ties += usize::from(all.len() > 1);
        let first = all
            .iter()
            .map(|(_, p)| *p)
            .min_by_key(|p| (p.y, p.x, p.orientation));
        assert_eq!(first, Some(choice.placement));
    }
    assert!(ties > 0, "the tie-break was never needed");
}

fn placement(code: &str) -> Placement {
    code.parse::<Code>()
        .expect("a code")
        .placement()
        .expect("on the board")
}
