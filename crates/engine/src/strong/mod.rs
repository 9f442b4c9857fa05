//! The search for processors: what `search` does, freed from the hardware's limits.
//!
//! Several threads share one tree, which is kept from move to move, may fill the memory that it is
//! given, and is given up near the end for exact play. With one thread, nothing kept and no early
//! end, it finds what [`Search`](crate::search::Search) finds with the same parameters.

mod clock;
pub mod endgame;
mod engine;
mod settings;
mod trunk;
mod work;

pub use clock::Clock;
pub use engine::{Engine, Found, Line};
pub use settings::Settings;
