//! The board: a Blokus Duo player in rust-hdl, emitted as Verilog.
//!
//! A hardware module has a file of its own and a twin that says in plain Rust what it computes;
//! [`player`] is the whole. Besides the modules there are their [`tables`], computed from the rules,
//! the [`clocks`] that a request takes, the way to Verilog ([`verilog`], [`emit`]), what simulators
//! need to know ([`design`], [`model`]), and parts wrapped for tests ([`units`]).

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
