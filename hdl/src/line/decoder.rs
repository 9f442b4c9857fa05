//! Decoder: four-letter code to orientation and anchor.
//!
//! Encoding: a table over tile and rotation gives the orientation and the offset of the code's
//! centre from the anchor. A table look-up and a subtraction therefore decode all 168 combinations
//! of tile and rotation, aliases included, into the 91 orientations.

use duoforge_rules::Code;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::tables;
use crate::word::{ShiftBy, bit, word};

word! {
    /// Code: four ASCII bytes in the order of the wire.
    pub CodeWord {
        /// Column of the centre.
        COLUMN: 8,
        /// Row of the centre.
        ROW: 8,
        /// Letter of the tile.
        TILE: 8,
        /// Digit of the rotation.
        ROTATION: 8,
    }
}

word! {
    /// Entry of the tables of coordinates.
    pub(crate) CoordinateEntry {
        /// Coordinate.
        COORDINATE: 4,
        /// High if the byte is a coordinate of the board.
        VALID: 1,
    }
}

word! {
    /// Entry of the table of tiles.
    pub(crate) TileEntry {
        /// Tile.
        TILE: 5,
        /// High if the byte names a tile.
        VALID: 1,
    }
}

word! {
    /// Address of the table of shapes: tile code.
    pub TileCode {
        /// Rotation.
        ROTATION: 3,
        /// Tile.
        TILE: 5,
    }
}

word! {
    /// Entry of the table of shapes.
    pub DecodedShape {
        /// Orientation.
        ORIENTATION: 7,
        /// Columns from the anchor to the centre.
        BACK_X: 2,
        /// Rows from the anchor to the centre.
        BACK_Y: 2,
    }
}

word! {
    /// ASCII byte of a digit.
    pub(crate) DigitByte {
        /// Value of the digits 0 to 7.
        VALUE: 3,
        /// Upper bits, 6 for the digits 0 to 7.
        GROUP: 5,
    }
}

block! {
    /// Combinational decoder.
    pub struct Decoder from DecoderParts {
        /// Code, four ASCII bytes, the first in the lowest byte.
        pub code: Signal<In, Bits<32>>,
        /// High if the code is `0000`, a pass.
        pub pass: Signal<Out, Bit>,
        /// High if the code names a placement whose anchor is on the board.
        pub valid: Signal<Out, Bit>,
        /// Orientation of the placement, 0 to 90.
        pub orientation: Signal<Out, Bits<7>>,
        /// Column of the anchor, 0 to 13.
        pub x: Signal<Out, Bits<4>>,
        /// Row of the anchor, 0 to 13.
        pub y: Signal<Out, Bits<4>>,
        column: ROM<Bits<5>, 8> = given,
        row: ROM<Bits<5>, 8> = given,
        tile: ROM<Bits<6>, 8> = given,
        shapes: ROM<Bits<11>, 8> = given,
        digit: Signal<Local, Bits<8>>,
        rotation: Signal<Local, Bits<3>>,
        centre_x: Signal<Local, Bits<4>>,
        centre_y: Signal<Local, Bits<4>>,
        back_x: Signal<Local, Bits<4>>,
        back_y: Signal<Local, Bits<4>>,
        // High if the byte of the rotation is '0' to '7'.
        is_rotation: Signal<Local, Bit>,
    }
}

impl Default for Decoder {
    fn default() -> Self {
        let coordinate = |byte: u8| {
            tables::coordinate_of(byte)
                .map_or(0, |c| u64::from(c) | bit(CoordinateEntry::VALID))
                .to_bits()
        };
        let tile = |byte: u8| {
            tables::tile_of(byte)
                .map_or(0, |tile| u64::from(tile) | bit(TileEntry::VALID))
                .to_bits()
        };
        Self::from(DecoderParts {
            column: (0..=255).map(coordinate).into(),
            row: (0..=255).map(coordinate).into(),
            tile: (0..=255).map(tile).into(),
            shapes: (0..256)
                .map(|i| tables::tile_code(i).unwrap_or(0).to_bits())
                .into(),
        })
    }
}

impl Logic for Decoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.pass.next = self.code.val() == bits::<32>(0x3030_3030);
        self.column.address.next = self.code.val().get_bits::<8>(CodeWord::COLUMN);
        self.row.address.next = self.code.val().get_bits::<8>(CodeWord::ROW);
        self.tile.address.next = self.code.val().get_bits::<8>(CodeWord::TILE);
        self.digit.next = self.code.val().get_bits::<8>(CodeWord::ROTATION);
        self.rotation.next = self.digit.val().get_bits::<3>(DigitByte::VALUE);
        self.is_rotation.next = self.digit.val().get_bits::<5>(DigitByte::GROUP) == bits::<5>(6);
        self.shapes.address.next =
            (bit_cast::<8, 5>(self.tile.data.val().get_bits::<5>(TileEntry::TILE))
                << TileCode::TILE.val())
                | bit_cast::<8, 3>(self.rotation.val());
        self.centre_x.next = self
            .column
            .data
            .val()
            .get_bits::<4>(CoordinateEntry::COORDINATE);
        self.centre_y.next = self
            .row
            .data
            .val()
            .get_bits::<4>(CoordinateEntry::COORDINATE);
        self.back_x.next =
            bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(DecodedShape::BACK_X));
        self.back_y.next =
            bit_cast::<4, 2>(self.shapes.data.val().get_bits::<2>(DecodedShape::BACK_Y));
        self.valid.next = self.column.data.val().get_bit(CoordinateEntry::VALID)
            & self.row.data.val().get_bit(CoordinateEntry::VALID)
            & self.tile.data.val().get_bit(TileEntry::VALID)
            & self.is_rotation.val()
            & (self.centre_x.val() >= self.back_x.val())
            & (self.centre_y.val() >= self.back_y.val());
        self.orientation.next = self
            .shapes
            .data
            .val()
            .get_bits::<7>(DecodedShape::ORIENTATION);
        self.x.next = self.centre_x.val() - self.back_x.val();
        self.y.next = self.centre_y.val() - self.back_y.val();
    }
}

/// Twin: orientation, column and row of the anchor that a code names.
///
/// `None` if the code is broken or the anchor is off the board. A placement that leaves the board
/// to the right or below is decoded; the move generator rejects it.
pub fn twin(code: [u8; 4]) -> Option<(u8, u8, u8)> {
    let code = Code::from_bytes(code)
        .ok()
        .filter(|code| code.x < 14 && code.y < 14)?;
    let placement = code.placement()?;
    Some((
        placement.orientation.index() as u8,
        placement.x,
        placement.y,
    ))
}
