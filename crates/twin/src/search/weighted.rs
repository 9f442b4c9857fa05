//! Random choice of one legal placement by weight.
//!
//! The weight of a placement has a factor 3 for each cell and 1.8 for each corner of its tile.
//! Placements that cover cells at the opponent's recent corner points come before all others: the
//! more of these cells, up to [`MAX_REPLIES`], the better.

use duoforge_rules::{Bitboard, Duo, Orientation, Placement, TileSet};
use multiversion::multiversion;

use super::draw::{
    Anchors, DrawMemory, DuoRows, MAX_REPLIES_FOUND, PLANS_BY_SIZE, PlayoutMaps, WeightedReply,
};

/// Maximum number of reply cells that raise the preference of a placement.
const MAX_REPLIES: u32 = 4;

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
pub fn draw_by_weight(
    maps: &PlayoutMaps<Duo>,
    tiles: TileSet,
    random: u32,
    memory: &mut DrawMemory,
) -> Option<Placement> {
    draw_inline(maps, tiles, random, memory)
}

/// Draws like [`draw_by_weight`], in the instructions of the caller.
#[inline(always)]
pub(super) fn draw_inline(
    maps: &PlayoutMaps<Duo>,
    tiles: TileSet,
    random: u32,
    memory: &mut DrawMemory,
) -> Option<Placement> {
    if maps.corners.is_empty() {
        return None;
    }
    let reply_cells = memory.fill(maps);
    memory.legal.clear();
    memory.legal.add_legal(&memory.fits, tiles);
    if !reply_cells.is_empty() {
        let drawn = draw_reply(memory, &reply_cells, random);
        if drawn.is_some() {
            return drawn;
        }
    }
    draw_anywhere(&memory.legal, random)
}

/// Shapes of the orientations as they lie in a [window](windows): four rows of 16 bits, and the
/// fifth row.
static SHAPES: [(u64, u32); Orientation::COUNT] = {
    let mut shapes = [(0, 0); Orientation::COUNT];
    let mut index = 0;
    while index < shapes.len() {
        let rows = Orientation::from_index(index)
            .expect("below the count")
            .rows();
        let mut y = 0;
        while y < rows.len() {
            if y < 4 {
                shapes[index].0 |= (rows[y] as u64) << (16 * y);
            } else {
                shapes[index].1 = rows[y] as u32;
            }
            y += 1;
        }
        index += 1;
    }
    shapes
};

/// Number of rows of cells, with empty rows below the board.
const ROWS: usize = 20;

/// Returns the four rows of cells from each row on, of 16 bits each.
#[inline(always)]
fn windows(cells: &[u32; ROWS]) -> [u64; 16] {
    std::array::from_fn(|y| {
        let rows = cells[y..y + 4].iter().zip(0..);
        rows.fold(0, |window, (&row, i)| window | u64::from(row) << (16 * i))
    })
}

/// Returns a number below `bound` from a random number.
#[inline(always)]
fn scaled(random: u32, bound: u32) -> u32 {
    ((u64::from(random) * u64::from(bound)) >> 32) as u32
}

/// Draws among the placements that cover the most reply cells; `None` if none covers one.
#[inline(always)]
fn draw_reply(
    memory: &mut DrawMemory,
    reply_cells: &Bitboard<Duo>,
    random: u32,
) -> Option<Placement> {
    memory.covering.clear();
    let all = 0..memory.legal.len();
    memory
        .covering
        .add_outside(&memory.legal, all, &memory.beside);
    let found = &mut memory.replies;
    let mut cells = [0; ROWS];
    for (row, y) in cells[..16].iter_mut().zip(0..) {
        *row = reply_cells.row(y);
    }
    let windows = windows(&cells);
    let (mut best, mut total, mut len) = (1, 0, 0);
    for (plan, anchors) in memory.covering.iter() {
        let orientation = plan.orientation;
        // No smaller tile covers more cells than it has.
        if u32::from(orientation.tile().size()) < best {
            break;
        }
        let weight = WEIGHTS[orientation.index()];
        let (shape, fifth_row) = SHAPES[orientation.index()];
        let mut rows = occupied_rows(anchors);
        while rows != 0 {
            let y = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let mut row = anchors[y];
            while row != 0 {
                let x = row.trailing_zeros();
                row &= row - 1;
                let count = (windows[y] >> x & shape).count_ones()
                    + (cells[y + 4] >> x & fifth_row).count_ones();
                let count = count.min(MAX_REPLIES);
                if count < best {
                    continue;
                }
                if count > best {
                    (best, total, len) = (count, 0, 0);
                }
                if len < MAX_REPLIES_FOUND {
                    total += weight;
                    found[len] = WeightedReply {
                        total,
                        orientation: orientation.index() as u8,
                        x: x as u8,
                        y: y as u8,
                    };
                    len += 1;
                }
            }
        }
    }
    if len == 0 {
        return None;
    }
    let random = scaled(random, total);
    let drawn = found[..len].iter().find(|reply| random < reply.total)?;
    let orientation = Orientation::from_index(drawn.orientation.into())?;
    Some(Placement::new(orientation, drawn.x, drawn.y))
}

/// Returns the set of the rows, one bit each, that are not empty.
#[inline(always)]
fn occupied_rows(rows: &DuoRows) -> u32 {
    let rows = rows.iter().zip(0..);
    rows.fold(0, |set, (&row, y)| set | u32::from(row != 0) << y)
}

/// Draws among all legal placements; `None` if there is none.
#[inline(always)]
fn draw_anywhere(anchors: &Anchors, random: u32) -> Option<Placement> {
    let mut totals = [0; Orientation::COUNT];
    let mut total = 0;
    for (sum, (plan, rows)) in totals.iter_mut().zip(anchors.iter()) {
        let count: u32 = rows.iter().map(|row| row.count_ones()).sum();
        total += count * WEIGHTS[plan.orientation.index()];
        *sum = total;
    }
    if total == 0 {
        return None;
    }
    let random = scaled(random, total);
    let drawn = totals.iter().position(|&below| random < below)?;
    let before = if drawn > 0 { totals[drawn - 1] } else { 0 };
    let orientation = PLANS_BY_SIZE[usize::from(anchors.plans[drawn])].orientation;
    let mut skipped = (random - before) / WEIGHTS[orientation.index()];
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
        return Some(Placement::new(orientation, x, y as u8));
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
        let memory = &mut DrawMemory::default();
        for random in (0..u32::MAX).step_by(1 << 22) {
            let drawn = draw_by_weight(&maps, TileSet::FULL, random, memory);
            assert!(drawn.is_some());
            let portable = &mut DrawMemory::default();
            assert_eq!(draw_inline(&maps, TileSet::FULL, random, portable), drawn);
        }
        assert_eq!(draw_by_weight(&maps, TileSet::EMPTY, 7, memory), None);
        maps.corners = Bitboard::EMPTY;
        assert_eq!(draw_by_weight(&maps, TileSet::FULL, 7, memory), None);
    }
}
