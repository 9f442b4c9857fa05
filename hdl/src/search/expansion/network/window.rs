//! Plane window: slides over the planes cell by cell, with the surroundings of each cell.
//!
//! A row of the planes enters at once and is taken cell by cell, two cycles for each, with two empty
//! cells after the last one. With the cells above it, from a memory of four rows, each cell is a
//! column of the window, which holds five columns.
//!
//! Timing: `load` takes a row while `ready` is high, which is again 33 cycles later. Rows enter in
//! order, from the first row of the board to two empty rows after the last one. While row `n` is
//! taken, the centres of the window are the cells of row `n - 2`. `valid` is high for one cycle with
//! each centre on the board, row by row; `window` is held for this cycle and the next one.
//!
//! Encoding: bit `55 * x + 11 * (4 - y) + p` is the cell at column `x` and row `y` of the window in
//! plane `p`: a column is shifted in at the top, and its newest row has the lowest bits, so that its
//! other rows are those of the memory. The two empty cells are the surroundings both of the end of
//! their row and of the beginning of the next one. Rows above the board are masked.

use duoforge_twin::search::prior::network::{PLANES, SPAN};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::store::SIDE;
use crate::memory::Memory;

/// Bits of a column of the window.
pub const COLUMN: usize = SPAN * PLANES;

/// Bits of the window.
pub const WINDOW: usize = SPAN * COLUMN;

/// Bits of the rows above the incoming one in a column.
const ABOVE: usize = COLUMN - PLANES;

block! {
    /// Window over the planes.
    pub struct PlaneWindow from PlaneWindowParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row to take, accepted while `ready` is high.
        /// Takes a row.
        pub load: Signal<In, Bit>,
        /// Number of the row, from 0 to 15.
        pub number: Signal<In, Bits<4>>,
        /// Row of each plane.
        pub row: [Signal<In, Bits<14>>; PLANES],
        /// High while a row can be accepted.
        pub ready: Signal<Out, Bit>,

        // Stream of windows, without back-pressure.
        /// High for one cycle with each window whose centre is on the board.
        pub valid: Signal<Out, Bit>,
        /// Window.
        pub window: Signal<Out, Bits<WINDOW>>,
        // Rest of the row, of which bit 0 is next.
        rest: [DFF<Bits<14>>; PLANES],
        held_number: DFF<Bits<4>>,
        running: DFF<Bit>,
        x: DFF<Bits<4>>,
        second: DFF<Bit>,
        above: Memory<ABOVE, 4> = given,
        columns: DFF<Bits<WINDOW>>,
        entered: DFF<Bit>,
        new_cell: Signal<Local, Bits<PLANES>>,
        column: Signal<Local, Bits<COLUMN>>,
        masked: Signal<Local, Bits<ABOVE>>,
        plane_bit: [Constant<Bits<PLANES>>; PLANES] = given,
        row_mask: [Constant<Bits<ABOVE>>; 4] = given,
        row_number: [Constant<Bits<4>>; 4] = given,
    }
}

impl Default for PlaneWindow {
    fn default() -> Self {
        let bits = |from: usize, number: usize| ((1_u64 << number) - 1) << from;
        Self::from(PlaneWindowParts {
            above: Memory::small(16),
            plane_bit: std::array::from_fn(|i| Constant::new(bits(i, 1).to_bits())),
            row_mask: std::array::from_fn(|i| Constant::new(bits(PLANES * i, PLANES).to_bits())),
            row_number: std::array::from_fn(|i| Constant::new(i.to_bits())),
        })
    }
}

impl Logic for PlaneWindow {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            held_number,
            running,
            x,
            second,
            columns,
            entered
        );
        clock!(self, clock, above);

        // Incoming cell of each plane.
        self.new_cell.next = bits::<11>(0);
        for i in 0..11 {
            self.rest[i].clock.next = self.clock.val();
            self.rest[i].d.next = self.rest[i].q.val();
            if self.rest[i].q.val().get_bit(0) {
                self.new_cell.next = self.new_cell.val() | self.plane_bit[i].val();
            }
            if self.second.q.val() {
                self.rest[i].d.next = self.rest[i].q.val() >> 1;
            }
            if self.load.val() {
                self.rest[i].d.next = self.row[i].val();
            }
        }

        // Cells above it: row `n - 1 - i` is on the board if the number is above `i`.
        self.masked.next = bits::<44>(0);
        for i in 0..4 {
            if self.held_number.q.val() > self.row_number[i].val() {
                self.masked.next =
                    self.masked.val() | (self.above.data.val() & self.row_mask[i].val());
            }
        }
        self.column.next =
            bit_cast::<55, 11>(self.new_cell.val()) | (bit_cast::<55, 44>(self.masked.val()) << 11);
        self.above.address.next = self.x.q.val();
        self.above.write.next = self.second.q.val();
        self.above.write_address.next = self.x.q.val();
        self.above.word.next = bit_cast::<44, 55>(self.column.val());

        // Sequence: the memory is read in the first cycle of a cell and written in the second one.
        self.entered.d.next = false;
        self.second.d.next = self.running.q.val() & (!self.second.q.val());
        if self.second.q.val() {
            self.columns.d.next =
                (self.columns.q.val() >> 55) | (bit_cast::<275, 55>(self.column.val()) << 220);
            self.entered.d.next =
                (self.held_number.q.val() > bits::<4>(1)) & (self.x.q.val() > bits::<4>(1));
            self.x.d.next = self.x.q.val() + 1;
            if self.x.q.val() == bits::<4>(15) {
                self.running.d.next = false;
            }
        }
        self.ready.next = !self.running.q.val();
        if self.load.val() {
            self.held_number.d.next = self.number.val();
            self.running.d.next = true;
            self.x.d.next = bits::<4>(0);
        }
        self.valid.next = self.entered.q.val();
        self.window.next = self.columns.q.val();
    }
}

/// Returns the cells of the window around a cell, row by row, each with a bit for each plane: the
/// twin function of this block. Cells off the board are empty.
pub fn twin(rows: &[[u16; SIDE]; PLANES], x: usize, y: usize) -> [u16; SPAN * SPAN] {
    let side = SIDE as i32;
    std::array::from_fn(|place| {
        let (dx, dy) = ((place % SPAN) as i32 - 2, (place / SPAN) as i32 - 2);
        let (x, y) = (x as i32 + dx, y as i32 + dy);
        if !(0..side).contains(&x) || !(0..side).contains(&y) {
            return 0;
        }
        let bit = |plane: usize| (rows[plane][y as usize] >> x & 1) << plane;
        (0..PLANES).map(bit).sum()
    })
}
