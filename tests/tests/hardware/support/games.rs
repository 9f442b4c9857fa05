//! Random games, as sources of positions.

use duoforge_rules::{ActionSpace, Cell, Colour, DuoBoard, Move, Placement, Variant};
use duoforge_twin::Rng;

/// Game of random moves, some of them passes.
pub struct Game {
    /// True if the device under test starts at (a,a).
    pub start_is_a: bool,
    /// Start cells in the order of moves.
    pub starts: [Cell; 2],
    /// Colour of the device under test.
    pub me: Colour,
    /// Moves, each with the position before it.
    pub moves: Vec<(DuoBoard, Move)>,
}

impl Game {
    /// Plays until neither side can place a tile.
    pub fn random(rng: &mut Rng) -> Self {
        let start_is_a = rng.below(2) == 1;
        let me = Colour(rng.below(2) as u8);
        let [five, a] = [Cell::new(4, 4), Cell::new(9, 9)];
        let starts = if (me.0 == 0) == start_is_a {
            [a, five]
        } else {
            [five, a]
        };
        let mut board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts);
        let mut moves = Vec::new();
        let mut passes = 0;
        while passes < 2 {
            let before = board.clone();
            let count = board.count_legal();
            passes = if count == 0 { passes + 1 } else { 0 };
            let mv = if count == 0 || rng.below(24) == 0 {
                Move::Pass
            } else {
                let pick = rng.below(count) as usize;
                Move::Place(board.legal().nth(pick).expect("one of them"))
            };
            board.play(mv).expect("a legal move");
            moves.push((before, mv));
        }
        Self {
            start_is_a,
            starts,
            me,
            moves,
        }
    }

    /// Returns the hardware's number of a colour: 0 is its own.
    pub fn side(&self, player: Colour) -> u64 {
        u64::from(player != self.me)
    }
}

/// Returns the 13,729 placements on the board.
pub fn placements() -> Vec<Placement> {
    ActionSpace::new(14).placements().collect()
}
