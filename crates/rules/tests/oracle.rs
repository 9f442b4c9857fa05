//! Fast rules against the slow checker: moves and reasons must agree.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use duoforge_rules::naive::{NaiveBoard, RejectReason};
use duoforge_rules::{
    Board, Cell, Classic, Code, CodeError, Duo, IllegalMove, Move, Placement, Rotation, Size, Tile,
    Variant,
};
use proptest::prelude::*;

/// Both boards after the same moves.
struct Pair<S: Size> {
    fast: Board<S>,
    slow: NaiveBoard,
}

impl<S: Size> Pair<S> {
    fn new(variant: &'static Variant, starts: &[Cell]) -> Self {
        Self {
            fast: Board::with_starts(variant, starts),
            slow: NaiveBoard::with_starts(variant, starts),
        }
    }

    /// Plays moves selected by numbers, until the numbers are used up or the game is over; about
    /// one move in 16 is a pass, if a pass is legal.
    fn play(&mut self, choices: &[u16]) {
        for &choice in choices {
            if self.fast.is_over() {
                assert_eq!(
                    self.judge(*b"0000"),
                    Some(RejectReason::IllegalMove(IllegalMove::GameOver))
                );
                break;
            }
            let legal: Vec<Placement> = self.fast.legal().collect();
            let wants_pass = choice % 16 == 0 && self.fast.check(Move::Pass).is_ok();
            let mv = match legal.get(usize::from(choice / 16) % legal.len().max(1)) {
                Some(&placement) if !wants_pass => Move::Place(placement),
                _ => Move::Pass,
            };
            assert_eq!(self.judge(mv.to_code_bytes()), None, "{mv}");
            self.fast.play(mv).unwrap();
            self.slow.play(mv.to_code_bytes()).unwrap();
        }
    }

    /// Returns the verdict on a code and asserts that both checkers agree.
    fn judge(&self, code: [u8; 4]) -> Option<RejectReason> {
        let slow = self.slow.check(code).err();
        match Move::from_code_bytes(code) {
            Ok(mv) => assert_eq!(
                self.fast.check(mv).err().map(RejectReason::IllegalMove),
                slow
            ),
            // A tile beyond the left or upper edge is rejected before a board is involved.
            Err(CodeError::OffBoard(_)) => assert!(matches!(
                slow,
                Some(RejectReason::IllegalMove(
                    IllegalMove::OffBoard | IllegalMove::TileUsed { .. } | IllegalMove::GameOver
                ))
            )),
            Err(_) => assert_eq!(slow, Some(RejectReason::Broken)),
        }
        slow
    }

    /// Compares all observable state of both boards.
    fn compare(&self) {
        let expected = self.slow.legal();
        let listed: Vec<Placement> = self.fast.legal().collect();
        let cells: BTreeSet<Vec<Cell>> = listed.iter().map(|p| p.cells().collect()).collect();
        assert_eq!(cells, expected, "\n{}", self.fast);
        assert_eq!(listed.len(), expected.len(), "a placement is listed twice");
        assert_eq!(self.fast.count_legal() as usize, expected.len());
        assert_eq!(self.fast.has_legal(), !expected.is_empty());
        assert_eq!(self.visited(), listed);
        assert_eq!(self.fast.is_over(), self.slow.is_over());
        assert_eq!(self.fast.to_move(), self.slow.to_move());
        for player in self.fast.players() {
            assert_eq!(
                self.fast.cells_placed(player),
                self.slow.cells_placed(player)
            );
            assert_eq!(self.fast.score(player), self.slow.score(player));
            let cells: Vec<Cell> = self.fast.cells(player).iter().collect();
            assert_eq!(cells, self.slow.cells(player));
        }
    }

