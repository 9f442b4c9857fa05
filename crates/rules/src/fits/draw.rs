//! Drawing one of many placements, each with the same chance, without listing them.

use multiversion::multiversion;

use super::plan::PLANS_BY_RUNS;
use super::{Fits, Runs};
use crate::size::{Row, Rows};
use crate::{Bitboard, Orientation, Placement, Size, TileSet};

/// What a player's placements have to lie on and touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground<S: Size> {
    /// The cells that may be covered.
    pub allowed: Bitboard<S>,
    /// The corner points, a subset of `allowed`; every placement covers one.
    pub corners: Bitboard<S>,
    /// Cells that placements of some classes have to cover one of.
    pub marked: Bitboard<S>,
}

/// Some of the legal placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Their tiles.
    pub tiles: TileSet,
    /// Whether they cover a marked cell.
    pub marked: bool,
}

/// Draws a placement from the first class that has any.
///
/// Placements are numbered by row, then orientation, then column of their anchors, and number
/// `random * count / 2^32` is taken. That is the order in which they leave a move generator that
/// works row by row.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub fn draw<S: Size>(ground: &Ground<S>, classes: &[Class], random: u32) -> Option<Placement> {
    draw_inline(ground, classes, random)
}

#[inline(always)]
fn draw_inline<S: Size>(ground: &Ground<S>, classes: &[Class], random: u32) -> Option<Placement> {
    let Ground {
        allowed,
        corners,
        marked,
    } = ground;
    if corners.is_empty() {
        return None;
    }
    let mut fits = Fits::EMPTY;
    fits.fill(allowed, corners);
    let marked = *marked & *allowed;
    let mut beside = Runs::<S>::EMPTY;
    if !marked.is_empty() {
        beside.fill((*allowed - marked).rows());
    }
    let mut anchors = [S::EMPTY; Orientation::COUNT];
    for class in classes {
        if class.tiles.is_empty() || class.marked && marked.is_empty() {
            continue;
        }
        let mut counts = S::EMPTY;
        for plan in PLANS_BY_RUNS.iter().filter(|plan| plan.is_of(class.tiles)) {
            let mut rows = fits.anchors(plan);
            if class.marked {
                rows = rows.zip(beside.fit(plan), |all, beside| all & !beside);
            }
            counts = counts.zip(rows, |sum, row| sum + row.count());
            anchors[plan.orientation.index()] = rows;
        }
        let total: u32 = counts.as_ref().iter().map(|&sum| sum.into()).sum();
        if total > 0 {
            let number = (u64::from(random) * u64::from(total)) >> 32;
            return nth::<S>(&anchors, &counts, class.tiles, number as u32);
        }
    }
    None
}

/// The placement of that number.
#[inline(always)]
fn nth<S: Size>(
    anchors: &[S::Rows; Orientation::COUNT],
    counts: &S::Rows,
    tiles: TileSet,
    mut number: u32,
) -> Option<Placement> {
    let mut y = 0;
    for &count in counts.as_ref() {
        if number < count.into() {
            break;
        }
        number -= count.into();
        y += 1;
    }
    for tile in tiles.iter() {
        for orientation in Orientation::of_tile(tile) {
            let mut row: u32 = anchors[orientation.index()].as_ref()[y].into();
            let count = row.count_ones();
            if number < count {
                for _ in 0..number {
                    row &= row - 1;
                }
                let x = row.trailing_zeros() as u8;
                return Some(Placement::new(orientation, x, y as u8));
            }
            number -= count;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Duo, DuoBoard, Player, Tile};

    /// A position with hundreds of placements, some of which cover a marked cell.
    fn ground() -> (DuoBoard, Ground<Duo>) {
        let mut board = DuoBoard::duo();
        for code in ["53e0", "a8e0"] {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        let ground = Ground {
            allowed: board.allowed(Player(0)),
            corners: board.corner_points(Player(0)),
            marked: (0..7).map(|x| Cell::new(x, 6)).collect(),
        };
        (board, ground)
    }

    /// The placements of a class in the order in which they are numbered, found one by one.
    fn listed(board: &DuoBoard, ground: &Ground<Duo>, class: Class) -> Vec<Placement> {
        let mut list: Vec<_> = board
            .legal()
            .filter(|placement| class.tiles.contains(placement.tile()))
            .filter(|placement| {
                !class.marked || placement.cells().any(|cell| ground.marked.contains(cell))
            })
            .collect();
        list.sort_by_key(|p| (p.y, p.orientation, p.x));
        list
    }

    #[test]
    fn every_placement_has_its_number() {
        let (board, ground) = ground();
        let small: TileSet = Tile::ALL.into_iter().filter(|t| t.size() == 3).collect();
        for tiles in [board.tiles_left(Player(0)), small] {
            for marked in [false, true] {
                let class = Class { tiles, marked };
                let list = listed(&board, &ground, class);
                assert!(list.len() > 3, "{class:?}");
                for (number, &placement) in list.iter().enumerate() {
                    // The middle of the range of random numbers that choose this one.
                    let random = ((number as u64 * 2 + 1) << 31) / list.len() as u64;
                    let drawn = draw(&ground, &[class], random as u32);
                    assert_eq!(drawn, Some(placement));
                    assert_eq!(draw_inline(&ground, &[class], random as u32), drawn);
                }
            }
        }
    }

    #[test]
    fn the_first_class_that_has_any_is_taken() {
        let (board, mut ground) = ground();
        let all = |marked| Class {
            tiles: board.tiles_left(Player(0)),
            marked,
        };
        let none = Class {
            tiles: TileSet::EMPTY,
            marked: false,
        };
        let classes = [none, all(true), all(false)];
        let first = listed(&board, &ground, classes[1])[0];
        assert_eq!(draw(&ground, &classes, 0), Some(first));
        ground.marked = [Cell::new(13, 13)].into_iter().collect();
        let first = listed(&board, &ground, classes[2])[0];
        assert_eq!(draw(&ground, &classes, 0), Some(first));
        ground.corners = Bitboard::EMPTY;
        assert_eq!(draw(&ground, &classes, 0), None);
    }
}
