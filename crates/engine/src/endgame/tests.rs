use duoforge_twin::Rng;

use super::*;
use crate::random_games::find_position;

const ENOUGH: Budget = Budget {
    nodes: u64::MAX,
    deadline: None,
};

/// Returns the margin by exhaustive search on the board of the rules.
fn tried(board: &mut DuoBoard, free: bool) -> i32 {
    let me = board.to_move();
    if board.is_over() {
        return board.score(me) - board.score(me.opponent());
    }
    let mut moves: Vec<_> = board.legal().map(Move::Place).collect();
    if free || moves.is_empty() {
        moves.push(Move::Pass);
    }
    let values = moves.into_iter().map(|mv| {
        board.play(mv).expect("legal");
        let sign = if board.to_move() == me { 1 } else { -1 };
        let value = sign * tried(board, free);
        board.undo();
        value
    });
    values.max().expect("a pass at least")
}

/// Returns positions near the ends of random games with few legal placements.
fn late(most: u32) -> Vec<DuoBoard> {
    let mut rng = Rng::new(11);
    let is_late = |board: &DuoBoard, legal: &[Placement]| {
        !legal.is_empty() && legal.len() as u32 + count(board) <= most
    };
    (0..60)
        .filter_map(|_| find_position(&mut rng, is_late))
        .collect()
}

/// Returns the mobility of the side that is not to move.
fn count(board: &DuoBoard) -> u32 {
    let mut position = Position::new(board);
    position.set_to_move(board.to_move().opponent());
    placements(&position).len() as u32
}

#[test]
fn margins_are_those_of_trying_everything() {
    let boards = late(9);
    assert!(boards.len() >= 40, "{}", boards.len());
    for free in [false, true] {
        let mut signs = [0; 3];
        for board in &boards {
            let solved = solve(board, free, ENOUGH).expect("enough effort");
            assert!(solved.exact);
            let margin = tried(&mut board.clone(), free);
            assert_eq!(solved.margin, margin, "{:?}", board.moves());
            // The move preserves the margin.
            let mut after = board.clone();
            after.play(solved.mv).expect("legal");
            let sign = if after.to_move() == board.to_move() {
                1
            } else {
                -1
            };
            assert_eq!(
                sign * tried(&mut after, free),
                margin,
                "{:?}",
                board.moves()
            );
            signs[(margin.signum() + 1) as usize] += 1;
        }
        assert!(signs[0] > 3 && signs[2] > 3, "{signs:?}");
    }
}

/// Random games rarely place almost all tiles, so this position is constructed.
#[test]
fn the_bonus_for_the_last_tile_counts() {
    // One player places everything except the monomino, without opposition.
    let mut board = DuoBoard::new(&ALONE);
    let mut rng = Rng::new(2);
    let last = loop {
        let legal: Vec<_> = board.legal().collect();
        let big = legal.iter().map(|p| p.tile().size()).max();
        let pool: Vec<_> = legal
            .into_iter()
            .filter(|p| Some(p.tile().size()) == big && p.tile() != Tile::MONOMINO)
            .collect();
        match pool.len() {
            0 if board.tiles_left(Colour(0)).len() == 1 => break board,
            0 => board = DuoBoard::new(&ALONE),
            len => {
                let mv = Move::Place(pool[rng.below(len as u32) as usize]);
                board.play(mv).expect("legal");
                // The opponent places its first tile far away, then passes.
                let answer = match board.ply() {
                    1 => board
                        .legal()
                        .find(|p| p.tile() == Tile::MONOMINO)
                        .map(Move::Place),
                    _ => Some(Move::Pass),
                };
                board.play(answer.expect("a first tile")).expect("legal");
            }
        }
    };
    let solved = solve(&last, true, ENOUGH).expect("enough effort");
    assert_eq!(solved.margin, 20 + 88);
    assert_eq!(
        solved.mv.placement().map(Placement::tile),
        Some(Tile::MONOMINO)
    );
}

/// Variant in which two passes in a row do not end the game.
static ALONE: Variant = Variant {
    name: "duo alone",
    ends_when_all_pass: false,
    ..Variant::DUO
};

#[test]
fn too_little_effort_finds_nothing_or_a_win() {
    let mut wins = 0;
    for board in late(16) {
        let full = solve(&board, true, ENOUGH).expect("enough effort");
        let deadline = Some(Instant::now());
        for nodes in [1, 20, 200] {
            let effort = Budget {
                nodes,
                deadline: None,
            };
            match solve(&board, true, effort) {
                None => {}
                Some(solved) if solved.exact => assert_eq!(solved.margin, full.margin),
                Some(solved) => {
                    assert!(0 < solved.margin && solved.margin <= full.margin);
                    wins += 1;
                }
            }
        }
        let effort = Budget {
            nodes: u64::MAX,
            deadline,
        };
        let solved = solve(&board, true, effort);
        assert!(solved.is_none_or(|solved| solved.nodes <= 512));
    }
    assert!(wins > 0);
}

#[test]
fn nothing_is_solved_before_the_end() {
    assert_eq!(solve(&DuoBoard::duo(), true, ENOUGH), None);
}

#[test]
fn the_bound_of_a_gain_is_all_cells_that_fit_and_the_bonus_if_all_do() {
    let start = Position::new(&DuoBoard::duo());
    assert_eq!(gain(&start, Colour(0)), 89 + 20);
    for board in late(9) {
        for player in [Colour(0), Colour(1)] {
            let position = Position::new(&board);
            let (allowed, tiles) = (position.allowed(player), position.tiles(player));
            let fits = |tile: &Tile| {
                Orientation::of_tile(*tile).any(|orientation| {
                    (0..14)
                        .flat_map(|x| (0..14).map(move |y| (x, y)))
                        .any(|(x, y)| {
                            let placement = Placement { orientation, x, y };
                            placement
                                .cells()
                                .all(|cell| cell.x < 14 && cell.y < 14 && allowed.contains(cell))
                        })
                })
            };
            let fitting: Vec<_> = tiles.iter().filter(fits).collect();
            let cells = fitting
                .iter()
                .map(|tile| u32::from(tile.size()))
                .sum::<u32>();
            let all = fitting.len() == tiles.iter().count() && cells <= allowed.len();
            let expected = cells.min(allowed.len()) as i32 + if all { 20 } else { 0 };
            assert_eq!(gain(&position, player), expected, "{:?}", board.moves());
        }
    }
}

/// Position in which every placement of the side to move loses the game, and a pass wins it.
const BEST_PASS: &str = "54s2 a9o0 68l1 dbs0 96n0 c6i2 27k4 d3f1 5bq0 a4u0 2bp3 dem2 32u0 e9b2 9dr0 82g2 7eo7 \
                         51c2 15a0 bca0 2ed1 e7d1";

#[test]
fn a_voluntary_pass_may_be_best() {
    let mut board = DuoBoard::duo();
    for code in BEST_PASS.split(' ') {
        board.play(code.parse().expect("a code")).expect("legal");
    }
    assert!(board.legal().next().is_some());
    let solved = solve(&board, true, ENOUGH).expect("enough effort");
    assert_eq!((solved.margin, solved.mv), (5, Move::Pass));
    assert_eq!(tried(&mut board.clone(), true), 5);
    let solved = solve(&board, false, ENOUGH).expect("enough effort");
    assert_eq!(solved.margin, -4);
    assert_eq!(tried(&mut board.clone(), false), -4);
    assert!(solved.mv.placement().is_some());
}
