//! Random choice of one legal placement without listing them.

use duoforge_rules::fits::{Fits, PLANS_BY_RUNS, Plan, Runs};
use duoforge_rules::{Bitboard, Orientation, Placement, Row, Rows, Size, TileSet};
use multiversion::multiversion;

/// Maps of one side in a playout: allowed cells, corner points and reply cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutMaps<S: Size> {
    /// Allowed cells of the side to move.
    pub allowed: Bitboard<S>,
    /// Corner points, a subset of `allowed`; every placement covers at least one.
    pub corners: Bitboard<S>,
    /// Reply cells: placements of a class with [`PlacementClass::min_replies`] cover some of them.
    pub reply_cells: Bitboard<S>,
}

/// Placement class: priority group of legal placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementClass {
    /// Tiles of the placements.
    pub tiles: TileSet,
    /// Minimum number of reply cells that the placements cover.
    pub min_replies: u32,
}

/// Number of cells of the largest tiles.
const MAX_SIZE: u8 = 5;

/// Maximum number of reply cells that a class demands.
const MAX_COUNT: usize = 4;

/// Plans of all orientations: the largest tiles first, then by number of runs.
pub(super) static PLANS_BY_SIZE: [Plan; Orientation::COUNT] = {
    let mut sorted = PLANS_BY_RUNS;
    let (mut count, mut size) = (0, MAX_SIZE);
    while size > 0 {
        let mut i = 0;
        while i < PLANS_BY_RUNS.len() {
            if PLANS_BY_RUNS[i].orientation.tile().size() == size {
                sorted[count] = PLANS_BY_RUNS[i];
                count += 1;
            }
            i += 1;
        }
        size -= 1;
    }
    sorted
};

/// Tiles of one size, as bits of [`TileSet::bits`], and the range of their plans.
#[derive(Clone, Copy)]
struct SizeGroup {
    tiles: u32,
    first: usize,
    end: usize,
}

/// Groups of [`PLANS_BY_SIZE`], the largest tiles first.
static SIZE_GROUPS: [SizeGroup; MAX_SIZE as usize] = {
    let empty = SizeGroup {
        tiles: 0,
        first: 0,
        end: 0,
    };
    let mut groups = [empty; MAX_SIZE as usize];
    let mut i = 0;
    while i < PLANS_BY_SIZE.len() {
        let tile = PLANS_BY_SIZE[i].orientation.tile();
        let group = &mut groups[(MAX_SIZE - tile.size()) as usize];
        if group.tiles == 0 {
            group.first = i;
        }
        group.tiles |= 1 << tile.index();
        i += 1;
        group.end = i;
    }
    groups
};

/// Draws a placement from the first class that is not empty: the placement whose number has the
/// smallest XOR distance to a random number.
///
/// The number of a placement is `row << 12 | column << 7 | orientation`; only the lowest 17 bits of
/// `random` are used. The draw therefore selects the row first, then the column, then the
/// orientation, bit by bit. A bit is forced if all remaining placements agree in it. The
/// distribution is not uniform, but the draw needs no count: a move generator that works row by row
/// can draw while it generates.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub fn draw<S: Size>(
    maps: &PlayoutMaps<S>,
    classes: &[PlacementClass],
    random: u32,
) -> Option<Placement> {
    draw_inline(maps, classes, random)
}

