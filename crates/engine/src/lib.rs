//! Engine for processors: the search of [`search`](duoforge_twin::search) without the limits of
//! the hardware.
//!
//! Several threads share one tree. The tree is reused from move to move and grows up to a memory
//! limit. Near the end of a game, the endgame solver replaces the search. With one thread, no
//! network, no tree reuse and no early stop, the engine returns the result of
//! [`Search`](duoforge_twin::search::Search) with the same parameters.
#![forbid(unsafe_code)]

pub mod endgame;
mod engine;
mod expansion;
pub mod network;
mod observer;
mod parallel;
#[cfg(test)]
mod random_games;
mod ranked;
mod settings;
mod time_manager;
mod tree_reuse;

pub use engine::{Engine, EngineResult};
pub use observer::{SearchObserver, SearchProgress};
pub use ranked::RankedMove;
pub use settings::EngineSettings;
pub use time_manager::TimeManager;
