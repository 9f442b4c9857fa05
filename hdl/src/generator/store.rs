//! Cell store: the cells of both sides, as two rings of rows with one read-out point.
//!
//! Encoding: each side's board is one 196-bit ring of 14 rows. A rotation by one row is wiring, so
//! reading the board row by row and writing a tile into it need no row multiplexer: a tile is ORed
//! into the rows as they pass. A revolution of 14 steps returns every row to its position.

use duoforge_rules::Placement;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Columns and rows of the board.
pub const SIDE: usize = 14;

/// Cells of the board.
pub const CELLS: usize = SIDE * SIDE;

/// Bits of the stamp, the tile's cells at the board's row pitch: five rows of 14.
pub const STAMP: usize = 5 * SIDE;

block! {
    /// Rings of both sides, read from the point of view of `side`.
    pub struct Store {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Empties both rings.
        pub clear: Signal<In, Bit>,
        /// Rotates both rings by one row.
        pub rotate: Signal<In, Bit>,
        /// ORs the first row of the stamp into the passing row of `side`.
        pub stamping: Signal<In, Bit>,
        /// Loads the stamp from `cells` and `column`.
        pub load: Signal<In, Bit>,
        /// Point of view: 0 for this player, 1 for the opponent.
        pub side: Signal<In, Bit>,
        /// Footprint of the tile (see [`crate::tables::footprint`]).
        pub cells: Signal<In, Bits<49>>,
        /// Column of the anchor.
        pub column: Signal<In, Bits<4>>,
        /// Row of `side` before the read-out point.
        pub own_before: Signal<Out, Bits<14>>,
        /// Row of `side` at the read-out point.
        pub own: Signal<Out, Bits<14>>,
        /// Row of `side` after the read-out point.
        pub own_after: Signal<Out, Bits<14>>,
        /// Row of the other side before the read-out point.
        pub opponent_before: Signal<Out, Bits<14>>,
        /// Row of the other side at the read-out point.
        pub opponent: Signal<Out, Bits<14>>,
        /// Row of the other side after the read-out point.
        pub opponent_after: Signal<Out, Bits<14>>,
        side_0: DFF<Bits<CELLS>>,
        side_1: DFF<Bits<CELLS>>,
        stamp: DFF<Bits<STAMP>>,
        side_0_passing: Signal<Local, Bits<14>>,
        side_1_passing: Signal<Local, Bits<14>>,
        aligned: Signal<Local, Bits<STAMP>>,
    }
}

impl Logic for Store {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, side_0, side_1, stamp);

        // Row at the read-out point, with the stamp ORed in.
        self.side_0_passing.next = self.side_0.q.val().get_bits::<14>(0);
        self.side_1_passing.next = self.side_1.q.val().get_bits::<14>(0);
        if self.stamping.val() {
            if self.side.val() {
                self.side_1_passing.next =
                    self.side_1_passing.val() | self.stamp.q.val().get_bits::<14>(0);
            } else {
                self.side_0_passing.next =
                    self.side_0_passing.val() | self.stamp.q.val().get_bits::<14>(0);
            }
            self.stamp.d.next = self.stamp.q.val() >> 14;
        }
        if self.rotate.val() {
            self.side_0.d.next = (self.side_0.q.val() >> 14)
                | (bit_cast::<196, 14>(self.side_0_passing.val()) << 182);
            self.side_1.d.next = (self.side_1.q.val() >> 14)
                | (bit_cast::<196, 14>(self.side_1_passing.val()) << 182);
        }

        // Five cells of a footprint row are bits 1 to 5 of its seven; row 1 starts at bit 7.
        self.aligned.next = bit_cast::<70, 5>(self.cells.val().get_bits::<5>(8))
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(15)) << 14)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(22)) << 28)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(29)) << 42)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(36)) << 56);
        if self.load.val() {
            self.stamp.d.next = self.aligned.val() << self.column.val();
        }
        if self.clear.val() {
            self.side_0.d.next = 0.into();
            self.side_1.d.next = 0.into();
        }

        if self.side.val() {
            self.own_before.next = self.side_1.q.val().get_bits::<14>(182);
            self.own.next = self.side_1.q.val().get_bits::<14>(0);
            self.own_after.next = self.side_1.q.val().get_bits::<14>(14);
            self.opponent_before.next = self.side_0.q.val().get_bits::<14>(182);
            self.opponent.next = self.side_0.q.val().get_bits::<14>(0);
            self.opponent_after.next = self.side_0.q.val().get_bits::<14>(14);
        } else {
            self.own_before.next = self.side_0.q.val().get_bits::<14>(182);
            self.own.next = self.side_0.q.val().get_bits::<14>(0);
            self.own_after.next = self.side_0.q.val().get_bits::<14>(14);
            self.opponent_before.next = self.side_1.q.val().get_bits::<14>(182);
            self.opponent.next = self.side_1.q.val().get_bits::<14>(0);
            self.opponent_after.next = self.side_1.q.val().get_bits::<14>(14);
        }
    }
}

/// Twin: rows of a board after a placement.
pub fn twin(rows: &[u16; SIDE], placement: Placement) -> [u16; SIDE] {
    placement.cells().fold(*rows, |mut rows, cell| {
        rows[usize::from(cell.y)] |= 1 << cell.x;
        rows
    })
}
