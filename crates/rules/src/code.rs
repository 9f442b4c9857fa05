//! The contest's four-letter code of a placement.

use core::fmt;
use core::str::FromStr;

use crate::cell::{coordinate_byte, coordinate_value};
use crate::{Cell, Orientation, Placement, Rotation, Tile};

/// A four-letter code: the centre's column and row, the tile, and its rotation.
///
/// Several codes may name one placement. All of them are read; [`Placement::code`] gives the
/// canonical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// Column of the centre, from 0.
    pub x: u8,
    /// Row of the centre, from 0.
    pub y: u8,
    /// The tile.
    pub tile: Tile,
    /// The rotation.
    pub rotation: Rotation,
}

impl Code {
    /// Reads a code: a column and a row out of `1`-`9` and `a`-`k`, a tile `a`-`u`, a rotation
    /// `0`-`7`.
    ///
    /// Whether the tile lies on a given board is not judged here.
    ///
    /// # Errors
    ///
    /// The first of the four bytes that is none of these.
    pub const fn from_bytes(bytes: [u8; 4]) -> Result<Self, CodeError> {
        let [x, y, tile, rotation] = bytes;
        let Some(x) = coordinate_value(x) else {
            return Err(CodeError::Column(x));
        };
        let Some(y) = coordinate_value(y) else {
            return Err(CodeError::Row(y));
        };
        let Some(tile) = Tile::from_letter(tile) else {
            return Err(CodeError::Tile(tile));
        };
        let Some(rotation) = Rotation::from_index(rotation.wrapping_sub(b'0') as usize) else {
            return Err(CodeError::Rotation(rotation));
        };
        Ok(Self {
            x,
            y,
            tile,
            rotation,
        })
    }

    /// The code's four bytes.
    ///
    /// A coordinate beyond 19, which no code can name, is written as `?`.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        const fn coordinate(value: u8) -> u8 {
            match coordinate_byte(value) {
                Some(byte) => byte,
                None => b'?',
            }
        }
        let rotation = b'0' + self.rotation.index() as u8;
        [
            coordinate(self.x),
            coordinate(self.y),
            self.tile.letter(),
            rotation,
        ]
    }

    /// The placement that the code names, or `None` where a cell would lie left of or above
    /// the board.
    #[must_use]
    pub const fn placement(self) -> Option<Placement> {
        let Cell { x, y } = Orientation::back(self.tile, self.rotation);
        match (self.x.checked_sub(x), self.y.checked_sub(y)) {
            (Some(x), Some(y)) => {
                let orientation = Orientation::from_tile_rotation(self.tile, self.rotation);
                Some(Placement { orientation, x, y })
            }
            _ => None,
        }
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        Self::from_bytes(four_bytes(text)?)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes()
            .into_iter()
            .try_for_each(|byte| write!(f, "{}", char::from(byte)))
    }
}

/// The bytes of a text that is exactly four bytes long.
pub(crate) fn four_bytes(text: &str) -> Result<[u8; 4], CodeError> {
    text.as_bytes()
        .try_into()
        .map_err(|_| CodeError::Length(text.len()))
}

/// Why four bytes are not the code of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The text is not four bytes long.
    #[error("a code has four letters, this one has {0}")]
    Length(usize),
    /// The first byte names no column.
    #[error("{} is no column (1-9, then a, b, c, ...)", show(*.0))]
    Column(u8),
    /// The second byte names no row.
    #[error("{} is no row (1-9, then a, b, c, ...)", show(*.0))]
    Row(u8),
    /// The third byte names no tile.
    #[error("{} is no tile (a-u)", show(*.0))]
    Tile(u8),
    /// The fourth byte names no rotation.
    #[error("{} is no rotation (0-7)", show(*.0))]
    Rotation(u8),
    /// Part of the tile would lie left of or above every board.
    #[error("{0} reaches beyond the left or upper edge of the board")]
    OffBoard(Code),
}

/// A byte as a reader can recognise it in a message.
fn show(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("'{}'", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    }
}
