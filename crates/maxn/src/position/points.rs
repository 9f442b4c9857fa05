//! Corner points of a position, the placements that cover them, and reply cells.

use super::{Key, Position, SIZES, key};
use crate::shapes::{EMPTY, Grid, PAD, ROWS, WINDOW, WindowShape, window};

/// Column and row of a cell, both with padding.
pub type PaddedCell = (u8, u8);

/// Recent corner points of opponents.
pub struct ReplyCells {
    /// The cells.
    pub grid: Grid,
    /// First row with a cell.
    pub top: usize,
    /// Last row with a cell.
    pub bottom: usize,
    /// Union of all rows.
    pub columns: u32,
}

/// Iterates over the cells of a grid, row by row.
pub fn cells(grid: &Grid) -> impl Iterator<Item = PaddedCell> + use<> {
    let grid = *grid;
    (0..ROWS).flat_map(move |y| {
        let mut rest = grid[y];
        std::iter::from_fn(move || {
            let x = rest.trailing_zeros() as u8;
            rest &= rest.checked_sub(1)?;
            Some((x, y as u8))
        })
    })
}

impl Position {
    /// Lowers the bound of every corner point to the size of the largest tile that fits.
    pub(super) fn bound_points(&mut self) {
        for colour in 0..self.rules.colours {
            for bound in (0..SIZES).rev() {
                for cell in cells(&self.live_points(colour, bound)) {
                    let size = self.fitting(colour, cell).next().map_or(0, |it| it.size);
                    self.lower(colour, cell, bound, size);
                }
            }
        }
    }

    /// Corner points of a colour at which a tile may fit.
    pub fn corner_points(&self, colour: usize) -> Grid {
        let mut all = EMPTY;
        for points in &self.points[colour] {
            for (row, points) in all.iter_mut().zip(points) {
                *row |= points;
            }
        }
        for (row, forbidden) in all.iter_mut().zip(&self.forbidden[colour]) {
            *row &= !forbidden;
        }
        all
    }

    #[inline(always)]
    fn live_points(&self, colour: usize, bound: usize) -> Grid {
        let mut live = self.points[colour][bound];
        for (row, forbidden) in live.iter_mut().zip(&self.forbidden[colour]) {
            *row &= !forbidden;
        }
        live
    }

    /// Iterates over the placements of a colour that cover a corner point, the largest first. The
    /// cell is padded.
    #[inline(always)]
    pub fn fitting(
        &self,
        colour: usize,
        cell: PaddedCell,
    ) -> impl Iterator<Item = &'static WindowShape> + use<> {
        let (list, forbidden) = self.window_list(colour, cell);
        list.iter().filter(move |it| it.mask & forbidden == 0)
    }

    /// Returns the placements that may fit at a corner point, and the mask of what is forbidden to
    /// them.
    #[inline(always)]
    pub fn window_list(&self, colour: usize, (x, y): PaddedCell) -> (&'static [WindowShape], u64) {
        let around = window(&self.forbidden[colour], x.into(), y.into());
        let forbidden = around | u64::from(self.used[colour]) << WINDOW;
        (self.shapes.list(around), forbidden)
    }

    /// Moves a corner point from one bound to that of the largest tile that fits; drops it for 0.
    #[inline(always)]
    pub fn lower(&mut self, colour: usize, (x, y): PaddedCell, bound: usize, size: u8) {
        let points = &mut self.points[colour];
        points[bound][usize::from(y)] &= !(1 << x);
        if size > 0 {
            points[usize::from(size) - 1][usize::from(y)] |= 1 << x;
        }
    }

    /// Removes forbidden cells from the corner points of a bound; returns the number that remains.
    #[inline(always)]
    pub fn clean_points(&mut self, colour: usize, bound: usize) -> u32 {
        let points = &mut self.points[colour][bound];
        let mut count = 0;
        let end = PAD + self.rules.size;
        for (row, forbidden) in points[PAD..end]
            .iter_mut()
            .zip(&self.forbidden[colour][PAD..end])
        {
            *row &= !forbidden;
            count += row.count_ones();
        }
        count
    }

    /// Returns corner point number `index` of a bound, row by row, after
    /// [`clean_points`](Self::clean_points).
    #[inline(always)]
    pub fn point(&self, colour: usize, bound: usize, mut index: u32) -> PaddedCell {
        for (y, &row) in self.points[colour][bound].iter().enumerate() {
            let count = row.count_ones();
            if index < count {
                let mut rest = row;
                for _ in 0..index {
                    rest &= rest - 1;
                }
                return (rest.trailing_zeros() as u8, y as u8);
            }
            index -= count;
        }
        unreachable!("the index is below the number of points");
    }

    /// Recent corner points of the opponents of a seat: those that they created with the last
    /// plies.
    #[inline(always)]
    pub fn reply_cells(&self, seat: usize) -> Option<ReplyCells> {
        let opponents = self.rules.opponents(seat);
        let mut cells = ReplyCells {
            grid: EMPTY,
            top: ROWS,
            bottom: 0,
            columns: 0,
        };
        for recent in &self.recent {
            if opponents >> recent.colour & 1 == 0 {
                continue;
            }
            let forbidden = &self.forbidden[usize::from(recent.colour)];
            // The last rows of a placement at the lower edge are beyond the padding, and empty.
            for (y, &row) in (usize::from(recent.top)..ROWS).zip(&recent.rows) {
                let row = row & !forbidden[y];
                if row != 0 {
                    cells.grid[y] |= row;
                    cells.columns |= row;
                    cells.top = cells.top.min(y);
                    cells.bottom = cells.bottom.max(y);
                }
            }
        }
        (cells.columns != 0).then_some(cells)
    }
}

/// Returns the placement of a window shape at a padded cell.
#[inline(always)]
pub fn key_at(it: &WindowShape, (x, y): PaddedCell) -> Key {
    key(it.orientation, x - PAD as u8 - it.dx, y - PAD as u8 - it.dy)
}
