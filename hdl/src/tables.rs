//! ROM contents of the hardware, computed from the types of the rules.

use duoforge_rules::{Code, Orientation, Placement, Rotation, Tile};

use crate::line::decoder::{DecodedShape, TileCode};
use crate::line::encoder::EncodedShape;

/// Rows and columns of a footprint: an orientation's bounding box with a border for its neighbours.
pub const FOOTPRINT_SIDE: usize = 7;

/// Returns the footprint of an orientation: its cells in a 7x7 box, anchored at row 1, column 1.
///
/// Cell `(row, column)` is bit `7 * row + column`. The border leaves space for the neighbours: they
/// are shifts by 1, 6, 7 and 8 bits that never wrap from one row into the next.
pub fn footprint(orientation: Orientation) -> u64 {
    orientation
        .cells()
        .iter()
        .map(|cell| 1 << (FOOTPRINT_SIDE * (usize::from(cell.y) + 1) + usize::from(cell.x) + 1))
        .fold(0, |mask, bit: u64| mask | bit)
}

/// Returns the decoder's entry, a [`DecodedShape`], for the [`TileCode`] `index`. `None` if no tile
/// has this code.
pub fn tile_code(index: usize) -> Option<u16> {
    let tile = *Tile::ALL.get(index >> TileCode::TILE)?;
    let rotation = Rotation::from_index(index & 7)?;
    let orientation = Orientation::from_tile_rotation(tile, rotation);
    let back = Orientation::back(tile, rotation);
    Some(
        orientation.index() as u16
            | u16::from(back.x) << DecodedShape::BACK_X
            | u16::from(back.y) << DecodedShape::BACK_Y,
    )
}

/// Returns the encoder's entry, an [`EncodedShape`], for an orientation's canonical code.
pub fn canonical_code(orientation: Orientation) -> u16 {
    let centre = orientation.centre();
    orientation.tile().index() as u16
        | (orientation.rotation().index() as u16) << EncodedShape::ROTATION
        | u16::from(centre.x) << EncodedShape::CENTRE_X
        | u16::from(centre.y) << EncodedShape::CENTRE_Y
}

/// Returns the 0-based coordinate that an ASCII byte names, if it is one of the 14.
pub fn coordinate_of(byte: u8) -> Option<u8> {
    // The code of a monomino at that column is valid exactly if the byte is a coordinate of the
    // board.
    let code = Code::from_bytes([byte, b'1', b'a', b'0']).ok()?;
    (code.x < 14).then_some(code.x)
}

/// Returns the ASCII byte of a 0-based coordinate.
pub fn coordinate_byte(coordinate: u8) -> u8 {
    let monomino = Orientation::from_tile_rotation(Tile::MONOMINO, Rotation::ALL[0]);
    Placement::new(monomino, coordinate, 0).code().to_bytes()[0]
}

/// Returns the 0-based tile that an ASCII byte names.
pub fn tile_of(byte: u8) -> Option<u8> {
    Tile::from_letter(byte).map(|tile| tile.index() as u8)
}
