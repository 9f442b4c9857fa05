//! Maps of a position, on which the features of placements are counted.

use crate::position::Position;
use crate::shapes::{EMPTY, Grid, PAD, ROWS};
use crate::weights::FEATURES;

/// Maps of a position for the colour to move.
pub(super) struct Maps {
    /// Allowed cells.
    allowed: Grid,
    /// Corner points.
    corner: Grid,
    /// Allowed cells in the 3x3 neighbourhoods of corner points.
    around: Grid,
    /// Corner points of opponents.
    opponent_corner: Grid,
    /// Allowed cells of opponents that share an edge with their corner points.
    opponent_beside: Grid,
    /// Allowed cells of opponents in the 3x3 neighbourhoods of their corner points.
    opponent_around: Grid,
    /// Corner points of the seat's other colours.
    partner_corner: Grid,
    /// Allowed cells of these colours in the 3x3 neighbourhoods of their corner points.
    partner_around: Grid,
    /// Recent corner points of opponents.
    reply: Grid,
    /// Allowed cells at least a quarter of the board away from its edges.
    inner: Grid,
    /// Allowed cells at least two fifths of the board away from its edges.
    core: Grid,
    /// Open cells: allowed cells with at least three allowed edge neighbours.
    open: Grid,
}

/// Part of a placement whose cells a feature counts, as an index of
/// [`CellWeights`](super::CellWeights).
const CELL: usize = 0;
const EDGE: usize = 1;
const DIAGONAL: usize = 2;

/// Returns a part of a placement and the map on which its cells are counted.
type FeatureMap = fn(&Maps) -> (usize, &Grid);

/// By feature: the cells of a placement that it counts, and the map on which it counts them.
pub(super) const FEATURE_MAPS: [FeatureMap; FEATURES] = [
    |maps| (CELL, &maps.corner),
    |maps| (CELL, &maps.around),
    |maps| (CELL, &maps.opponent_beside),
    |maps| (CELL, &maps.opponent_around),
    |maps| (EDGE, &maps.allowed),
    |maps| (EDGE, &maps.around),
    |maps| (EDGE, &maps.opponent_corner),
    |maps| (EDGE, &maps.opponent_around),
    |maps| (DIAGONAL, &maps.allowed),
    |maps| (DIAGONAL, &maps.around),
    |maps| (CELL, &maps.reply),
    |maps| (CELL, &maps.partner_corner),
    |maps| (DIAGONAL, &maps.inner),
    |maps| (DIAGONAL, &maps.core),
    |maps| (DIAGONAL, &maps.open),
    |maps| (DIAGONAL, &maps.opponent_around),
    |maps| (CELL, &maps.opponent_corner),
    |maps| (CELL, &maps.partner_around),
];

impl Maps {
    #[inline(always)]
    pub(super) fn new(position: &Position) -> Self {
        let colour = position.colour();
        let seat = position.seat();
        let rules = position.rules();
        let (opponents, own) = (rules.opponents(seat), rules.own(seat));
        let free = |colour: usize| position.forbidden(colour).map(|row| !row);
        let allowed = free(colour);
        let corner = position.corner_points(colour);
        let mut maps = Self {
            allowed,
            corner,
            around: and(&dilated(&corner), &allowed),
            opponent_corner: EMPTY,
            opponent_beside: EMPTY,
            opponent_around: EMPTY,
            partner_corner: EMPTY,
            partner_around: EMPTY,
            reply: position.reply_cells(seat).map_or(EMPTY, |cells| cells.grid),
            inner: within(&allowed, rules.size, rules.size / 4),
            core: within(&allowed, rules.size, rules.size * 2 / 5),
            open: open_cells(&allowed),
        };
        for other in (0..rules.colours).filter(|&other| other != colour) {
            let points = position.corner_points(other);
            if opponents >> other & 1 != 0 {
                let free = free(other);
                for y in 1..ROWS - 1 {
                    let beside = points[y] << 1 | points[y] >> 1 | points[y - 1] | points[y + 1];
                    maps.opponent_beside[y] |= beside & free[y] & !points[y];
                }
                add(&mut maps.opponent_corner, &points);
                add(&mut maps.opponent_around, &and(&dilated(&points), &free));
            } else if own >> other & 1 != 0 {
                add(&mut maps.partner_corner, &points);
                add(
                    &mut maps.partner_around,
                    &and(&dilated(&points), &free(other)),
                );
            }
        }
        maps
    }
}

/// Returns the cells of a set and their eight neighbours.
#[inline(always)]
fn dilated(set: &Grid) -> Grid {
    let mut dilated = EMPTY;
    for y in 1..ROWS - 1 {
        let rows = set[y - 1] | set[y] | set[y + 1];
        dilated[y] = rows | rows << 1 | rows >> 1;
    }
    dilated
}

/// Returns the cells of a set that are at least `distance` columns and rows away from the edges.
#[inline(always)]
fn within(set: &Grid, size: usize, distance: usize) -> Grid {
    let mut within = EMPTY;
    let columns = ((1 << (size - 2 * distance)) - 1) << (PAD + distance);
    let rows = PAD + distance..PAD + size - distance;
    for (row, cells) in within[rows.clone()].iter_mut().zip(&set[rows]) {
        *row = cells & columns;
    }
    within
}

/// Returns the cells of a set with at least three edge neighbours in it.
#[inline(always)]
fn open_cells(set: &Grid) -> Grid {
    let mut open = EMPTY;
    for y in 1..ROWS - 1 {
        let (n, s, w, e) = (set[y - 1], set[y + 1], set[y] << 1, set[y] >> 1);
        open[y] = set[y] & (n & s & (w | e) | w & e & (n | s));
    }
    open
}

/// Adds the cells of another set.
#[inline(always)]
fn add(set: &mut Grid, other: &Grid) {
    for (row, other) in set.iter_mut().zip(other) {
        *row |= other;
    }
}

/// Returns the cells that are in both sets.
#[inline(always)]
fn and(a: &Grid, b: &Grid) -> Grid {
    let mut both = *a;
    for (row, other) in both.iter_mut().zip(b) {
        *row &= other;
    }
    both
}
