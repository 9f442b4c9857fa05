//! Random choice of one legal placement by weight.
//!
//! The weight of a placement has a factor 3 for each cell and 1.8 for each corner of its tile.
//! Placements that cover cells at the opponent's recent corner points come before all others: the
//! more of these cells, up to [`MAX_REPLIES`], the better.

use duoforge_rules::fits::{Fits, Runs};
use duoforge_rules::{Bitboard, Duo, Orientation, Placement, Rows, Size, TileSet};
use multiversion::multiversion;

use super::draw::{PLANS_BY_SIZE, PlayoutMaps};

/// Maximum number of reply cells that raise the preference of a placement.
const MAX_REPLIES: u32 = 4;

/// Maximum number of replies among which one is drawn.
const MAX_FOUND: usize = 512;

/// Maximum distance in rows of a placement's anchor above one of its cells.
const REACH: usize = 4;

type DuoRows = <Duo as Size>::Rows;

/// Weights of the orientations.
static WEIGHTS: [u32; Orientation::COUNT] = {
    let mut weights = [0; Orientation::COUNT];
    let mut index = 0;
    while index < weights.len() {
        weights[index] = weight(Orientation::from_index(index).expect("below the count"));
        index += 1;
    }
    weights
};

const fn weight(orientation: Orientation) -> u32 {
    let mut weight = 1;
    let mut cells = 0;
    while cells < orientation.tile().size() {
        weight *= 3;
        cells += 1;
    }
    // In 16ths, so that the factors 9/5 lose little. A single cell has four corners.
    weight *= 16;
    let mut corner = 4;
    while corner < corners(orientation) {
        weight = weight * 9 / 5;
        corner += 1;
    }
    weight
}

/// Returns the number of cells that are diagonal to a tile and share no edge with it.
const fn corners(orientation: Orientation) -> u32 {
    // The shape, moved by one row and one column.
    let shape = orientation.rows();
    let mut rows = [0_u32; 7];
    let mut y = 0;
    while y < shape.len() {
        rows[y + 1] = (shape[y] as u32) << 1;
        y += 1;
    }
    let (mut count, mut y) = (0, 0);
    while y < rows.len() {
        let above = if y > 0 { rows[y - 1] } else { 0 };
        let below = if y + 1 < rows.len() { rows[y + 1] } else { 0 };
        let row = rows[y];
        let beside = row << 1 | row >> 1 | above | below | row;
        let diagonal = (above | below) << 1 | (above | below) >> 1;
        count += (diagonal & !beside).count_ones();
        y += 1;
    }
    count
}

/// Draws a placement by weight; `None` if no placement of `tiles` is legal. The marked cells of the
/// maps are the reply cells.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn draw_by_weight(maps: &PlayoutMaps<Duo>, tiles: TileSet, random: u32) -> Option<Placement> {
    draw_inline(maps, tiles, random)
}

#[inline(always)]
fn draw_inline(maps: &PlayoutMaps<Duo>, tiles: TileSet, random: u32) -> Option<Placement> {
    if maps.corners.is_empty() {
        return None;
    }
    let mut fits = Fits::EMPTY;
    fits.fill(&maps.allowed, &maps.corners);
    let reply_cells = maps.reply_cells & maps.allowed;
    if !reply_cells.is_empty() {
        let drawn = draw_reply(&fits, &maps.allowed, &reply_cells, tiles, random);
        if drawn.is_some() {
            return drawn;
        }
    }
    draw_anywhere(&fits, tiles, random)
}

/// Legal anchors of the orientations that have any: the largest tiles first.
struct Anchors {
    rows: [DuoRows; Orientation::COUNT],
    orientations: [u8; Orientation::COUNT],
    len: usize,
}

impl Anchors {
    /// Finds the anchors of `tiles`; if `beside` is given, only those of placements that do not
    /// fit into its cells.
    // The rows are stored before their cells are read, so they stay in vector registers.
    #[inline(always)]
    fn find(fits: &Fits<Duo>, beside: Option<&Runs<Duo>>, tiles: TileSet) -> Self {
        let mut found = Self {
            rows: [Duo::EMPTY; Orientation::COUNT],
            orientations: [0; Orientation::COUNT],
            len: 0,
        };
        for plan in PLANS_BY_SIZE.iter().filter(|plan| plan.is_of(tiles)) {
            let mut rows = fits.anchors(plan);
            if let Some(beside) = beside {
                rows = rows.zip(beside.fit(plan), |all, beside| all & !beside);
            }
            found.rows[found.len] = rows;
            found.orientations[found.len] = plan.orientation.index() as u8;
            found.len += usize::from(rows != Duo::EMPTY);
        }
        found
    }

    /// Iterates over the orientations and their anchors.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (usize, &DuoRows)> {
        let orientations = self.orientations[..self.len].iter();
        orientations
            .map(|&index| usize::from(index))
            .zip(&self.rows)
    }
}

/// Returns a number below `bound` from a random number.
#[inline(always)]
fn scaled(random: u32, bound: u32) -> u32 {
    ((u64::from(random) * u64::from(bound)) >> 32) as u32
}

