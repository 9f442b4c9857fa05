//! Window of seven rows over one of the derived maps.
//!
//! Rows enter at the far end. When row `y + 5` has entered, the window is aligned to anchor row `y`
//! and holds rows `y - 1 ..= y + 5`: the five rows that a tile can cover, and one neighbour row on
//! either side.
//!
//! Encoding: one wide shift register with a pitch of 20 bits per row. Column 0 is bit 1 of its row,
//! so that an anchor in column 0 has its neighbours. Five zeros follow column 13, so that every
//! orientation at every column reads inside its own row.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Rows in the window.
pub const ROWS: usize = 7;

/// Bits from one row to the next, the pitch.
pub const PITCH: usize = 20;

/// Bit of column 0 in its row.
pub const COLUMN_ZERO: usize = 1;

/// Width of a window in bits.
pub const WINDOW: usize = ROWS * PITCH;

block! {
    /// Window over one map.
    pub struct Window {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Shift enable: takes in `row` and drops the oldest row.
        pub push: Signal<In, Bit>,
        /// Row that enters the window.
        pub row: Signal<In, Bits<14>>,
        /// Rows `y - 1 ..= y + 5`, the oldest in the lowest bits.
        pub view: Signal<Out, Bits<WINDOW>>,
        rows: DFF<Bits<WINDOW>>,
    }
}

impl Logic for Window {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rows);
        if self.push.val() {
            self.rows.d.next =
                (self.rows.q.val() >> 20) | (bit_cast::<140, 14>(self.row.val()) << 121);
        }
        self.view.next = self.rows.q.val();
    }
}

/// Twin: rows of a window that is aligned to anchor row `y`.
///
/// `map` holds the rows of the whole board; rows outside it are empty.
pub fn twin(map: &[u16; 14], y: i32) -> [u32; ROWS] {
    std::array::from_fn(|slot| {
        let row = y - 1 + slot as i32;
        let inside = usize::try_from(row).ok().and_then(|row| map.get(row));
        inside.map_or(0, |&bits| u32::from(bits) << COLUMN_ZERO)
    })
}
