//! Turns a placement into its canonical four-letter code.
//!
//! Encoding: one table over the orientations gives tile, rotation and where the centre lies from
//! the anchor; letters and digits come from the same tables that read them.

use duoforge_rules::{Orientation, Placement};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::tables;

/// The encoder; pure logic.
#[derive(LogicBlock)]
pub struct Encoder {
    /// The orientation.
    pub orientation: Signal<In, Bits<7>>,
    /// Its anchor's column.
    pub x: Signal<In, Bits<4>>,
    /// Its anchor's row.
    pub y: Signal<In, Bits<4>>,
    /// The code's bytes, the first one lowest.
    pub code: Signal<Out, Bits<32>>,
    /// The orientation's tile.
    pub tile: Signal<Out, Bits<5>>,
    shapes: ROM<Bits<12>, 7>,
    column: ROM<Bits<8>, 4>,
    row: ROM<Bits<8>, 4>,
    letter: Signal<Local, Bits<8>>,
    digit: Signal<Local, Bits<8>>,
}

impl Default for Encoder {
    fn default() -> Self {
        block!(Self {
            shapes: Orientation::all()
                .map(|o| tables::canonical_code(o).to_bits())
                .into(),
            column: (0..14).map(|c| tables::coordinate_byte(c).to_bits()).into(),
            row: (0..14).map(|c| tables::coordinate_byte(c).to_bits()).into(),
        } default
            orientation x y code tile letter digit
        )
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.shapes.address.next = self.orientation.val();
        self.column.address.next =
            self.x.val() + bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(8));
        self.row.address.next =
            self.y.val() + bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(10));
        self.letter.next =
            bit_cast::<8, 5>(self.shapes.data.val().get_bits::<5>(0)) + bits::<8>(0x61);
        self.digit.next =
            bit_cast::<8, 3>(self.shapes.data.val().get_bits::<3>(5)) | bits::<8>(0x30);
        self.tile.next = self.shapes.data.val().get_bits::<5>(0);
        self.code.next = bit_cast::<32, 8>(self.column.data.val())
            | (bit_cast::<32, 8>(self.row.data.val()) << 8)
            | (bit_cast::<32, 8>(self.letter.val()) << 16)
            | (bit_cast::<32, 8>(self.digit.val()) << 24);
    }
}

/// The code of a placement: the module's twin function.
pub fn twin(orientation: u8, x: u8, y: u8) -> [u8; 4] {
    Placement::new(
        Orientation::from_index(orientation.into()).expect("one of the 91"),
        x,
        y,
    )
    .code()
    .to_bytes()
}

crate::ported!(combinational Encoder; in orientation x y; out code tile);
