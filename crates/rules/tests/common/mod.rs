//! Both checkers of any variant after the same moves, and random games.

// Each test uses a part of this module.
#![allow(dead_code)]

use std::collections::BTreeSet;

use duoforge_rules::naive::{NaiveGame, RejectReason};
use duoforge_rules::{
    Cell, Code, CodeError, ColourDefinition, Game, GameVariant, IllegalMove, Move, Placement,
    Rotation, Tile, VariantDefinition,
};

/// Random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

/// Both games after the same moves.
pub struct Pair {
    pub fast: Game,
    pub slow: NaiveGame,
}

impl Pair {
    pub fn new(variant: &GameVariant) -> Self {
        Self {
            fast: Game::new(variant),
            slow: NaiveGame::new(variant),
        }
    }

    /// Plays a legal move on both games.
    pub fn play(&mut self, mv: Move) {
        self.fast.play(mv).unwrap_or_else(|e| panic!("{mv}: {e}"));
        let code = mv.to_code_bytes();
        self.slow.play(code).unwrap_or_else(|e| panic!("{mv}: {e}"));
    }

    /// Plays moves that are given as codes, separated by blanks.
    pub fn play_all(&mut self, codes: &str) {
        for code in codes.split_whitespace() {
            self.play(code.parse().unwrap());
        }
    }

    /// Returns the verdict on a code and asserts that both checkers agree.
    pub fn judge(&self, code: [u8; 4]) -> Option<RejectReason> {
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

    /// Returns the reason why both checkers reject a code.
    pub fn reason(&self, code: &str) -> Option<IllegalMove> {
        match self.judge(code.as_bytes().try_into().unwrap()) {
            Some(RejectReason::IllegalMove(reason)) => Some(reason),
            Some(RejectReason::Broken) => panic!("{code} is not a code"),
            None => None,
        }
    }

    /// Compares turn, end, cells and scores.
    pub fn compare_state(&self) {
        let Self { fast, slow } = self;
        assert_eq!(fast.to_move(), slow.to_move(), "\n{fast}");
        assert_eq!(fast.is_over(), slow.to_move().is_none());
        for colour in fast.colours() {
            assert_eq!(fast.seat_of(colour), slow.seat_of(colour));
            assert_eq!(list(fast.cells(colour).iter()), slow.cells(colour));
            assert_eq!(fast.cells(colour).len(), fast.cells_placed(colour));
            assert_eq!(fast.colour_score(colour), slow.colour_score(colour));
            let void = list(fast.void_cells(colour).iter());
            assert_eq!(void, slow.void_cells(colour), "\n{fast}");
        }
        let result = fast.result();
        let places: Vec<u8> = result.seats().iter().map(|seat| seat.place).collect();
        assert_eq!(places, slow.places());
        for seat in result.seats() {
            assert_eq!(seat.score, slow.seat_score(seat.seat));
        }
    }

    /// Compares the legal moves of the colour to move.
    pub fn compare_legal(&self) {
        let listed = self.fast.legal();
        assert_eq!(cell_lists(&listed), self.slow.legal(), "\n{}", self.fast);
        assert_eq!(self.fast.count_legal() as usize, listed.len());
        assert!(listed.is_sorted_by_key(|it| (it.orientation, it.y, it.x)));
        let pass = self.judge(*b"0000");
        assert_eq!(self.fast.is_over(), self.fast.legal_moves().is_empty());
        assert_eq!(
            self.fast.legal_moves().len(),
            listed.len() + usize::from(pass.is_none())
        );
    }

    /// Compares the placements of every colour, as if it were its turn.
    pub fn compare_placements(&self) {
        for colour in self.fast.colours() {
            let listed = self.fast.placements_of(colour);
            assert_eq!(cell_lists(&listed), self.slow.legal_of(colour));
            assert_eq!(self.fast.count_placements(colour) as usize, listed.len());
            assert_eq!(self.fast.can_place(colour), !listed.is_empty());
        }
    }
}

/// Cells of each placement; panics if two have the same.
fn cell_lists(placements: &[Placement]) -> BTreeSet<Vec<Cell>> {
    let lists: BTreeSet<_> = placements.iter().map(|it| list(it.cells())).collect();
    assert_eq!(lists.len(), placements.len(), "a placement is listed twice");
    lists
}

pub fn list(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    cells.collect()
}

/// Returns a random move: one in `passes` is a pass, if a pass is legal.
pub fn random_move(game: &Game, random: &mut Random, passes: usize) -> Move {
    let legal = game.legal();
    let wants_pass = random.below(passes) == 0 && game.check(Move::Pass).is_ok();
    if legal.is_empty() || wants_pass {
        Move::Pass
    } else {
        Move::Place(legal[random.below(legal.len())])
    }
}

/// Returns a random code of a cell of the board or next to it.
pub fn random_code(size: u8, random: &mut Random) -> [u8; 4] {
    let limit = usize::from(size + 1).min(20);
    Code {
        x: random.below(limit) as u8,
        y: random.below(limit) as u8,
        tile: Tile::from_index(random.below(Tile::COUNT)).unwrap(),
        rotation: Rotation::from_index(random.below(8)).unwrap(),
    }
    .to_bytes()
}

/// Returns a definition with colours that start at `starts[i]`; colour `i` belongs to seat
/// `i % seats`.
pub fn definition(name: &str, size: i64, seats: i64, starts: &[&[[i64; 2]]]) -> VariantDefinition {
    let colour = |(i, starts): (usize, &&[[i64; 2]])| ColourDefinition {
        seat: Some(i as i64 % seats),
        shared: false,
        starts: starts.to_vec(),
    };
    VariantDefinition {
        name: name.to_owned(),
        size,
        seats,
        colours: starts.iter().enumerate().map(colour).collect(),
        ..VariantDefinition::default()
    }
}