#[inline(always)]
fn draw_inline<S: Size>(
    maps: &PlayoutMaps<S>,
    classes: &[PlacementClass],
    random: u32,
) -> Option<Placement> {
    let PlayoutMaps {
        allowed,
        corners,
        reply_cells,
    } = maps;
    if corners.is_empty() {
        return None;
    }
    let mut fits = Fits::EMPTY;
    fits.fill(allowed, corners);
    let reply_cells = *reply_cells & *allowed;
    let mut beside = Runs::<S>::EMPTY;
    if !reply_cells.is_empty() {
        beside.fill(&(*allowed - reply_cells));
    }
    let mut covers = Covers::<S>::EMPTY;
    if classes.iter().any(|class| class.min_replies > 1) {
        covers.fill(&reply_cells);
    }
    // Anchors of the placements of a class. Those of all legal placements are computed once for each
    // group of tiles.
    let mut anchors = [S::EMPTY; Orientation::COUNT];
    let mut legal = [S::EMPTY; Orientation::COUNT];
    let mut computed = TileSet::EMPTY.bits();
    for class in classes {
        if class.tiles.is_empty() || class.min_replies > 0 && reply_cells.is_empty() {
            continue;
        }
        let is_computed = class.tiles.bits() & !computed == 0;
        computed |= class.tiles.bits();
        let mut columns = S::EMPTY;
        // The classes of a playout have tiles of one size each.
        let of_class = |group: &&SizeGroup| group.tiles & class.tiles.bits() != 0;
        for group in SIZE_GROUPS.iter().filter(of_class) {
            let plans = PLANS_BY_SIZE[group.first..group.end].iter();
            for plan in plans.filter(|plan| plan.is_of(class.tiles)) {
                let index = plan.orientation.index();
                if !is_computed {
                    legal[index] = fits.anchors(plan);
                }
                let mut rows = legal[index];
                match class.min_replies {
                    0 => {}
                    1 => rows = rows.zip(beside.fit(plan), |all, beside| all & !beside),
                    least => {
                        let many = covers.anchors(plan.orientation, least);
                        rows = rows.zip(many, |all, many| all & many);
                    }
                }
                columns = columns.zip(rows, |any, row| any | row);
                anchors[index] = rows;
            }
        }
        let rows = columns.as_ref().iter().enumerate();
        let rows = rows.fold(0, |rows, (y, &row)| rows | u32::from(row.into() != 0) << y);
        if rows != 0 {
            let y = nearest(rows, random >> 12);
            let x = nearest(columns.as_ref()[y].into(), random >> 7);
            let found = class.tiles.iter().flat_map(Orientation::of_tile);
            let found = found.filter(|o| anchors[o.index()].as_ref()[y].into() >> x & 1 == 1);
            let orientation = found.min_by_key(|o| o.index() as u32 ^ (random & 127))?;
            return Some(Placement::new(orientation, x as u8, y as u8));
        }
    }
    None
}

/// Set of cells that counts how many of them a placement covers. Plane `dx` is the set shifted left
/// by `dx` columns, with empty rows below.
struct Covers<S: Size> {
    planes: [[S::Row; PLANE_ROWS]; REACH],
}

/// Rows of a plane: those of the largest board with its padding, and of a shape below the last one.
const PLANE_ROWS: usize = 28;

/// Maximum width and height of a tile.
const REACH: usize = 5;

impl<S: Size> Covers<S> {
    const EMPTY: Self = Self {
        planes: [[S::Row::EMPTY; PLANE_ROWS]; REACH],
    };

    #[inline(always)]
    fn fill(&mut self, cells: &Bitboard<S>) {
        for (plane, dx) in self.planes.iter_mut().zip(0..) {
            for (shifted, y) in plane.iter_mut().zip(0..S::Rows::LEN as u8) {
                *shifted = S::Row::from_bits(cells.row(y) >> dx);
            }
        }
    }

    /// Returns the anchors at which an orientation covers at least this number of the cells, from 1
    /// to [`MAX_COUNT`].
    #[inline(always)]
    fn anchors(&self, orientation: Orientation, least: u32) -> S::Rows {
        // Entry `i` has the anchors with more than `i` cells.
        let mut counts = [S::EMPTY; MAX_COUNT];
        for (dy, &row) in orientation.rows().iter().enumerate() {
            let mut row = row;
            while row != 0 {
                let plane = &self.planes[row.trailing_zeros() as usize];
                row &= row - 1;
                let covered = S::Rows::from_slice(&plane[dy..dy + S::Rows::LEN]);
                for i in (1..least as usize).rev() {
                    let more = counts[i - 1].zip(covered, |count, covered| count & covered);
                    counts[i] = counts[i].zip(more, |count, more| count | more);
                }
                counts[0] = counts[0].zip(covered, |count, covered| count | covered);
            }
        }
        counts[least as usize - 1]
    }
}

