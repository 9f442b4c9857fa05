//! Hardware player: a Blokus Duo player in rust-hdl, emitted as Verilog.
//!
//! Each hardware module has its own file and a twin, a bit-exact reference model in plain Rust. The
//! pattern player's top block is in [`player`], the search player's in [`search::player`]. The
//! other modules are:
//!
//! - [`tables`]: ROM contents, computed from the rules;
//! - [`clocks`]: cycle counts of the pattern player;
//! - [`verilog`] and [`emit`]: Verilog output;
//! - [`design`] and [`model`]: the interface to the simulators;
//! - [`units`]: blocks with narrow ports for simulation.

mod block;
pub mod chooser;
pub mod clocks;
pub mod controller;
pub mod decoder;
pub mod design;
pub mod emit;
pub mod encoder;
pub mod generator;
pub mod judge;
pub mod line;
pub mod maps;
pub mod memory;
pub mod model;
mod parameters;
pub mod player;
pub mod reply_timer;
pub mod scan;
pub mod scorer;
pub mod search;
pub mod state;
pub mod store;
pub mod tables;
pub mod uart_rx;
pub mod uart_tx;
pub mod units;
pub mod verilog;
pub mod window;