/// Draws among the placements that cover the most reply cells; `None` if none covers one.
#[inline(always)]
fn draw_reply(
    fits: &Fits<Duo>,
    allowed: &Bitboard<Duo>,
    reply_cells: &Bitboard<Duo>,
    tiles: TileSet,
    random: u32,
) -> Option<Placement> {
    let mut beside = Runs::<Duo>::EMPTY;
    beside.fill(&(*allowed - *reply_cells));
    let cells: [u32; 16] = std::array::from_fn(|y| reply_cells.row(y as u8));
    let first = cells.iter().position(|&row| row != 0)?;
    let last = cells.iter().rposition(|&row| row != 0)?;
    let (mut best, mut total, mut len) = (1, 0, 0);
    let mut found = [(0, (0, 0, 0)); MAX_FOUND];
    for (index, anchors) in Anchors::find(fits, Some(&beside), tiles).iter() {
        let orientation = Orientation::from_index(index)?;
        // No smaller tile covers more cells than it has.
        if u32::from(orientation.tile().size()) < best {
            break;
        }
        let (shape, weight) = (orientation.rows(), WEIGHTS[index]);
        for y in first.saturating_sub(REACH)..=last {
            let mut row = anchors[y];
            while row != 0 {
                let x = row.trailing_zeros();
                row &= row - 1;
                let below = cells[y..].iter().zip(shape);
                let covered =
                    below.map(|(&row, &shape)| (row >> x & u32::from(shape)).count_ones());
                let count = covered.sum::<u32>().min(MAX_REPLIES);
                if count < best {
                    continue;
                }
                if count > best {
                    (best, total, len) = (count, 0, 0);
                }
                if len < MAX_FOUND {
                    total += weight;
                    found[len] = (total, (index as u8, x as u8, y as u8));
                    len += 1;
                }
            }
        }
    }
    if len == 0 {
        return None;
    }
    let random = scaled(random, total);
    let drawn = found[..len].iter().find(|&&(below, _)| random < below);
    let &(_, (index, x, y)) = drawn?;
    Some(Placement::new(Orientation::from_index(index.into())?, x, y))
}

/// Draws among all legal placements; `None` if there is none.
#[inline(always)]
fn draw_anywhere(fits: &Fits<Duo>, tiles: TileSet, random: u32) -> Option<Placement> {
    let anchors = Anchors::find(fits, None, tiles);
    let mut totals = [0; Orientation::COUNT];
    let mut total = 0;
    for (sum, (index, rows)) in totals.iter_mut().zip(anchors.iter()) {
        let count: u32 = rows.iter().map(|row| row.count_ones()).sum();
        total += count * WEIGHTS[index];
        *sum = total;
    }
    if total == 0 {
        return None;
    }
    let random = scaled(random, total);
    let drawn = totals.iter().position(|&below| random < below)?;
    let before = if drawn > 0 { totals[drawn - 1] } else { 0 };
    let index = usize::from(anchors.orientations[drawn]);
    let mut skipped = (random - before) / WEIGHTS[index];
    for (y, &row) in anchors.rows[drawn].iter().enumerate() {
        let (mut row, count) = (row, row.count_ones());
        if skipped >= count {
            skipped -= count;
            continue;
        }
        for _ in 0..skipped {
            row &= row - 1;
        }
        let x = row.trailing_zeros() as u8;
        return Some(Placement::new(Orientation::from_index(index)?, x, y as u8));
    }
    None
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{Cell, Colour, DuoBoard, Tile};

    use super::*;

    /// Weight of a placement, by its cells: its tile's size and the cells that only touch it
    /// diagonally.
    fn expected_weight(placement: Placement) -> f64 {
        let cells: Vec<Cell> = placement.cells().collect();
        let (mut edges, mut diagonal) = (Vec::new(), Vec::new());
        for cell in &cells {
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            edges.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1), (x, y)]);
            diagonal.extend([
                (x - 1, y - 1),
                (x - 1, y + 1),
                (x + 1, y - 1),
                (x + 1, y + 1),
            ]);
        }
        diagonal.retain(|cell| !edges.contains(cell));
        diagonal.sort();
        diagonal.dedup();
        3_f64.powi(cells.len() as i32) * 1.8_f64.powi(diagonal.len() as i32 - 4)
    }

    #[test]
    fn weights_are_powers_of_sizes_and_corners() {
        for orientation in Orientation::all() {
            let own = f64::from(WEIGHTS[orientation.index()]) / 16.0;
            let expected = expected_weight(Placement::new(orientation, 5, 5));
            assert!(
                (own / expected - 1.0).abs() < 0.01,
                "{orientation}: {own} {expected}"
            );
        }
        assert_eq!(
            weight(Orientation::of_tile(Tile::MONOMINO).next().unwrap()),
            48
        );
    }

    fn board() -> DuoBoard {
        let mut board = DuoBoard::duo();
        for code in ["53e0", "a8e0"] {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        board
    }

    #[test]
    fn any_placement_is_drawn_while_there_is_one() {
        let board = board();
        let mut maps = PlayoutMaps {
            allowed: board.allowed(Colour(0)),
            corners: board.corner_points(Colour(0)),
            reply_cells: [Cell::new(13, 13)].into_iter().collect(),
        };
        // Nothing reaches the reply cell, so any placement is drawn, also by the portable code.
        for random in (0..u32::MAX).step_by(1 << 22) {
            let drawn = draw_by_weight(&maps, TileSet::FULL, random);
            assert!(drawn.is_some());
            assert_eq!(draw_inline(&maps, TileSet::FULL, random), drawn);
        }
        assert_eq!(draw_by_weight(&maps, TileSet::EMPTY, 7), None);
        maps.corners = Bitboard::EMPTY;
        assert_eq!(draw_by_weight(&maps, TileSet::FULL, 7), None);
    }
}
