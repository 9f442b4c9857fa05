//! Perft against the moves played one by one, also by the slow checker. `positions` and the tests
//! of the data compare its counts with those of other programs.

use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{Board, Cell, Classic, Duo, Move, Placement, Size, Variant, perft};

mod common;

use common::Random;

/// Returns the number of sequences of `depth` placements, all but the last played one by one.
fn played<S: Size>(board: &Board<S>, depth: u32) -> u64 {
    if depth == 1 {
        return board.count_legal().into();
    }
    let after = board.legal().map(|placement| {
        let mut after = board.clone();
        after.play(placement.into()).unwrap();
        played(&after, depth - 1)
    });
    after.sum()
}

/// Returns the number of sequences of two placements by the slow checker.
fn slow_pairs<S: Size>(board: &Board<S>, slow: &NaiveBoard) -> u64 {
    let pairs = board.legal().map(|placement| {
        let mut after = slow.clone();
        after.play(placement.code().to_bytes()).unwrap();
        after.legal().len() as u64
    });
    pairs.sum()
}

/// Plays random games and compares the pairs of placements at every position. One move in 32 is a
/// pass, so that players are out early in variants with final passes.
fn compare<S: Size>(variant: &'static Variant, starts: &[Cell], games: u64) {
    for seed in 0..games {
        let mut board = Board::<S>::with_starts(variant, starts);
        let mut random = Random(seed);
        while !board.is_over() {
            let expected = played(&board, 2);
            assert_eq!(perft(&mut board, 2), expected, "\n{board}");
            let legal: Vec<Placement> = board.legal().collect();
            let may_pass = board.check(Move::Pass).is_ok();
            let passes = legal.is_empty() || (may_pass && random.below(32) == 0);
            let mv = if passes {
                Move::Pass
            } else {
                Move::Place(legal[random.below(legal.len())])
            };
            board.play(mv).unwrap();
        }
        assert_eq!(perft(&mut board, 2), 0);
    }
}

#[test]
fn pairs_of_duo_are_those_played_one_by_one() {
    compare::<Duo>(&Variant::DUO, Variant::DUO.starts, 4);
    // With one start cell for both, the first tile takes it from the second player.
    compare::<Duo>(&Variant::DUO, &[Cell::new(4, 4); 2], 1);
    compare::<Duo>(&Variant::DUO, &[Cell::new(4, 4), Cell::new(5, 6)], 1);
}

#[test]
fn pairs_of_classic_are_those_played_one_by_one() {
    compare::<Classic>(&Variant::CLASSIC, Variant::CLASSIC.starts, 3);
    let middle = [(9, 9), (10, 9), (10, 10), (9, 10)].map(|(x, y)| Cell::new(x, y));
    compare::<Classic>(&Variant::CLASSIC, &middle, 1);
}

/// Games of Duo in which one player places every tile, which ends the game: a sequence beyond the
/// last tile does not count.
#[test]
fn no_pair_begins_with_the_last_tile() {
    let games = include_str!("../../../tests/data/bonus_games.txt");
    for line in games.lines() {
        let mut board = Board::<Duo>::new(&Variant::DUO);
        for code in line.split(' ').skip(2) {
            let expected = played(&board, 2);
            assert_eq!(perft(&mut board, 2), expected, "\n{board}");
            board.play(code.parse().unwrap()).unwrap();
        }
        board.undo();
        assert!(board.count_legal() > 0);
        let side = board.to_move();
        if board.tiles_left(side).len() == 1 {
            assert_eq!(perft(&mut board, 2), 0);
        }
    }
}

/// The last player that is not out places both tiles of a pair, and three of a sequence of three.
#[test]
fn a_player_that_is_left_alone_continues() {
    let mut board = Board::<Classic>::new(&Variant::CLASSIC);
    let mut slow = NaiveBoard::new(&Variant::CLASSIC);
    for corner in [(0, 0), (19, 0), (19, 19), (0, 19)] {
        let mut legal = board.legal();
        let first = legal.find(|it| it.cells().eq([Cell::new(corner.0, corner.1)]));
        let code = first.expect("the monomino").code().to_bytes();
        board.play(Move::from_code_bytes(code).unwrap()).unwrap();
        slow.play(code).unwrap();
    }
    for _ in 0..3 {
        board.play(Move::Pass).unwrap();
        slow.play(Move::PASS_CODE).unwrap();
    }
    assert_eq!(board.to_move().0, 3);
    let pairs = perft(&mut board, 2);
    assert_eq!(pairs, slow_pairs(&board, &slow));
    assert_eq!(pairs, played(&board, 2));
    let before = board.clone();
    let placement = board.legal().next().unwrap();
    board.play(placement.into()).unwrap();
    assert_eq!(perft(&mut board, 2), played(&board, 2));
    board.undo();
    assert_eq!(board, before);
}

/// Sequences of three placements late in a game, against the same without pairs and against the
/// slow checker.
#[test]
fn late_sequences_are_those_of_the_slow_checker() {
    let mut board = Board::<Classic>::new(&Variant::CLASSIC);
    let mut slow = NaiveBoard::new(&Variant::CLASSIC);
    let mut random = Random(5);
    let mut compared = 0;
    while !board.is_over() {
        let legal: Vec<Placement> = board.legal().collect();
        if board.ply() > 40 && (1..=16).contains(&legal.len()) {
            assert_eq!(perft(&mut board, 2), slow_pairs(&board, &slow), "\n{board}");
            assert_eq!(perft(&mut board.clone(), 3), played(&board, 3), "\n{board}");
            compared += 1;
        }
        let mv = if legal.is_empty() {
            Move::Pass
        } else {
            Move::Place(legal[random.below(legal.len())])
        };
        board.play(mv).unwrap();
        slow.play(mv.to_code_bytes()).unwrap();
    }
    assert!(compared > 4, "{compared} positions with few placements");
}
