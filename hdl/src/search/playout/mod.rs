//! Playouts: random completions of a game, one per lane at a time.
//!
//! The [`lanes`] serve the search as one block. Each [`lane`] has a placement list and a playout
//! [`core`](mod@core), which plays a game to its end. The rows of the core's position ring become
//! [`playout_maps`], in which [`runs`] finds horizontal runs of cells. From these, [`classes`]
//! finds the columns of each placement class. The [`placement_draw`] draws the [`nearest`]
//! placement to a random number.

pub mod classes;
pub mod core;
pub mod lane;
pub mod lanes;
pub mod nearest;
pub mod placement_draw;
pub mod playout_maps;
pub mod runs;
