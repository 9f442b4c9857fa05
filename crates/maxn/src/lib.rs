//! Engine for every variant: Monte-Carlo tree search for one to four seats.
//!
//! The search is max^n: each node maximises the value of the seat that decides there, and a result
//! has one value for each seat. RAVE updates, a log-linear prior and playouts at the opponents'
//! recent corner points guide it. With a limit in simulations, the same seed and the same positions
//! give the same choices. Voluntary passes are never chosen.
//!
//! | module | content |
//! |---|---|
//! | `engine`, `result`, `settings` | choice of a move, and what it reports |
//! | `tree`, `reuse` | nodes, selection, backup, RAVE updates; tree reuse |
//! | `prior`, `weights`, `training` | candidates, their prior and its training |
//! | `playout`, `value` | completion of a game, and its value for each seat |
//! | `position`, `rules`, `shapes` | incremental bitboards and rules for any variant |
#![forbid(unsafe_code)]

mod engine;
mod playout;
mod position;
mod prior;
mod result;
mod reuse;
mod rules;
mod settings;
mod shapes;
pub mod training;
mod tree;
mod value;
mod weights;

pub use engine::MaxnEngine;
pub use result::{MaxnProgress, MaxnResult, RootCandidate};
pub use settings::MaxnSettings;

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
