//! Opponents played by the host, which lead a device of unknown policy into situations. They obey
//! the rules, as an opponent in the contest does.

use std::collections::BTreeSet;

use duoforge_protocol::{MoveCode, PASS};
use duoforge_rules::{Code, DuoBoard, Move, Orientation, Placement, Rotation, Tile};
use duoforge_twin::Rng;

/// Chooser of the opponent's moves.
pub trait Opponent {
    /// Returns the move of the side to move, legal in this position.
    fn choose(&mut self, board: &DuoBoard) -> MoveCode;
}

/// Placement with the highest rank, the first of equals; a pass without any.
fn best<R: PartialOrd>(board: &DuoBoard, mut rank: impl FnMut(Placement) -> R) -> MoveCode {
    let mut best: Option<(R, Placement)> = None;
    for placement in board.legal() {
        let rank = rank(placement);
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            best = Some((rank, placement));
        }
    }
    best.map_or(PASS, |(_, placement)| placement.code().to_bytes())
}

/// Opponent that places large tiles first, otherwise at random.
pub struct Sparring(Rng);

impl Sparring {
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl Opponent for Sparring {
    fn choose(&mut self, board: &DuoBoard) -> MoveCode {
        best(board, |placement| {
            (placement.tile().size(), self.0.next_u32())
        })
    }
}

/// Opponent that minimises the device's placements and keeps its own. The device then has to pass
/// while the opponent still plays.
pub struct Blocker {
    rng: Rng,
    /// Weight of a placement of the device, and of a cell of a tile.
    weights: (i64, i64),
}

impl Blocker {
    /// Creates the blocker for one of several games, which differ in the weights.
    pub fn new(seed: u64, game: u32) -> Self {
        const WEIGHTS: [(i64, i64); 2] = [(3, 0), (2, 10)];
        Self {
            rng: Rng::new(seed),
            weights: WEIGHTS[(game / 4) as usize % WEIGHTS.len()],
        }
    }
}

impl Opponent for Blocker {
    fn choose(&mut self, board: &DuoBoard) -> MoveCode {
        let mut after = board.clone();
        best(board, |placement| {
            after.play(placement.into()).expect("it is legal");
            let theirs = i64::from(after.count_legal());
            // To play on while the device must pass, the blocker needs placements itself.
            let mine = after.play(Move::Pass).map_or(0, |()| {
                let mine = after.count_legal();
                after.undo();
                i64::from(mine)
            });
            after.undo();
            let size = i64::from(placement.tile().size());
            let (block, big) = self.weights;
            (mine - block * theirs + big * size, self.rng.next_u32() % 4)
        })
    }
}

/// Opponent that places one small tile and passes from then on, so that the device plays alone.
pub struct Passer;

impl Opponent for Passer {
    fn choose(&mut self, board: &DuoBoard) -> MoveCode {
        if board.ply() >= 2 {
            return PASS;
        }
        best(board, |placement| 100 - placement.tile().size())
    }
}

/// Opponent that repeats the moves of a list.
pub struct Lister(pub Vec<MoveCode>);

impl Opponent for Lister {
    fn choose(&mut self, board: &DuoBoard) -> MoveCode {
        let legal = |code: &MoveCode| {
            let mv = Move::from_code_bytes(*code);
            mv.is_ok_and(|mv| board.check(mv).is_ok())
        };
        // A move is illegal once the device has deviated from the list; any other move will do
        // then.
        let next = (!self.0.is_empty()).then(|| self.0.remove(0));
        next.filter(legal).unwrap_or_else(|| best(board, |_| 0))
    }
}

/// Returns all codes of a placement.
pub fn aliases(placement: Placement) -> Vec<Code> {
    let tile = placement.tile();
    let rotations = (0..8).filter_map(Rotation::from_index);
    rotations
        .filter(|&rotation| {
            Orientation::from_tile_rotation(tile, rotation) == placement.orientation
        })
        .map(|rotation| {
            let back = Orientation::back(tile, rotation);
            Code {
                x: placement.x + back.x,
                y: placement.y + back.y,
                tile,
                rotation,
            }
        })
        .collect()
}

/// Opponent that sends its placements in all possible codes, one after the other. It covers
/// attractive cells of the device, so that a device that misreads a placement plays there.
pub struct Aliaser {
    /// Tile and rotation of the codes that have not been sent yet.
    unsent: BTreeSet<(Tile, Rotation)>,
    /// Placements of this opponent as canonical codes.
    pub plain: Vec<MoveCode>,
}

impl Aliaser {
    pub fn new() -> Self {
        let codes = (0..21).filter_map(Tile::from_index).flat_map(|tile| {
            let rotations = (0..8).filter_map(Rotation::from_index);
            rotations.map(move |rotation| (tile, rotation))
        });
        Self {
            unsent: codes.collect(),
            plain: Vec::new(),
        }
    }

    /// Number of codes sent, of 168.
    pub fn sent(&self) -> usize {
        168 - self.unsent.len()
    }

