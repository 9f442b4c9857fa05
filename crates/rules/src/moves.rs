//! Moves: a placement or a pass.

use core::fmt;
use core::str::FromStr;

use crate::code::four_bytes;
use crate::{Code, CodeError, Placement};

/// Move of one side: a placement or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Pass: no tile is placed; its code is `0000`.
    Pass,
    /// Placement of a tile.
    Place(Placement),
}

impl Move {
    /// Code of a pass.
    pub const PASS_CODE: [u8; 4] = *b"0000";

    /// Parses the code of a move; every alias of a placement is accepted.
    ///
    /// # Errors
    ///
    /// The fault in the code, or [`CodeError::OffBoard`] if the tile would extend beyond the left
    /// or upper edge. The right and lower edges depend on the board, which checks them.
    pub const fn from_code_bytes(bytes: [u8; 4]) -> Result<Self, CodeError> {
        if let [b'0', b'0', b'0', b'0'] = bytes {
            return Ok(Self::Pass);
        }
        match Code::from_bytes(bytes) {
            Ok(code) => match code.placement() {
                Some(placement) => Ok(Self::Place(placement)),
                None => Err(CodeError::OffBoard(code)),
            },
            Err(error) => Err(error),
        }
    }

    /// Returns the code of the move: the canonical code for a placement.
    #[must_use]
    pub const fn to_code_bytes(self) -> [u8; 4] {
        match self {
            Self::Pass => Self::PASS_CODE,
            Self::Place(placement) => placement.code().to_bytes(),
        }
    }

    /// Returns the placement, or `None` for a pass.
    #[must_use]
    pub const fn placement(self) -> Option<Placement> {
        match self {
            Self::Pass => None,
            Self::Place(placement) => Some(placement),
        }
    }
}

impl From<Placement> for Move {
    fn from(placement: Placement) -> Self {
        Self::Place(placement)
    }
}

impl FromStr for Move {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        Self::from_code_bytes(four_bytes(text)?)
    }
}

/// Writes the move's code.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("0000"),
            Self::Place(placement) => placement.fmt(f),
        }
    }
}
