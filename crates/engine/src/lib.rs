//! Engine for processors: the search of [`search`](duoforge_twin::search) without the limits of
//! the hardware.
//!
//! Several threads share one tree. The tree is reused from move to move and grows up to a memory
//! limit. Near the end of a game, the endgame solver replaces the search. With one thread, no tree
//! reuse and no early stop, the engine returns the result of
//! [`Search`](duoforge_twin::search::Search) with the same parameters.
#![forbid(unsafe_code)]

mod clock;
pub mod endgame;
mod engine;
mod settings;
mod trunk;
mod work;

pub use clock::Clock;
pub use engine::{Engine, Found, Line};
pub use settings::Settings;
