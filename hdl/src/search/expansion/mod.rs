//! Expansion: finds the candidates of a position with their priors.
//!
//! The [`expander`] joins the parts: the [`tile_filter`], the [`prior_maps`], the
//! [`placement_scan`], the [`prior_scorer`], the [`ranking`] and the [`priors`].

pub mod expander;
pub mod placement_scan;
pub mod prior_maps;
pub mod prior_scorer;
pub mod priors;
pub mod ranking;
pub mod tile_filter;