    fn next(&self, placement: Placement) -> Option<Code> {
        let canonical = placement.code();
        let unsent = |code: &Code| self.unsent.contains(&(code.tile, code.rotation));
        let mut codes: Vec<_> = aliases(placement).into_iter().filter(unsent).collect();
        // The canonical code comes last, since most devices accept it anyway.
        codes.sort_by_key(|code| *code == canonical);
        codes.first().copied()
    }
}

impl Opponent for Aliaser {
    fn choose(&mut self, board: &DuoBoard) -> MoveCode {
        let opponent = board.to_move().opponent();
        let wanted = board.corner_points(opponent) & board.allowed(opponent);
        let plain = best(board, |placement| {
            let next = self.next(placement);
            let fresh = next.is_some_and(|code| code != placement.code());
            let taken = placement
                .cells()
                .filter(|&cell| wanted.contains(cell))
                .count();
            (fresh, next.is_some(), taken)
        });
        self.plain.push(plain);
        let Some(placement) = Code::from_bytes(plain).ok().and_then(Code::placement) else {
            return plain;
        };
        let code = self.next(placement).unwrap_or_else(|| placement.code());
        self.unsent.remove(&(code.tile, code.rotation));
        code.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_every_placement_is_an_alias_once() {
        let mut codes = BTreeSet::new();
        for orientation in Orientation::all() {
            for code in aliases(Placement::new(orientation, 4, 4)) {
                assert_eq!(code.placement(), Some(Placement::new(orientation, 4, 4)));
                assert!(codes.insert((code.tile, code.rotation)));
            }
        }
        assert_eq!(codes.len(), 168);
        let domino = Code::from_bytes(*b"33b6").unwrap().placement().unwrap();
        assert!(
            aliases(domino)
                .iter()
                .any(|code| code.to_bytes() == *b"43b2")
        );
    }

    /// Position after some moves of two opponents that play at random.
    fn position(plies: usize, seed: u64) -> DuoBoard {
        let mut board = DuoBoard::new(&duoforge_rules::Variant::ENDLESS_DUO);
        let mut sparring = Sparring::new(seed);
        for _ in 0..plies {
            let code = sparring.choose(&board);
            board.play(Move::from_code_bytes(code).unwrap()).unwrap();
        }
        board
    }

    fn placed(code: MoveCode) -> Placement {
        let placement = Code::from_bytes(code).unwrap().placement();
        placement.expect("the opponent places a tile")
    }

    #[test]
    fn the_first_of_the_best_placements_is_chosen() {
        let board = position(6, 1);
        let legal: Vec<_> = board.legal().collect();
        let sizes = || legal.iter().map(|placement| placement.tile().size());
        let code = |index: Option<usize>| legal[index.unwrap()].code().to_bytes();
        let (least, most) = (sizes().min(), sizes().max());
        let first_of = |size| code(sizes().position(|other| Some(other) == size));
        assert_ne!(least, most);
        assert_eq!(best(&board, |_| 0), code(Some(0)));
        assert_eq!(
            best(&board, |placement| placement.tile().size()),
            first_of(most)
        );
        let small = best(&board, |placement| -i32::from(placement.tile().size()));
        assert_eq!(small, first_of(least));
    }

    /// Numbers of placements of the device and of the blocker after a move of the blocker.
    fn mobilities(board: &DuoBoard, placement: Placement) -> (i64, i64) {
        let mut after = board.clone();
        after.play(placement.into()).unwrap();
        let theirs = after.legal().count();
        after.play(Move::Pass).unwrap();
        (theirs as i64, after.legal().count() as i64)
    }

    /// The first four games weigh the two mobilities, and the next four the size of the tile too.
    #[test]
    fn a_blocker_takes_placements_of_the_device_and_keeps_its_own() {
        let board = position(9, 2);
        for (game, weight, cell) in [(0, 3, 0), (3, 3, 0), (4, 2, 10), (7, 2, 10), (8, 3, 0)] {
            let value = |placement: Placement| {
                let (theirs, mine) = mobilities(&board, placement);
                mine - weight * theirs + cell * i64::from(placement.tile().size())
            };
            let chosen = placed(Blocker::new(1, game).choose(&board));
            let highest = board.legal().map(value).max();
            assert_eq!(Some(value(chosen)), highest, "game {game}");
        }
    }

    #[test]
    fn a_passer_places_one_tile_of_one_cell() {
        for plies in [0, 1] {
            let code = Passer.choose(&position(plies, 3));
            assert_eq!(placed(code).tile().size(), 1);
        }
        assert_eq!(Passer.choose(&position(2, 3)), PASS);
    }

    /// The alias covers as many attractive cells as any placement does.
    #[test]
    fn an_aliaser_covers_the_cells_that_attract_the_device() {
        for seed in 1..8 {
            let board = position(5, seed);
            let device = board.to_move().opponent();
            let attractive = |cell| {
                board.corner_points(device).contains(cell) && board.allowed(device).contains(cell)
            };
            let covered = |placement: Placement| {
                let cells = placement.cells();
                cells.filter(|&cell| attractive(cell)).count()
            };
            let has_alias = |placement: &Placement| aliases(*placement).len() > 1;
            let highest = board.legal().filter(has_alias).map(covered).max();
            let mut aliaser = Aliaser::new();
            let code = aliaser.choose(&board);
            assert_eq!(Some(covered(placed(code))), highest, "seed {seed}");
            assert_ne!(placed(code).code().to_bytes(), code);
            assert_eq!(aliaser.plain, [placed(code).code().to_bytes()]);
            assert_eq!(aliaser.sent(), 1);
        }
    }
}