    fn visited(&self) -> Vec<Placement> {
        let mut visited = Vec::new();
        let flow = self.fast.visit_legal(|orientation, anchors| {
            assert!(!anchors.is_empty());
            visited.extend(
                anchors
                    .iter()
                    .map(|c| Placement::new(orientation, c.x, c.y)),
            );
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue());
        visited
    }
}

/// Generates arbitrary start cells, sometimes equal: then one player may be unable to start.
fn starts(width: u8, players: usize) -> impl Strategy<Value = Vec<Cell>> {
    let cell = (0..width, 0..width).prop_map(|(x, y)| Cell::new(x, y));
    prop::collection::vec(cell, players)
}

fn codes() -> impl Strategy<Value = Vec<[u8; 4]>> {
    let code = (0u8..20, 0u8..20, 0usize..21, 0usize..8).prop_map(|(x, y, tile, rotation)| {
        let tile = Tile::from_index(tile).unwrap();
        Code {
            x,
            y,
            tile,
            rotation: Rotation::from_index(rotation).unwrap(),
        }
        .to_bytes()
    });
    let byte = prop::sample::select(b"0159aekltuvAZ78 \n\xff".to_vec());
    let broken = [byte.clone(), byte.clone(), byte.clone(), byte];
    prop::collection::vec(prop_oneof![4 => code, 1 => broken], 64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn duo_positions_agree(
        choices in prop::collection::vec(any::<u16>(), 0..40),
        starts in prop_oneof![Just(Variant::DUO.starts.to_vec()), starts(14, 2)],
        codes in codes(),
    ) {
        let mut pair = Pair::<Duo>::new(&Variant::DUO, &starts);
        pair.play(&choices);
        pair.compare();
        codes.into_iter().for_each(|code| { pair.judge(code); });
    }

    #[test]
    fn undo_restores_every_position(choices in prop::collection::vec(any::<u16>(), 0..40)) {
        let mut pair = Pair::<Duo>::new(&Variant::DUO, Variant::DUO.starts);
        let mut seen = vec![pair.fast.clone()];
        for choice in choices {
            pair.play(&[choice]);
            seen.push(pair.fast.clone());
        }
        seen.dedup();
        while let Some(before) = seen.pop() {
            prop_assert_eq!(&pair.fast, &before);
            prop_assert_eq!(pair.fast.undo(), before.moves().last().copied());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn classic_positions_agree(
        choices in prop::collection::vec(any::<u16>(), 0..90),
        starts in prop_oneof![Just(Variant::CLASSIC.starts.to_vec()), starts(20, 4)],
        codes in codes(),
    ) {
        let mut pair = Pair::<Classic>::new(&Variant::CLASSIC, &starts);
        pair.play(&choices);
        pair.compare();
        codes.into_iter().for_each(|code| { pair.judge(code); });
    }
}

/// Checks every code at the positions of one game: both checkers report the same reason, and every
/// reason occurs.
#[test]
fn every_reason_is_given_by_both() {
    let mut pair = Pair::<Duo>::new(&Variant::DUO, Variant::DUO.starts);
    let mut reasons = BTreeMap::new();
    let game = "53e0 a8e0 21k7 94j0 61a0 71b3 0000 0000";
    for code in game.split(' ') {
        for (x, y, tile, rotation) in every_code() {
            let code = Code {
                x,
                y,
                tile,
                rotation,
            }
            .to_bytes();
            let name = match pair.judge(code) {
                None => "legal".to_owned(),
                Some(RejectReason::Broken) => unreachable!("every code is well-formed"),
                Some(RejectReason::IllegalMove(reason)) => {
                    format!("{reason:?}").split(' ').next().unwrap().to_owned()
                }
            };
            *reasons.entry(name).or_insert(0) += 1;
        }
        if pair.judge(*b"0000").is_some() {
            *reasons.entry("PassOnFirstTurn".to_owned()).or_insert(0) += 1;
        }
        pair.fast.play(code.parse().unwrap()).unwrap();
        pair.slow.play(code.as_bytes().try_into().unwrap()).unwrap();
    }
    assert_eq!(
        pair.judge(*b"0000"),
        Some(RejectReason::IllegalMove(IllegalMove::GameOver))
    );
    let seen: Vec<&str> = reasons.keys().map(String::as_str).collect();
    let expected = [
        "EdgeContact",
        "NoCornerContact",
        "Occupied",
        "OffBoard",
        "PassOnFirstTurn",
        "StartCellMissed",
        "TileUsed",
        "legal",
    ];
    assert_eq!(seen, expected);
    assert_eq!(reasons["PassOnFirstTurn"], 2);
}

/// Iterates over centres up to one column and row beyond the board, with all tiles and rotations.
fn every_code() -> impl Iterator<Item = (u8, u8, Tile, Rotation)> {
    Tile::ALL.into_iter().flat_map(|tile| {
        Rotation::ALL.into_iter().flat_map(move |rotation| {
            (0..15).flat_map(move |y| (0..15).map(move |x| (x, y, tile, rotation)))
        })
    })
}

/// A variant may continue after every player has passed, and after a player has placed every tile.
#[test]
fn both_go_on_where_the_variant_has_no_end() {
    static ENDLESS: Variant = Variant {
        may_pass_first_turn: true,
        ends_when_all_placed: false,
        ends_when_all_pass: false,
        ..Variant::DUO
    };
    let mut pair = Pair::<Duo>::new(&ENDLESS, ENDLESS.starts);
    for code in [*b"0000", *b"0000", *b"0000", *b"aaa0", *b"0000", *b"0000"] {
        assert_eq!(pair.judge(code), None);
        pair.fast
            .play(Move::from_code_bytes(code).unwrap())
            .unwrap();
        pair.slow.play(code).unwrap();
    }
    assert!(!pair.fast.is_over() && !pair.slow.is_over());
    assert_eq!(pair.slow.legal().len() as u32, pair.fast.count_legal());
}
