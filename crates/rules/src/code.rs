//! Four-letter code of a placement, as the contest defines it.

use core::fmt;
use core::str::FromStr;

use crate::cell::{coordinate_byte, coordinate_value};
use crate::{Cell, Orientation, Placement, Rotation, Tile};

/// Four-letter code: the centre's column and row, the tile and its rotation.
///
/// Several codes (aliases) may name one placement, and all of them are accepted.
/// [`Placement::code`] returns the canonical code.
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
    /// Parses a code: column and row from `1`-`9` and `a`-`k`, tile `a`-`u`, rotation `0`-`7`.
    ///
    /// The tile may extend beyond a given board: the function does not check the position.
    ///
    /// # Errors
    ///
    /// The first of the four bytes that is invalid.
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

    /// Returns the four bytes of the code.
    ///
    /// A coordinate above 19 has no name and is written as `?`.
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

    /// Returns the placement that the code names, or `None` if a cell would lie left of or above
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

impl Placement {
    /// Canonical code: among all codes of this placement, the one with the lowest rotation.
    #[must_use]
    pub const fn code(self) -> Code {
        let centre = self.orientation.centre();
        Code {
            x: self.x.saturating_add(centre.x),
            y: self.y.saturating_add(centre.y),
            tile: self.orientation.tile(),
            rotation: self.orientation.rotation(),
        }
    }
}

/// Writes the canonical code, for example `a4t3`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code().fmt(f)
    }
}

/// Converts a text of exactly four bytes to an array.
pub(crate) fn four_bytes(text: &str) -> Result<[u8; 4], CodeError> {
    text.as_bytes()
        .try_into()
        .map_err(|_| CodeError::Length(text.len()))
}

/// Reason why a text is not the code of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The text is not four bytes long.
    #[error("a code has four letters, this one has {0}")]
    Length(usize),
    /// The first byte is not a column.
    #[error("{} is not a column (1-9, then a, b, c, ...)", show(*.0))]
    Column(u8),
    /// The second byte is not a row.
    #[error("{} is not a row (1-9, then a, b, c, ...)", show(*.0))]
    Row(u8),
    /// The third byte is not a tile.
    #[error("{} is not a tile (a-u)", show(*.0))]
    Tile(u8),
    /// The fourth byte is not a rotation.
    #[error("{} is not a rotation (0-7)", show(*.0))]
    Rotation(u8),
    /// Part of the tile would lie left of or above the board, whatever its size.
    #[error("{0} reaches beyond the left or upper edge of the board")]
    OffBoard(Code),
}

/// Formats a byte for an error message.
fn show(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("'{}'", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    }
}
