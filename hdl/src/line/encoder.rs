//! Encoder: placement to canonical four-letter code.
//!
//! Encoding: a table over the orientations gives the tile, the rotation and the offset of the
//! centre from the anchor. Two small tables map the coordinates to ASCII characters; tile and
//! rotation are combined with ASCII constants.

use duoforge_rules::{Orientation, Placement};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::decoder::CodeWord;
use crate::block::block;
use crate::tables;
use crate::word::{ShiftBy, word};

word! {
    /// Entry of the table of shapes.
    pub EncodedShape {
        /// Tile.
        TILE: 5,
        /// Rotation of the canonical code.
        ROTATION: 3,
        /// Columns from the anchor to the centre.
        CENTRE_X: 2,
        /// Rows from the anchor to the centre.
        CENTRE_Y: 2,
    }
}

block! {
    /// Combinational encoder.
    pub struct Encoder from EncoderParts {
        /// Orientation of the placement, 0 to 90.
        pub orientation: Signal<In, Bits<7>>,
        /// Column of the anchor.
        pub x: Signal<In, Bits<4>>,
        /// Row of the anchor.
        pub y: Signal<In, Bits<4>>,
        /// Code, four ASCII bytes, the first in the lowest byte.
        pub code: Signal<Out, Bits<32>>,
        /// Tile of the orientation, 0 to 20.
        pub tile: Signal<Out, Bits<5>>,
        shapes: ROM<Bits<12>, 7> = given,
        column: ROM<Bits<8>, 4> = given,
        row: ROM<Bits<8>, 4> = given,
        letter: Signal<Local, Bits<8>>,
        digit: Signal<Local, Bits<8>>,
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::from(EncoderParts {
            shapes: Orientation::all()
                .map(|o| tables::canonical_code(o).to_bits())
                .into(),
            column: (0..14).map(|c| tables::coordinate_byte(c).to_bits()).into(),
            row: (0..14).map(|c| tables::coordinate_byte(c).to_bits()).into(),
        })
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.shapes.address.next = self.orientation.val();
        self.column.address.next = self.x.val()
            + bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(EncodedShape::CENTRE_X));
        self.row.address.next = self.y.val()
            + bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(EncodedShape::CENTRE_Y));
        self.letter.next =
            bit_cast::<8, 5>(self.shapes.data.val().get_bits::<5>(EncodedShape::TILE))
                + bits::<8>(0x61);
        self.digit.next =
            bit_cast::<8, 3>(self.shapes.data.val().get_bits::<3>(EncodedShape::ROTATION))
                | bits::<8>(0x30);
        self.tile.next = self.shapes.data.val().get_bits::<5>(EncodedShape::TILE);
        self.code.next = bit_cast::<32, 8>(self.column.data.val())
            | (bit_cast::<32, 8>(self.row.data.val()) << CodeWord::ROW.val())
            | (bit_cast::<32, 8>(self.letter.val()) << CodeWord::TILE.val())
            | (bit_cast::<32, 8>(self.digit.val()) << CodeWord::ROTATION.val());
    }
}

/// Twin: code bytes of a placement.
pub fn twin(orientation: u8, x: u8, y: u8) -> [u8; 4] {
    Placement::new(
        Orientation::from_index(orientation.into()).expect("one of the 91"),
        x,
        y,
    )
    .code()
    .to_bytes()
}
