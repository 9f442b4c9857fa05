//! The search: what makes simulations, and what they are made of.
//!
//! A [`field`] holds a position; the root of a search, the playout cores and the expander have one
//! each. A [`core`](mod@core) plays a game to its end: its field's rows become the [`ground`] that is
//! drawn from, [`runs`] tell where rows of tiles lie in it, [`classes`] at which columns which sizes
//! fit, and the [`picker`] draws the [`nearest`] placement.
//!
//! The [`expander`] finds what is worth a try: the [`choice`] of tiles, the [`prior_maps`], the
//! [`sweep`] over the legal placements, the [`prior_scorer`], the [`ranking`] and its [`priors`].
//!
//! The [`settings`] say what can be built.

pub mod ascent;
pub mod choice;
pub mod classes;
pub mod core;
pub mod descent;
pub mod expander;
pub mod expander_unit;
pub mod field;
pub mod ground;
pub mod grower;
pub mod lane;
pub mod lanes;
pub mod moves;
pub mod nearest;
pub mod picker;
pub mod player;
pub mod prior_maps;
pub mod prior_scorer;
pub mod priors;
pub mod product;
pub mod ranking;
pub mod runs;
pub mod scheduler;
pub mod searcher;
pub mod settings;
pub mod sweep;
pub mod table;
pub mod tree;
pub mod units;
