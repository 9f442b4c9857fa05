//! The search: what makes simulations, and what they are made of.
//!
//! A [`field`] holds a position; the root of a search, the playout cores and the expander have one
//! each.

pub mod field;
pub mod units;
