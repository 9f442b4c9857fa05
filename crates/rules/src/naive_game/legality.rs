//! Legality by the slow checker: a cell-by-cell reading of the rules.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::NaiveGame;
use crate::naive::{RawCell, RejectReason, covered, read, to_cell, to_cells};
use crate::{Cell, Colour, IllegalMove, StartCells, Tile, VoluntaryPass};

/// Distinct shapes of the tiles, as cells relative to the centre.
static SHAPES: LazyLock<Vec<(Tile, Vec<RawCell>)>> = LazyLock::new(|| {
    let mut shapes = Vec::new();
    for tile in Tile::ALL {
        let mut seen = BTreeSet::new();
        for rotation in 0..8 {
            let shape = covered(tile, rotation, 0, 0);
            let (top, left) = shape
                .iter()
                .fold((9, 9), |(top, left), &(y, x)| (top.min(y), left.min(x)));
            let moved: Vec<RawCell> = shape.iter().map(|&(y, x)| (y - top, x - left)).collect();
            if seen.insert(moved.clone()) {
                shapes.push((tile, moved));
            }
        }
    }
    shapes
});

/// Cell as one colour sees it.
#[derive(Clone, Copy, Default)]
struct View {
    is_taken: bool,
    touches_own_edge: bool,
    connects: bool,
}

impl NaiveGame {
    /// Returns the legal placements of the colour to move, each as its sorted cells.
    #[must_use]
    pub fn legal(&self) -> BTreeSet<Vec<Cell>> {
        self.to_move
            .map_or_else(BTreeSet::new, |colour| self.legal_of(colour))
    }

    /// Returns the placements that would be legal if it were the turn of `colour`.
    #[must_use]
    pub fn legal_of(&self, colour: Colour) -> BTreeSet<Vec<Cell>> {
        let mut legal = BTreeSet::new();
        self.find(colour, |cells| {
            legal.insert(to_cells(cells));
            false
        });
        legal
    }

    /// Checks that the move of this code is legal for the colour to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is rejected.
    pub fn check(&self, code: [u8; 4]) -> Result<(), RejectReason> {
        self.judge(code).map(|_| ())
    }

    /// Returns the empty cells that share an edge with a tile of `colour`.
    #[must_use]
    pub fn void_cells(&self, colour: Colour) -> Vec<Cell> {
        let view = self.view(colour);
        let is_void = |cell: &RawCell| {
            let seen = view[self.index(*cell)];
            seen.touches_own_edge && !seen.is_taken
        };
        self.grid_cells().filter(is_void).map(to_cell).collect()
    }

    /// Returns the tile and the cells that the code places, or `None` for a pass.
    pub(super) fn judge(
        &self,
        code: [u8; 4],
    ) -> Result<Option<(Tile, Vec<RawCell>)>, RejectReason> {
        let mv = read(code).ok_or(RejectReason::Broken)?;
        let colour = self.to_move.ok_or(IllegalMove::GameOver)?;
        match &mv {
            Some((tile, cells)) => self.judge_placement(colour, *tile, cells)?,
            None if !self.is_blocked(colour) => self.judge_voluntary_pass(colour)?,
            None => {}
        }
        Ok(mv)
    }

    fn judge_voluntary_pass(&self, colour: Colour) -> Result<(), IllegalMove> {
        let is_first = !self.history.iter().any(|ply| ply.colour == colour);
        match self.variant.passing().voluntary {
            VoluntaryPass::Never => Err(IllegalMove::PassWithPlacement),
            VoluntaryPass::AfterFirstTurn if is_first => Err(IllegalMove::PassOnFirstTurn),
            VoluntaryPass::AfterFirstTurn | VoluntaryPass::Always => Ok(()),
        }
    }

    fn judge_placement(
        &self,
        colour: Colour,
        tile: Tile,
        cells: &[RawCell],
    ) -> Result<(), IllegalMove> {
        if self.tiles(colour).any(|placed| placed == tile) {
            return Err(IllegalMove::TileUsed { tile });
        }
        let view = self.view(colour);
        let see = |cell: &RawCell| view[self.index(*cell)];
        if !cells.iter().all(|&cell| self.is_on_board(cell)) {
            return Err(IllegalMove::OffBoard);
        }
        if let Some(&cell) = cells.iter().find(|cell| see(cell).is_taken) {
            let cell = to_cell(cell);
            return Err(IllegalMove::Occupied { cell });
        }
        if let Some(&cell) = cells.iter().find(|cell| see(cell).touches_own_edge) {
            let cell = to_cell(cell);
            return Err(IllegalMove::EdgeContact { cell });
        }
        if cells.iter().any(|cell| see(cell).connects) {
            return Ok(());
        }
        let all = self.variant.starts(colour);
        let free = all.as_slice().iter().copied();
        let free: Vec<Cell> = free.filter(|cell| self.at_cell(*cell).is_none()).collect();
        Err(if self.tiles(colour).next().is_some() {
            match self.variant.starts_stay() && !free.is_empty() {
                true => IllegalMove::NoConnection {
                    starts: StartCells::new(&free),
                },
                false => IllegalMove::NoCornerContact,
            }
        } else if let [start] = *all.as_slice() {
            IllegalMove::StartCellMissed { start }
        } else {
            let starts = if free.is_empty() {
                all
            } else {
                StartCells::new(&free)
            };
            IllegalMove::StartCellsMissed { starts }
        })
    }

    /// Calls `found` with the cells of each placement of `colour` until it returns `true`; returns
    /// `true` if it did. A placement that covers several connecting cells is found several times.
    pub(super) fn find(&self, colour: Colour, mut found: impl FnMut(&[RawCell]) -> bool) -> bool {
        let view = self.view(colour);
        let is_allowed = |&cell: &RawCell| {
            self.is_on_board(cell) && {
                let seen = view[self.index(cell)];
                !seen.is_taken && !seen.touches_own_edge
            }
        };
        let placed: Vec<Tile> = self.tiles(colour).collect();
        let links = self
            .grid_cells()
            .filter(|&cell| view[self.index(cell)].connects);
        let mut cells = Vec::new();
        for link in links.filter(is_allowed) {
            for (_, shape) in SHAPES.iter().filter(|(tile, _)| !placed.contains(tile)) {
                // Each cell of the shape in turn covers the connecting cell.
                for at in shape {
                    let (top, left) = (link.0 - at.0, link.1 - at.1);
                    cells.clear();
                    cells.extend(shape.iter().map(|&(y, x)| (top + y, left + x)));
                    if cells.iter().all(is_allowed) && found(&cells) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns all cells as `colour` sees them.
    fn view(&self, colour: Colour) -> Vec<View> {
        let is_own = |y, x| self.is_on_board((y, x)) && self.at((y, x)) == Some(colour);
        let has_begun = self.tiles(colour).next().is_some();
        let starts = self.variant.starts(colour);
        let starts_count = !has_begun || self.variant.starts_stay();
        let view = |(y, x): RawCell| View {
            is_taken: self.at((y, x)).is_some(),
            touches_own_edge: is_own(y - 1, x)
                || is_own(y + 1, x)
                || is_own(y, x - 1)
                || is_own(y, x + 1),
            connects: is_own(y - 1, x - 1)
                || is_own(y - 1, x + 1)
                || is_own(y + 1, x - 1)
                || is_own(y + 1, x + 1)
                || (starts_count && starts.as_slice().contains(&to_cell((y, x)))),
        };
        self.grid_cells().map(view).collect()
    }
}
