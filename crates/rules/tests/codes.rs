//! Four-letter codes: canonical, alias and invalid ones.

use std::collections::{BTreeMap, BTreeSet};

use duoforge_rules::{
    Bitboard, Cell, Code, CodeError, Duo, Move, Orientation, Placement, Rotation, Size, Tile,
};
use proptest::prelude::*;

/// Iterates over every code with its centre on the 14x14 board.
fn codes() -> impl Iterator<Item = Code> {
    Tile::ALL.into_iter().flat_map(|tile| {
        Rotation::ALL.into_iter().flat_map(move |rotation| {
            let centres = (0..Duo::WIDTH).flat_map(|y| (0..Duo::WIDTH).map(move |x| (x, y)));
            centres.map(move |(x, y)| Code {
                x,
                y,
                tile,
                rotation,
            })
        })
    })
}

#[test]
fn every_placement_has_one_canonical_code_and_all_its_aliases_are_read() {
    let mut aliases: BTreeMap<Placement, Vec<Code>> = BTreeMap::new();
    for code in codes() {
        let Some(placement) = code.placement() else {
            continue;
        };
        if placement.fits(Duo::WIDTH) {
            aliases.entry(placement).or_default().push(code);
        }
    }
    assert_eq!(aliases.len(), 13_729);
    let mut distinct = BTreeSet::new();
    for (placement, codes) in aliases {
        assert!(distinct.insert(placement.cells().collect::<Vec<_>>()));
        let canonical = placement.code();
        assert_eq!(canonical.to_string().parse(), Ok(canonical));
        assert_eq!(
            Move::from_code_bytes(canonical.to_bytes()),
            Ok(Move::Place(placement))
        );
        assert_eq!(Move::Place(placement).to_string(), canonical.to_string());
        let lowest = codes.iter().min_by_key(|code| code.rotation);
        assert_eq!(lowest, Some(&canonical));
        for code in codes {
            assert_eq!(
                Move::from_code_bytes(code.to_bytes()),
                Ok(Move::Place(placement))
            );
        }
    }
}

#[test]
fn codes_with_a_cell_off_the_upper_left_have_no_placement() {
    for code in codes() {
        let inside = code.tile.base_cells().iter().all(|&(dx, dy)| {
            let (dx, dy) = code.rotation.apply(dx, dy);
            code.x as i8 + dx >= 0 && code.y as i8 + dy >= 0
        });
        assert_eq!(code.placement().is_some(), inside, "{code}");
        let read = Move::from_code_bytes(code.to_bytes());
        assert_eq!(read == Err(CodeError::OffBoard(code)), !inside, "{code}");
    }
}

#[test]
fn published_examples() {
    let cells = |code: &str| {
        let placement = code.parse::<Code>().unwrap().placement().unwrap();
        placement
            .cells()
            .map(|cell| cell.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(cells("a4t3"), "93 a3 a4 b4 a5");
    assert_eq!(cells("43b2"), cells("33b6"));
    assert_eq!(cells("53e0"), "52 53 54 55");
    assert_eq!(Move::from_code_bytes(*b"0000"), Ok(Move::Pass));
    assert_eq!(Move::Pass.to_code_bytes(), *b"0000");
}

#[test]
fn broken_codes_say_which_letter_is_wrong() {
    let read = |code: &str| code.parse::<Code>().unwrap_err();
    assert_eq!(read("05a0"), CodeError::Column(b'0'));
    assert_eq!(read("5la0"), CodeError::Row(b'l'));
    assert_eq!(read("5A a"), CodeError::Row(b'A'));
    assert_eq!(read("55v0"), CodeError::Tile(b'v'));
    assert_eq!(read("55a8"), CodeError::Rotation(b'8'));
    assert_eq!(read("55a/"), CodeError::Rotation(b'/'));
    assert_eq!(read("55a"), CodeError::Length(3));
    assert_eq!(read("55a00"), CodeError::Length(5));
    assert_eq!(read("55\n0").to_string(), "byte 0x0a is not a tile (a-u)");
    assert_eq!(
        read("000").to_string(),
        "a code has four letters, this one has 3"
    );
    assert_eq!(
        "11j0".parse::<Move>().unwrap_err().to_string(),
        "11j0 reaches beyond the left or upper edge of the board"
    );
}

#[test]
fn placements_know_their_cells() {
    for orientation in Orientation::all() {
        for (x, y) in [(0, 0), (3, 7), (11, 11), (13, 13), (255, 0)] {
            let placement = Placement::new(orientation, x, y);
            let on_board = placement.cells().all(|cell| cell.x < 14 && cell.y < 14);
            assert_eq!(placement.fits(14), on_board);
            let set: Option<Bitboard<Duo>> = on_board.then(|| placement.cells().collect());
            assert_eq!(Bitboard::from_placement(placement), set);
            let first = placement.cells().next().unwrap();
            assert!(first >= Cell::new(x, y));
        }
    }
}

proptest! {
    #[test]
    fn four_bytes_are_a_code_exactly_when_they_print_as_it(bytes: [u8; 4]) {
        if let Ok(code) = Code::from_bytes(bytes) {
            prop_assert_eq!(code.to_bytes(), bytes);
        }
    }

    #[test]
    fn codes_of_any_board_round_trip(x in 0u8..20, y in 0u8..20, t in 0usize..21, r in 0usize..8) {
        let tile = Tile::from_index(t).unwrap();
        let rotation = Rotation::from_index(r).unwrap();
        let code = Code { x, y, tile, rotation };
        prop_assert_eq!(Code::from_bytes(code.to_bytes()), Ok(code));
        prop_assert_eq!(code.to_string().parse::<Code>(), Ok(code));
    }
}
