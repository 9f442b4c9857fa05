//! Reference table: positions with the values that a reference engine gives to their placements.
//!
//! A table separates searches that would otherwise need thousands of games, and it is made only
//! once. [`positions`] chooses positions from games. [`evaluate`] asks the reference engine for the
//! values of the root moves of each position. [`compare`] prints the mean regret of searches on the
//! table. [`keys`] lists the settings that a search can vary. [`table`] is the file format.
//!
//! Half of the positions are held out. Tune parameters on the training half, and confirm the result
//! on the held-out half and with a match.

pub mod compare;
pub mod engine;
pub mod evaluate;
pub mod keys;
mod lines;
pub mod positions;
pub mod spec;
pub mod split;
mod supplement;
pub mod table;
