//! Players in software: the bit-exact twin of the hardware player, its search, and the engine.
//!
//! All modules except [`strong`] use integer arithmetic only, because the hardware repeats them bit
//! for bit.
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
