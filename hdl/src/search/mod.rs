//! Tree search in hardware: MCTS with parallel playouts and progressive node expansion.
//!
//! The [`searcher`] joins the parts. Its [`scheduler`] starts simulations. The [`descent`] selects
//! a path through the [`tree`], the [`node_builder`] adds nodes, and the [`backup`] backs the
//! results up.
//!
//! A [`position_ring`] holds one position. The root, each playout core and the expander have one
//! each. The [`playout`] plays games to their ends; the [`expansion`] finds the candidates of a
//! position.
//!
//! The [`opening_book`] replies to the first placements of a game without a search. The
//! [`placement_check`] has the legal set listed before a placement is played.
//!
//! The [`settings`] define the configuration of a search and the ranges that the hardware supports.

pub mod backup;
pub mod descent;
pub mod expansion;
pub mod multiplier;
pub mod node_builder;
pub mod node_loader;
pub mod opening_book;
pub mod placement_check;
pub mod placement_list;
pub mod player;
pub mod playout;
pub mod position_ring;
pub mod results;
pub mod scheduler;
pub mod searcher;
pub mod settings;
pub mod tree;
