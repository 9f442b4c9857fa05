//! Tree search in hardware: MCTS with parallel playouts and progressive node expansion.
//!
//! The [`searcher`] joins the parts. Its [`scheduler`] starts simulations. The [`descent`] selects
//! a path through the [`tree`], the [`grower`] adds nodes, and the [`ascent`] backs the results up.
//!
//! A [`field`] is a position ring: it holds one position. The root, each playout core and the
//! expander have one each. A playout [`core`](mod@core) plays a game to its end. The rows of its
//! position ring become playout maps ([`ground`]), in which [`runs`] finds horizontal runs of
//! cells. From these, [`classes`] finds the columns of each placement class. The [`picker`] draws
//! the [`nearest`] placement to a random number.
//!
//! The [`expander`] finds the candidates of a position with their priors. Its parts are the tile
//! filter ([`choice`]), the [`prior_maps`], the placement scan ([`sweep`]), the [`prior_scorer`],
//! the [`ranking`] and the [`priors`].
//!
//! The [`settings`] define the configuration of a search and the ranges that the hardware supports.

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
