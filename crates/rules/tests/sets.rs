//! Bitboards against a model: sets of coordinates.

use std::collections::BTreeSet;

use duoforge_rules::{Bitboard, Cell, Classic, Duo, PictureError, Size, bitboard};
use proptest::prelude::*;

type Model = BTreeSet<(i32, i32)>;

fn cells<S: Size>(set: &Bitboard<S>) -> Model {
    set.iter()
        .map(|cell| (i32::from(cell.y), i32::from(cell.x)))
        .collect()
}

/// Returns the cells of a model that are on the board.
fn on_board<S: Size>(model: impl IntoIterator<Item = (i32, i32)>) -> Model {
    let board = 0..i32::from(S::WIDTH);
    model
        .into_iter()
        .filter(|(y, x)| board.contains(y) && board.contains(x))
        .collect()
}

fn set<S: Size>(model: &Model) -> Bitboard<S> {
    model
        .iter()
        .map(|&(y, x)| Cell::new(x as u8, y as u8))
        .collect()
}

fn around(model: &Model, offsets: &[(i32, i32)]) -> Model {
    let near = model
        .iter()
        .flat_map(|&(y, x)| offsets.iter().map(move |o| (y + o.0, x + o.1)));
    near.filter(|cell| !model.contains(cell)).collect()
}

fn check_one<S: Size>(model: &Model, (dx, dy): (i8, i8)) {
    let a: Bitboard<S> = set(model);
    let moved = |dy: i32, dx: i32| on_board::<S>(model.iter().map(|&(y, x)| (y + dy, x + dx)));
    assert_eq!(cells(&a), *model);
    assert_eq!(a.len() as usize, model.len());
    assert_eq!(a.is_empty(), model.is_empty());
    assert_eq!(a.first(), a.iter().next());
    assert_eq!(cells(&a.north()), moved(-1, 0));
    assert_eq!(cells(&a.south()), moved(1, 0));
    assert_eq!(cells(&a.east()), moved(0, 1));
    assert_eq!(cells(&a.west()), moved(0, -1));
    assert_eq!(cells(&a.shift(dx, dy)), moved(dy.into(), dx.into()));
    let edges = around(model, &[(-1, 0), (1, 0), (0, -1), (0, 1)]);
    assert_eq!(cells(&a.edge_neighbours()), on_board::<S>(edges));
    let corners = around(model, &[(-1, -1), (-1, 1), (1, -1), (1, 1)]);
    assert_eq!(cells(&a.diagonal_neighbours()), on_board::<S>(corners));
    assert_eq!(a.to_string().parse(), Ok(a));
    let all = (0..i32::from(S::WIDTH)).flat_map(|y| (0..i32::from(S::WIDTH)).map(move |x| (y, x)));
    assert_eq!(
        cells(&!a),
        all.filter(|cell| !model.contains(cell)).collect()
    );
    let row = |y: u8| {
        (0..32)
            .filter(|&x| a.contains(Cell::new(x, y)))
            .map(|x| 1 << x)
            .sum()
    };
    (0..40).for_each(|y| assert_eq!(a.row(y), row(y)));
}

fn check_two<S: Size>(a: &Model, b: &Model) {
    let (x, y): (Bitboard<S>, Bitboard<S>) = (set(a), set(b));
    assert_eq!(cells(&(x | y)), a | b);
    assert_eq!(cells(&(x & y)), a & b);
    assert_eq!(cells(&(x - y)), a - b);
    assert_eq!(cells(&(x ^ y)), a ^ b);
    assert_eq!(x.is_disjoint(&y), a.is_disjoint(b));
    assert_eq!(x.is_subset(&y), a.is_subset(b));
    assert!((x & y).is_subset(&x) && (x - y).is_disjoint(&y));
    let mut z = x;
    b.iter()
        .for_each(|&(y, x)| z.remove(Cell::new(x as u8, y as u8)));
    assert_eq!(z, x - y);
}

fn model(width: i32) -> impl Strategy<Value = Model> {
    let cell = (0..width, 0..width);
    prop_oneof![
        prop::collection::btree_set(cell.clone(), 0..20),
        prop::collection::btree_set(cell, 0..(width * width) as usize),
    ]
}

proptest! {
    #[test]
    fn duo_sets(a in model(14), b in model(14), by: (i8, i8), near in (-6i8..7, -6i8..7)) {
        check_one::<Duo>(&a, by);
        check_one::<Duo>(&a, near);
        check_two::<Duo>(&a, &b);
    }

    #[test]
    fn classic_sets(a in model(20), b in model(20), by: (i8, i8), near in (-6i8..7, -6i8..7)) {
        check_one::<Classic>(&a, by);
        check_one::<Classic>(&a, near);
        check_two::<Classic>(&a, &b);
    }
}

#[test]
fn a_full_board_stays_on_the_board() {
    assert_eq!(Bitboard::<Duo>::FULL.len(), 196);
    assert_eq!(Bitboard::<Classic>::FULL.len(), 400);
    assert_eq!(!Bitboard::<Duo>::FULL, Bitboard::EMPTY);
    assert!(!Bitboard::<Duo>::FULL.contains(Cell::new(14, 0)));
    assert!(!Bitboard::<Duo>::FULL.contains(Cell::new(0, 14)));
}

#[test]
#[should_panic(expected = "f1 is not on the board")]
fn cells_off_the_board_are_not_inserted() {
    Bitboard::<Duo>::default().insert(Cell::new(14, 0));
}

#[test]
fn pictures_must_show_the_whole_board() {
    let short = "X . .".parse::<Bitboard<Duo>>();
    assert_eq!(
        short,
        Err(PictureError {
            expected: 196,
            found: 3
        })
    );
    let corners: Bitboard<Duo> = bitboard! {
        X . . . . . . . . . . . . X
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        X . . . . . . . . . . . . X
    };
    let expected = [(0, 0), (13, 0), (0, 13), (13, 13)].map(|(x, y)| Cell::new(x, y));
    assert_eq!(corners.iter().collect::<Vec<_>>(), expected);
    let inner: Bitboard<Duo> = expected
        .map(|c| Cell::new(c.x.clamp(1, 12), c.y.clamp(1, 12)))
        .into_iter()
        .collect();
    assert_eq!(corners.diagonal_neighbours(), inner);
}
