//! Shapes of orientations: their cells, edges and corners in the seven by seven box, and the table of
//! their cells for both scorers.
//!
//! Encoding: all orientations together cover only 15 cells of their box. These bits and the score of
//! the tile are one word of a block RAM.

use duoforge_rules::Orientation;
use duoforge_twin::search::prior::PHASES;
use rust_hdl_core::prelude::*;

use super::{OFFSET, SCORE};
use crate::memory::block_rom::BlockRom;
use crate::tables;
use crate::word::word;

/// Number of cells of the box that at least one orientation covers.
pub(super) const MASKED_CELLS: usize = 15;

word! {
    /// Address of the table of shapes.
    pub(crate) ShapeAddress {
        /// Orientation.
        ORIENTATION: 7,
        /// Phase of the game.
        PHASE: 2,
    }
}

word! {
    /// Word of the table of shapes.
    pub(crate) ShapeCells {
        /// Cells of the orientation among the covered cells of the box.
        CELLS: MASKED_CELLS,
        /// Weight of the tile.
        BASE: SCORE,
    }
}

/// Cells on or around a tile that a feature counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Cells of the tile.
    Cells,
    /// Cells at its edges.
    Edges,
    /// Cells at its corners that are not at its edges.
    Corners,
}

impl Shape {
    /// Returns the maximum number of cells of this shape.
    pub(super) const fn most(self) -> i32 {
        match self {
            Self::Cells => 5,
            Self::Edges => 12,
            Self::Corners => 8,
        }
    }
}

/// Returns the table of shapes with these scores of the tiles, by phase and orientation.
pub(super) fn table(
    tile: impl Fn(usize, Orientation) -> i32,
) -> BlockRom<{ ShapeCells::BITS }, { ShapeAddress::BITS }> {
    let masked_cells = masked_cells();
    let word = |phase: usize, index: usize| {
        // The index has seven bits, so there are words without an orientation.
        let orientation = Orientation::from_index(index)?;
        let cells = tables::footprint(orientation);
        let covers = |i: usize| u64::from(cells >> masked_cells[i] & 1 == 1) << i;
        let cells: u64 = (0..MASKED_CELLS).map(covers).sum();
        Some(cells | wrapped(tile(phase, orientation) + OFFSET) << ShapeCells::BASE)
    };
    let words = (0..PHASES).flat_map(|phase| (0..128).map(move |index| (phase, index)));
    BlockRom::new(words.map(|(phase, index)| word(phase, index).unwrap_or(0)))
}

/// Returns the cells of the box that the bits of the table of shapes stand for.
pub(super) fn cell_masks() -> [Constant<Bits<49>>; MASKED_CELLS] {
    masked_cells().map(|cell| Constant::new((1_u64 << cell).to_bits()))
}

/// Returns the bits of a footprint that are set in at least one orientation.
fn masked_cells() -> [u64; MASKED_CELLS] {
    let any = Orientation::all().fold(0, |any, o| any | tables::footprint(o));
    let masked_cells: Vec<_> = (0..49).filter(|cell| any >> cell & 1 == 1).collect();
    masked_cells.try_into().expect("as many as there are")
}

/// Iterates over the cells of the seven by seven box around an orientation that it covers or
/// touches, row by row.
pub(super) fn surroundings(orientation: Orientation) -> impl Iterator<Item = (usize, Shape)> {
    let is_tile = move |x: i32, y: i32| {
        let mut cells = orientation.cells().iter();
        cells.any(|cell| (i32::from(cell.x) + 1, i32::from(cell.y) + 1) == (x, y))
    };
    (0..49).filter_map(move |place| {
        let (x, y) = (place % 7, place / 7);
        let touches = |steps: [(i32, i32); 4]| steps.iter().any(|(dx, dy)| is_tile(x + dx, y + dy));
        let shape = if is_tile(x, y) {
            Shape::Cells
        } else if touches([(1, 0), (-1, 0), (0, 1), (0, -1)]) {
            Shape::Edges
        } else if touches([(1, 1), (-1, 1), (1, -1), (-1, -1)]) {
            Shape::Corners
        } else {
            return None;
        };
        Some((place as usize, shape))
    })
}

/// Returns a number in the bits of a score, in two's complement.
pub(super) fn wrapped(number: i32) -> u64 {
    (number & ((1 << SCORE) - 1)) as u64
}
