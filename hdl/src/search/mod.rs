//! The search: what makes simulations, and what they are made of.
//!
//! A [`field`] holds a position; the root of a search, the playout cores and the expander have one
//! each.

pub mod ascent;
pub mod descent;
pub mod field;
pub mod grower;
pub mod moves;
pub mod scheduler;
pub mod units;
