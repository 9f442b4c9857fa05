//! Monte-Carlo tree search in integers, as the hardware does it.
//!
//! One simulation goes down the tree by `tree`'s selection, expands a leaf that was visited often
//! enough with the best placements by `prior`, finishes the game with a `playout`, and takes the
//! result back up. Everything that decides is an integer, every division is a table (`arithmetic`),
//! and everything that can be chosen is in [`Parameters`].

pub mod arithmetic;
pub mod marks;
mod parameters;
pub mod playout;
mod position;
pub mod prior;
mod settings;
mod simulation;
pub mod tree;

pub use parameters::{Parameters, SHIPPED_SIMULATIONS};
pub use position::Position;
pub use settings::{Limit, Settings, SettingsError, pairs, set};
pub use simulation::{Flight, Found, Line, Search, following};
