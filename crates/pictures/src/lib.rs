//! Pictures of games as SVG.
//!
//! [`svg`] draws a position with its tiles and a [`Caption`], [`game_svg`] one of any variant.
//! [`curve_svg`] draws the evaluation of a game over its moves, and [`waveform_svg`] signals of the
//! hardware. [`xml`] holds what every picture needs, also those of other crates. Each picture has an opaque background, so it is readable on
//! light and dark pages.
//!
//! ```
//! use duoforge_pictures::{Caption, svg};
//! use duoforge_rules::DuoBoard;
//!
//! let mut board = DuoBoard::duo();
//! board.play("53e0".parse()?)?;
//! let picture = svg(&board, &Caption::default());
//! assert!(picture.starts_with("<svg ") && picture.contains("<title>1: 53e0</title>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod curve;
mod game;
mod position;
mod waveform;
pub mod xml;

pub use curve::{CurvePoint, curve_svg};
pub use game::game_svg;
pub use position::{Caption, svg};
pub use waveform::{Span, Track, Values, Waveform, waveform_svg};
