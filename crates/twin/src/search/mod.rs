//! Monte-Carlo tree search (MCTS) in integer arithmetic, bit-exact with the hardware.
//!
//! A simulation selects a path down the tree (`tree`) to a leaf. A leaf with enough visits is
//! expanded with the best placements by `prior`. A `playout` then completes the game, and the
//! result is backed up the path. All values are integers, and every division is a table lookup
//! (`arithmetic`). [`SearchParameters`] holds all tunable numbers.

pub mod amaf;
pub mod arithmetic;
mod draw;
mod formulas;
pub mod keys;
pub mod node_cache;
mod parameter_keys;
mod parameters;
pub mod playout;
mod position;
pub mod prior;
mod ranking;
mod replies;
mod result;
mod settings;
mod simulation;
pub mod tree;
mod weighted;

pub use draw::{DrawMemory, PlacementClass, PlayoutMaps, draw, placement_classes};
pub use formulas::Formulas;
pub use parameters::{BLOCK_RAM_SIMULATIONS, SearchParameters};
pub use position::{NETWORK_PLANES, Position};
pub use replies::Replies;
pub use result::Results;
pub use settings::{Limit, SearchSettings, SettingsError, pairs};
pub use simulation::{RootMove, Search, SearchResult, Simulation, expand, expand_by};
pub use weighted::draw_by_weight;
