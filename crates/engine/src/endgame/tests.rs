use duoforge_twin::Rng;

use super::*;

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
    let mut turns: Vec<_> = board.legal().map(Move::Place).collect();
    if free || turns.is_empty() {
        turns.push(Move::Pass);
    }
    let values = turns.into_iter().map(|turn| {
        board.play(turn).expect("legal");
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
    let mut boards = Vec::new();
    for _ in 0..60 {
        let mut board = DuoBoard::duo();
        while !board.is_over() {
            let legal: Vec<_> = board.legal().collect();
            let other = count(&board);
            if !legal.is_empty() && legal.len() as u32 + other <= most {
                boards.push(board.clone());
                break;
            }
            let turn = match legal.len() {
                0 => Move::Pass,
                len => Move::Place(legal[rng.below(len as u32) as usize]),
            };
            board.play(turn).expect("legal");
        }
    }
    boards
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
            after.play(solved.turn).expect("legal");
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
                let turn = Move::Place(pool[rng.below(len as u32) as usize]);
                board.play(turn).expect("legal");
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
        solved.turn.placement().map(Placement::tile),
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
