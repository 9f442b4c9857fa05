//! Tests of the prior: maps, features, candidates and phases.

use duoforge_rules::{Cell, DuoBoard, Move};

use super::*;

fn position(codes: &str) -> (DuoBoard, Position) {
    let mut board = DuoBoard::duo();
    for code in codes.split_whitespace() {
        board.play(code.parse().expect("a code")).expect("legal");
    }
    let position = Position::new(&board);
    (board, position)
}

const MIDDLE: &str = "54u0 9au0 47o1 a6l5 6bl2 7co2 4dk0 73r3 51f7 66t5 83r0 25q0 adt3";

#[test]
fn maps_are_what_they_are_called() {
    let (board, position) = position(MIDDLE);
    let maps = PriorMaps::new(&position);
    let (me, opponent) = (board.to_move(), board.to_move().opponent());
    assert_eq!(
        (maps.allowed, maps.corner),
        (board.allowed(me), board.corner_points(me))
    );
    assert_eq!(maps.opponent_corner, board.corner_points(opponent));
    let near = |a: Cell, set: &Bitboard<Duo>, beside: bool| {
        set.iter().any(|b| {
            let (x, y) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
            if beside { x + y == 1 } else { x.max(y) <= 1 }
        })
    };
    for cell in Bitboard::<Duo>::FULL.iter() {
        let free = [me, opponent].map(|player| board.allowed(player).contains(cell));
        let around = |set, free: bool| free && near(cell, set, false);
        assert_eq!(maps.around.contains(cell), around(&maps.corner, free[0]));
        assert_eq!(
            maps.opponent_around.contains(cell),
            around(&maps.opponent_corner, free[1])
        );
        let beside = free[1] && near(cell, &maps.opponent_corner, true);
        let beside = beside && !maps.opponent_corner.contains(cell);
        assert_eq!(maps.opponent_beside.contains(cell), beside);
    }
    assert!(maps.opponent_beside.len() > 3 && maps.around.len() > maps.corner.len());
}

#[test]
fn every_candidate_is_legal() {
    for (codes, all) in [
        ("", false),
        ("54u0 9au0 47o1 a6l5 6bl2", false),
        (MIDDLE, true),
    ] {
        let (board, position) = position(codes);
        let counted = count_features(&position);
        assert!(
            counted
                .iter()
                .all(|&(placement, _)| board.check(Move::Place(placement)).is_ok())
        );
        assert_eq!(counted.len() == board.count_legal() as usize, all);
    }
}

#[test]
fn bars_are_counted_as_by_hand() {
    let bar = |across: bool, x, y| {
        let mut all = Orientation::all();
        let bar = all.find(|o| {
            if across {
                o.width() == 5
            } else {
                o.height() == 5
            }
        });
        Placement::new(bar.expect("a bar"), x, y)
    };
    let counts = |position: &Position, wanted| {
        let mut all = count_features(position).into_iter();
        all.find(|&(p, _)| p == wanted).expect("it is thought of").1
    };
    // The only corner points are the start cells (4, 4) and (9, 9).
    let (mut board, position) = position("");
    let first = bar(true, 4, 4);
    assert_eq!(counts(&position, first), [1, 2, 0, 0, 12, 5, 0, 0, 4, 2]);
    // This bar covers a corner point of the first bar and is diagonal to it.
    board.play(Move::Place(first)).expect("legal");
    let second = counts(&Position::new(&board), bar(false, 9, 5));
    assert_eq!(second, [1, 2, 1, 2, 12, 5, 0, 3, 3, 2]);
}

#[test]
fn the_best_are_kept_in_order_and_their_priors_add_up() {
    let (board, position) = position(MIDDLE);
    let weights = Weights::default();
    let all = top_candidates(&position, &weights, usize::MAX);
    assert_eq!(all.len(), board.count_legal() as usize);
    let few = top_candidates(&position, &weights, 32);
    assert_eq!(few.len(), 32);
    for (few, all) in few.iter().zip(&all) {
        assert_eq!(
            (few.placement, few.score_gap),
            (all.placement, all.score_gap)
        );
    }
    assert_eq!(few[0].score_gap, 0);
    assert!(few.is_sorted_by_key(|it| it.score_gap));
    let sum: u32 = few.iter().map(|it| it.prior).sum();
    assert!((65_000..=66_100).contains(&sum), "{sum}");
}

#[test]
fn phases_begin_with_tiles_and_not_with_turns() {
    let (mut board, _) = position(MIDDLE);
    assert_eq!(phase(&Position::new(&board)), 2);
    assert_eq!(phase(&position("").1), 0);
    assert_eq!(phase(&position("54u0 9au0 47o1 a6l5 6bl2").1), 0);
    assert_eq!(phase(&position("54u0 9au0 47o1 a6l5 6bl2 7co2").1), 1);
    while !board.is_over() {
        let first = board.legal().next();
        board
            .play(first.map_or(Move::Pass, Move::Place))
            .expect("legal");
    }
    assert_eq!(phase(&Position::new(&board)), 3);
}

/// With fewer than 4, 6 and 10 tiles on the board, tiles below 5, 4 and 3 cells are left out.
#[test]
fn small_tiles_are_left_out_in_the_opening() {
    let codes: Vec<_> = MIDDLE.split_whitespace().collect();
    for placed in 0..codes.len() {
        let least = match placed {
            0..=3 => 5,
            4..=5 => 4,
            6..=9 => 3,
            _ => 1,
        };
        let (board, position) = position(&codes[..placed].join(" "));
        let tiles = board.tiles_left(board.to_move());
        let expected = tiles.iter().filter(|tile| tile.size() >= least).collect();
        assert_eq!(candidate_tiles(&position), expected, "{placed}");
    }
}
