//! Expansion: finds the candidates of a position with their priors.
//!
//! The [`expander`] joins the parts: the [`tile_filter`], the [`prior_maps`], the
//! [`placement_scan`], the [`prior_scorer`], the [`ranking`] and the [`priors`]. With
//! `prior_network=1`, the [`network`] gives scores to cells; the [`score_patches`] and the
//! [`network_scorer`] replace the prior scorer. Both scorers use the [`shapes`].

pub mod expander;
pub mod network;
pub mod network_scorer;
pub mod placement_scan;
pub mod prior_maps;
pub mod prior_scorer;
pub mod priors;
pub mod ranking;
pub mod score_patches;
pub mod shapes;
pub mod tile_filter;

/// Bits of a score.
pub const SCORE: usize = 13;

/// Offset of every score.
pub const OFFSET: i32 = 1 << (SCORE - 1);
