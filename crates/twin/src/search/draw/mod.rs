//! Random choice of one legal placement without listing them.

use std::ops::Range;

use duoforge_rules::{Bitboard, Duo, Placement, Rows, Size, TileSet};
use multiversion::multiversion;

use super::SearchParameters;
pub use anchors::Anchors;
use classes::{MAX_COUNT, SIZES};
pub use classes::{PlacementClass, placement_classes};
pub use memory::{DrawMemory, MAX_REPLIES_FOUND, WeightedReply};
pub use plans::PLANS_BY_SIZE;

mod anchors;
mod classes;
mod covers;
mod memory;
mod plans;

/// Rows of a set of cells.
pub type DuoRows = <Duo as Size>::Rows;

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

/// Draws a placement of `tiles` from the first [class](placement_classes) that is not empty: the
/// placement whose number has the smallest XOR distance to a random number. `None` if no placement is
/// legal.
///
/// The number of a placement is `row << 12 | column << 7 | orientation`; only the lowest 17 bits of
/// `random` are used. The draw therefore selects the row first, then the column, then the
/// orientation, bit by bit. A bit is forced if all remaining placements agree in it. The
/// distribution is not uniform, but the draw needs no count: a move generator that works row by row
/// can draw while it generates.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn draw(
    maps: &PlayoutMaps<Duo>,
    tiles: TileSet,
    p: &SearchParameters,
    random: u32,
    memory: &mut DrawMemory,
) -> Option<Placement> {
    Draws::new(maps, p, memory)?.draw(tiles, random)
}

/// Draws from the placements of one position.
pub(super) struct Draws<'a> {
    parameters: &'a SearchParameters,
    memory: &'a mut DrawMemory,
    has_replies: bool,
}

impl<'a> Draws<'a> {
    /// Prepares draws; `None` if no placement is legal since there is no corner point.
    #[inline(always)]
    pub fn new(
        maps: &PlayoutMaps<Duo>,
        parameters: &'a SearchParameters,
        memory: &'a mut DrawMemory,
    ) -> Option<Self> {
        if maps.corners.is_empty() {
            return None;
        }
        let reply_cells = memory.fill(maps);
        let has_replies = !reply_cells.is_empty();
        if has_replies && parameters.formulas.reply_count_max > 1 {
            memory.covers.fill(&reply_cells);
        }
        Some(Self {
            parameters,
            memory,
            has_replies,
        })
    }

    /// Draws like [`draw`].
    #[inline(always)]
    pub fn draw(&mut self, tiles: TileSet, random: u32) -> Option<Placement> {
        let DrawMemory {
            fits,
            beside,
            covers,
            legal,
            covering,
            of_class,
            ..
        } = &mut *self.memory;
        legal.clear();
        covering.clear();
        // Ranges of the anchors by size of tile, once they were computed. Closures in functions of the
        // library would not have the instructions of the caller.
        let mut legal_ranges: [Option<Range<usize>>; SIZES] = [const { None }; SIZES];
        let mut covering_ranges = legal_ranges.clone();
        for (i, class) in placement_classes(tiles, self.parameters)
            .into_iter()
            .enumerate()
        {
            if class.tiles.is_empty() || class.min_replies > 0 && !self.has_replies {
                continue;
            }
            let size = i % SIZES;
            let of_size = match &legal_ranges[size] {
                Some(range) => range.clone(),
                None => legal.add_legal(fits, class.tiles),
            };
            legal_ranges[size] = Some(of_size.clone());
            let (mut anchors, mut range) = (&*legal, of_size);
            if class.min_replies > 0 {
                let replying = match &covering_ranges[size] {
                    Some(range) => range.clone(),
                    None => covering.add_outside(legal, range, beside),
                };
                covering_ranges[size] = Some(replying.clone());
                (anchors, range) = (&*covering, replying);
                if class.min_replies > 1 {
                    of_class.clear();
                    range = of_class.add_covering(covering, range, covers, class.min_replies);
                    anchors = &*of_class;
                }
            }
            if !range.is_empty() {
                return nearest_placement(anchors, range, random);
            }
        }
        None
    }
}

/// Returns the placement that is nearest to a random number.
#[inline(always)]
fn nearest_placement(anchors: &Anchors, range: Range<usize>, random: u32) -> Option<Placement> {
    let mut columns = Duo::EMPTY;
    for (_, &rows) in anchors.range(range.clone()) {
        columns = Rows::zip(columns, rows, |any, row| any | row);
    }
    let rows = columns.iter().zip(0..);
    let rows = rows.fold(0, |rows, (&row, y)| rows | u32::from(row != 0) << y);
    let y = nearest(rows, random >> 12);
    let x = nearest(columns[y].into(), random >> 7);
    let mut best = None;
    for (plan, rows) in anchors.range(range) {
        let distance = plan.orientation.index() as u32 ^ (random & 127);
        let is_nearer = best.is_none_or(|(nearest, _)| distance < nearest);
        if rows[y] >> x & 1 == 1 && is_nearer {
            best = Some((distance, plan.orientation));
        }
    }
    let (_, orientation) = best?;
    Some(Placement::new(orientation, x as u8, y as u8))
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
mod tests;
