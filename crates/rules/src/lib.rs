//! Rules of Blokus Duo as the FPGA design contest plays it: cells, tiles, codes, boards, legal
//! placements and scores.
//!
//! Coordinates start at 0, with `x` to the right and `y` down from the upper left corner. Types
//! that depend on the board are generic over its [`Size`]. A [`Variant`] holds the rules that
//! differ between games as data. A [`Game`] plays a [`GameVariant`] for one to four seats, on a
//! board whose size is a value. Every table is computed from the 21 base shapes of
//! [`Tile::base_cells`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use duoforge_rules::{Colour, DuoBoard, IllegalMove};
//!
//! let mut board = DuoBoard::duo();
//! assert_eq!(board.count_legal(), 414);
//! for code in ["53e0", "a8e0", "21k7"] {
//!     board.play(code.parse()?)?;
//! }
//! assert_eq!(board.to_move(), Colour(1));
//! assert_eq!(board.check("a4t3".parse()?), Err(IllegalMove::NoCornerContact));
//!
//! // Legal placements come as one set of anchors for each orientation, or one by one.
//! let mut shapes = 0;
//! let _ = board.visit_legal(|_orientation, anchors| {
//!     shapes += u32::from(!anchors.is_empty());
//!     ControlFlow::<()>::Continue(())
//! });
//! assert!(shapes > 0);
//! assert!(board.legal().all(|placement| board.check(placement.into()).is_ok()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
mod board;
mod cell;
mod code;
pub mod fits;
mod game;
mod illegal;
mod moves;
pub mod naive;
mod naive_game;
mod notation;
mod orientation;
mod perft;
mod placement;
mod player;
mod rotation;
mod size;
mod tile;
mod tile_set;
mod variant;

pub use bitboard::{Bitboard, PictureError};
pub use board::{Board, DuoBoard};
pub use cell::Cell;
pub use code::{Code, CodeError};
pub use fits::legal_anchors;
pub use game::{
    ActionSpace, CellSet, ColourDefinition, ColourDiagnostics, Diagnostics, Ending, ForcedPass,
    Game, GameResult, GameVariant, Offset, Owner, Passing, PlayedMove, PositionReference,
    ScoringRule, Seat, SeatResult, ShapeReference, StartCells, Ties, VariantDefinition,
    VariantError, VoluntaryPass,
};
pub use illegal::IllegalMove;
pub use moves::Move;
pub use notation::{Notation, NotationError};
pub use orientation::Orientation;
pub use perft::perft;
pub use placement::Placement;
pub use player::Colour;
pub use rotation::Rotation;
pub use size::{Classic, Duo, Row, Rows, Size};
pub use tile::Tile;
pub use tile_set::TileSet;
pub use variant::{Scoring, Variant};

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