/// Returns the index of the set bit that is nearest by XOR to the lowest five bits of `wish`; `set`
/// must not be empty.
#[inline(always)]
fn nearest(mut set: u32, wish: u32) -> usize {
    let mut index = 0;
    for bit in (0..5).rev() {
        let half = 1 << bit;
        let (lower, upper) = (set & ((1 << half) - 1), set >> half);
        let up = if wish >> bit & 1 == 1 {
            upper != 0
        } else {
            lower == 0
        };
        set = if up { upper } else { lower };
        index |= usize::from(up) << bit;
    }
    index
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{Cell, Colour, Duo, DuoBoard, Tile};

    use super::*;

    /// Returns a position with hundreds of placements, some of which cover a reply cell.
    fn maps() -> (DuoBoard, PlayoutMaps<Duo>) {
        let mut board = DuoBoard::duo();
        for code in ["53e0", "a8e0"] {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        let maps = PlayoutMaps {
            allowed: board.allowed(Colour(0)),
            corners: board.corner_points(Colour(0)),
            reply_cells: (0..7).map(|x| Cell::new(x, 6)).collect(),
        };
        (board, maps)
    }

    /// Returns the placements of a class, filtered one by one.
    fn listed(board: &DuoBoard, maps: &PlayoutMaps<Duo>, class: PlacementClass) -> Vec<Placement> {
        let reply_cells = |placement: &Placement| {
            let cells = placement.cells();
            let covered = cells
                .filter(|&cell| maps.reply_cells.contains(cell))
                .count();
            covered >= class.min_replies as usize
        };
        let of_class = |placement: &Placement| class.tiles.contains(placement.tile());
        board.legal().filter(of_class).filter(reply_cells).collect()
    }

    fn number(placement: &Placement) -> u32 {
        let row_and_column = u32::from(placement.y) << 12 | u32::from(placement.x) << 7;
        row_and_column | placement.orientation.index() as u32
    }

    #[test]
    fn the_nearest_to_any_number_is_drawn() {
        let (board, maps) = maps();
        let small: TileSet = Tile::ALL.into_iter().filter(|t| t.size() == 3).collect();
        for tiles in [board.tiles_left(Colour(0)), small] {
            for min_replies in 0..=4 {
                let class = PlacementClass { tiles, min_replies };
                let list = listed(&board, &maps, class);
                assert!(list.len() > 3 || tiles == small && min_replies > 2);
                for random in (0..1 << 17).step_by(37) {
                    let nearest = list.iter().min_by_key(|p| number(p) ^ random);
                    // Only the lowest 17 bits are used.
                    let drawn = draw(&maps, &[class], random | 5 << 17);
                    assert_eq!(drawn, nearest.copied());
                    assert_eq!(draw_inline(&maps, &[class], random), drawn);
                }
                for &placement in &list {
                    assert_eq!(draw(&maps, &[class], number(&placement)), Some(placement));
                }
            }
        }
    }

    #[test]
    fn the_first_class_that_has_any_is_taken() {
        let (board, mut maps) = maps();
        let all = |min_replies| PlacementClass {
            tiles: board.tiles_left(Colour(0)),
            min_replies,
        };
        let none = PlacementClass {
            tiles: TileSet::EMPTY,
            min_replies: 0,
        };
        let classes = [none, all(2), all(1), all(0)];
        let first = |class| listed(&board, &maps, class).into_iter().min_by_key(number);
        assert_eq!(draw(&maps, &classes, 0), first(classes[1]));
        maps.reply_cells = [Cell::new(13, 13)].into_iter().collect();
        let first = |class| listed(&board, &maps, class).into_iter().min_by_key(number);
        assert_eq!(draw(&maps, &classes, 0), first(classes[3]));
        maps.corners = Bitboard::EMPTY;
        assert_eq!(draw(&maps, &classes, 0), None);
    }
}
