//! Both players' cells, as two rings of rows that turn under one read-out point.
//!
//! Encoding: each player's board is one 196-bit ring of 14 rows. Turning it by a row is wiring, so
//! that reading the board out row by row and writing a tile into it need no row multiplexer: a tile
//! is stamped into the rows as they pass. After 14 steps every row is home again.

use duoforge_rules::Placement;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

/// Columns and rows of the board.
pub const SIDE: usize = 14;

/// Cells of the board.
pub const CELLS: usize = SIDE * SIDE;

/// Cells of the tile's box with the board's row pitch: five rows of 14.
pub const STAMP: usize = 5 * SIDE;

/// The rings of both players, seen from the player named by `side`.
#[derive(LogicBlock, Default)]
pub struct Store {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Empties both boards.
    pub clear: Signal<In, Bit>,
    /// Turns both rings by one row.
    pub turn: Signal<In, Bit>,
    /// Ors the first row of the stamp into the row of `side` that passes.
    pub stamping: Signal<In, Bit>,
    /// Loads the stamp from `cells` and `column`.
    pub load: Signal<In, Bit>,
    /// Whose view: 0 mine, 1 theirs.
    pub side: Signal<In, Bit>,
    /// The tile's cells in its seven by seven box (see [`crate::tables::footprint`]).
    pub cells: Signal<In, Bits<49>>,
    /// The anchor's column.
    pub column: Signal<In, Bits<4>>,
    /// The row before the one at the read-out point, of `side`.
    pub own_before: Signal<Out, Bits<14>>,
    /// The row at the read-out point, of `side`.
    pub own: Signal<Out, Bits<14>>,
    /// The row after it, of `side`.
    pub own_after: Signal<Out, Bits<14>>,
    /// The row before the one at the read-out point, of the other side.
    pub rival_before: Signal<Out, Bits<14>>,
    /// The row at the read-out point, of the other side.
    pub rival: Signal<Out, Bits<14>>,
    /// The row after it, of the other side.
    pub rival_after: Signal<Out, Bits<14>>,
    mine: DFF<Bits<CELLS>>,
    theirs: DFF<Bits<CELLS>>,
    stamp: DFF<Bits<STAMP>>,
    mine_passing: Signal<Local, Bits<14>>,
    theirs_passing: Signal<Local, Bits<14>>,
    aligned: Signal<Local, Bits<STAMP>>,
}

impl Logic for Store {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, mine, theirs, stamp);

        // The row at the read-out point, with the stamp where it goes.
        self.mine_passing.next = self.mine.q.val().get_bits::<14>(0);
        self.theirs_passing.next = self.theirs.q.val().get_bits::<14>(0);
        if self.stamping.val() {
            if self.side.val() {
                self.theirs_passing.next =
                    self.theirs_passing.val() | self.stamp.q.val().get_bits::<14>(0);
            } else {
                self.mine_passing.next =
                    self.mine_passing.val() | self.stamp.q.val().get_bits::<14>(0);
            }
            self.stamp.d.next = self.stamp.q.val() >> 14;
        }
        if self.turn.val() {
            self.mine.d.next =
                (self.mine.q.val() >> 14) | (bit_cast::<196, 14>(self.mine_passing.val()) << 182);
            self.theirs.d.next = (self.theirs.q.val() >> 14)
                | (bit_cast::<196, 14>(self.theirs_passing.val()) << 182);
        }

        // A box's row of five cells sits at bits 8 to 12 of its row of seven.
        self.aligned.next = bit_cast::<70, 5>(self.cells.val().get_bits::<5>(8))
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(15)) << 14)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(22)) << 28)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(29)) << 42)
            | (bit_cast::<70, 5>(self.cells.val().get_bits::<5>(36)) << 56);
        if self.load.val() {
            self.stamp.d.next = self.aligned.val() << self.column.val();
        }
        if self.clear.val() {
            self.mine.d.next = 0.into();
            self.theirs.d.next = 0.into();
        }

        if self.side.val() {
            self.own_before.next = self.theirs.q.val().get_bits::<14>(182);
            self.own.next = self.theirs.q.val().get_bits::<14>(0);
            self.own_after.next = self.theirs.q.val().get_bits::<14>(14);
            self.rival_before.next = self.mine.q.val().get_bits::<14>(182);
            self.rival.next = self.mine.q.val().get_bits::<14>(0);
            self.rival_after.next = self.mine.q.val().get_bits::<14>(14);
        } else {
            self.own_before.next = self.mine.q.val().get_bits::<14>(182);
            self.own.next = self.mine.q.val().get_bits::<14>(0);
            self.own_after.next = self.mine.q.val().get_bits::<14>(14);
            self.rival_before.next = self.theirs.q.val().get_bits::<14>(182);
            self.rival.next = self.theirs.q.val().get_bits::<14>(0);
            self.rival_after.next = self.theirs.q.val().get_bits::<14>(14);
        }
    }
}

/// The rows of a board after a tile is stamped into it: the module's twin function.
pub fn twin(rows: &[u16; SIDE], placement: Placement) -> [u16; SIDE] {
    placement.cells().fold(*rows, |mut rows, cell| {
        rows[usize::from(cell.y)] |= 1 << cell.x;
        rows
    })
}

crate::ported!(Store;
    in clear turn stamping load side cells column;
    out own_before own own_after rival_before rival rival_after);
