//! Bit-exact model of the hardware players: their policy, their search, and the whole device.
//!
//! All modules use integer arithmetic only, because the hardware repeats them bit for bit.
#![forbid(unsafe_code)]

pub mod book;
mod chooser;
mod maps;
mod policy;
mod rng;
pub mod search;
mod twin;

pub use chooser::{Chooser, SearchChooser};
pub use maps::PolicyMaps;
pub use policy::{FEATURES, Policy, ScoredPlacement, VALUES};
pub use rng::Rng;
pub use twin::{Decision, OpponentMove, StatusFlags, Twin};
