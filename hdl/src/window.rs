//! A window of seven rows over one of the derived maps.
//!
//! Rows enter at the far end. When row `y + 5` has entered, the window stands over anchor row `y`
//! and holds rows `y - 1 ..= y + 5`: the five rows that a tile can cover, and one more on either
//! side for its neighbours.
//!
//! Encoding: the window is one wide shift register with a pitch of 20 bits a row. Column 0 is bit 1
//! of its row, so that the neighbours of an anchor in column 0 exist, and five zeros follow column
//! 13, so that every shape at every column reads inside its own row.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

/// Rows in the window.
pub const ROWS: usize = 7;

/// Bits from one row to the next.
pub const PITCH: usize = 20;

/// The bit of column 0 in its row.
pub const COLUMN_ZERO: usize = 1;

/// Bits of a window.
pub const WINDOW: usize = ROWS * PITCH;

/// The window over one map.
#[derive(LogicBlock, Default)]
pub struct Window {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Takes `row` in and lets the oldest row go.
    pub push: Signal<In, Bit>,
    /// The row that enters.
    pub row: Signal<In, Bits<14>>,
    /// The rows `y - 1 ..= y + 5`, oldest first.
    pub view: Signal<Out, Bits<WINDOW>>,
    rows: DFF<Bits<WINDOW>>,
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

/// What a window holds that stands over anchor row `y`: the module's twin function.
///
/// `map` gives the rows of the whole board; rows outside it are empty.
pub fn twin(map: &[u16; 14], y: i32) -> [u32; ROWS] {
    std::array::from_fn(|slot| {
        let row = y - 1 + slot as i32;
        let inside = usize::try_from(row).ok().and_then(|row| map.get(row));
        inside.map_or(0, |&bits| u32::from(bits) << COLUMN_ZERO)
    })
}
