//! Legality check of all 91 orientations at all 14 columns of one anchor row, in one cycle.
//!
//! A placement is legal if its tile is left, every cell that it covers is allowed, and one of them
//! is a corner point.
//!
//! Encoding: the window is one wide vector (see [`super::window`]). Cell `(dx, dy)` of an
//! orientation is, for all columns at once, 14 bits of the window at a constant offset, which is
//! wiring. An orientation costs an AND and an OR over at most five vectors, and synthesis shares
//! the partial terms between orientations. The offsets come from the rules' table of orientations.

use duoforge_rules::{Cell, Orientation};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::window::{COLUMN_ZERO, PITCH, WINDOW};

/// Number of orientations that are checked.
pub const ORIENTATIONS: usize = Orientation::COUNT;

/// Cells of the largest tile; smaller tiles repeat their first cell, which does not change the
/// result.
const CELLS: usize = 5;

block! {
    /// Legality check of one anchor row per cycle.
    pub struct Legality from LegalityParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Register enable: the legal columns of the current row go into the output registers.
        pub take: Signal<In, Bit>,
        /// Window over the allowed cells.
        pub allowed: Signal<In, Bits<WINDOW>>,
        /// Window over the corner points.
        pub corner: Signal<In, Bits<WINDOW>>,
        /// Tiles left to the side to move; bit 0 is tile `a`.
        pub tiles: Signal<In, Bits<21>>,
        /// Legal anchor columns of each orientation, bit `x` for column `x`.
        pub legal: [Signal<Out, Bits<14>>; ORIENTATIONS] = given,
        verdict: [DFF<Bits<14>>; ORIENTATIONS] = given,
        fits: [Signal<Local, Bits<14>>; ORIENTATIONS] = given,
        touches: [Signal<Local, Bits<14>>; ORIENTATIONS] = given,
        cell: [Constant<Bits<8>>; ORIENTATIONS * CELLS] = given,
        tile: [Constant<Bits<5>>; ORIENTATIONS] = given,
    }
}

impl Default for Legality {
    fn default() -> Self {
        let nth = |o| Orientation::from_index(o).expect("one of the 91");
        let offset = |index: usize| {
            let orientation = nth(index / CELLS);
            let cells = orientation.cells();
            let cell = cells.get(index % CELLS).unwrap_or(&cells[0]);
            let offset = PITCH * (usize::from(cell.y) + 1) + COLUMN_ZERO + usize::from(cell.x);
            Constant::new(offset.to_bits())
        };
        Self::from(LegalityParts {
            legal: std::array::from_fn(|_| Default::default()),
            verdict: std::array::from_fn(|_| Default::default()),
            fits: std::array::from_fn(|_| Default::default()),
            touches: std::array::from_fn(|_| Default::default()),
            cell: std::array::from_fn(offset),
            tile: std::array::from_fn(|o| Constant::new(nth(o).tile().index().to_bits())),
        })
    }
}

impl Logic for Legality {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..91 {
            self.verdict[i].clock.next = self.clock.val();
            self.verdict[i].d.next = self.verdict[i].q.val();
            self.legal[i].next = self.verdict[i].q.val();
            self.touches[i].next = bits::<14>(0);
            if self.tiles.val().get_bit(self.tile[i].val().index()) {
                self.fits[i].next = bits::<14>(0x3fff);
            } else {
                self.fits[i].next = bits::<14>(0);
            }
            for j in 0..5 {
                self.fits[i].next = self.fits[i].val()
                    & self
                        .allowed
                        .val()
                        .get_bits::<14>(self.cell[i * 5 + j].val().index());
                self.touches[i].next = self.touches[i].val()
                    | self
                        .corner
                        .val()
                        .get_bits::<14>(self.cell[i * 5 + j].val().index());
            }
            if self.take.val() {
                self.verdict[i].d.next = self.fits[i].val() & self.touches[i].val();
            }
        }
    }
}

/// Twin: legal anchor columns of each orientation.
///
/// `allowed` and `corner` hold the five rows from the anchor row on, `tiles` the tiles left.
pub fn twin(allowed: &[u16; 5], corner: &[u16; 5], tiles: u32) -> [u16; ORIENTATIONS] {
    std::array::from_fn(|index| {
        let orientation = Orientation::from_index(index).expect("one of the 91");
        let is_set = |rows: &[u16; 5], x: usize, cell: &Cell| {
            let column = x + usize::from(cell.x);
            column < 14 && rows[usize::from(cell.y)] >> column & 1 == 1
        };
        let legal_at = |x: usize| {
            let mut cells = orientation.cells().iter();
            tiles >> orientation.tile().index() & 1 == 1
                && orientation
                    .cells()
                    .iter()
                    .all(|cell| is_set(allowed, x, cell))
                && cells.any(|cell| is_set(corner, x, cell))
        };
        (0..14)
            .filter(|&x| legal_at(x))
            .fold(0, |columns, x| columns | 1 << x)
    })
}
