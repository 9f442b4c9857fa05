//! The player in software: the twin of the board, and what random openings need.
//!
//! Everything but [`strong`] is for hardware to repeat bit for bit, and so integer arithmetic.
#![forbid(unsafe_code)]

mod chooser;
mod maps;
mod policy;
mod rng;
pub mod search;
pub mod strong;
mod twin;

pub use chooser::Chooser;
pub use maps::Maps;
pub use policy::{Choice, FEATURES, Policy, VALUES};
pub use rng::Rng;
pub use twin::{RivalMove, Thought, Trouble, Twin};
