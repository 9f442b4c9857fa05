//! Hardware player: a Blokus Duo player in rust-hdl, emitted as Verilog.
//!
//! Each hardware module has its own file. It has a twin, a bit-exact reference model in plain Rust, or
//! belongs to a group of modules that has one. The pattern player's top block is in
//! [`pattern::player`], the search player's in [`search::player`].
//!
//! Modules of both players:
//!
//! - [`line`](mod@line): UART, parser, decoder and encoder;
//! - [`controller`]: protocol FSM with its reply timer;
//! - [`generator`]: board and move generator;
//! - [`memory`]: block RAM with its contents;
//! - [`parameters`] and [`chooser`]: configuration;
//! - [`tables`]: ROM contents, computed from the rules;
//! - [`word`](mod@word): vectors with named fields.
//!
//! Modules of one player:
//!
//! - [`pattern`]: scan, scorer and cycle counts of the pattern player;
//! - [`search`]: the search engine.
//!
//! Output and simulation:
//!
//! - [`verilog`]: Verilog output;
//! - [`design`] and [`model`]: the interface to the simulators;
//! - [`harness`]: blocks with narrow ports for simulation.
//!
//! The tests of the blocks are in the package `duoforge-tests`: `tests/tests/hardware/parts/mod.rs`
//! lists the bench of each block. Those of the Verilog of whole players are in `hdl/tests`.

mod block;
pub mod chooser;
pub mod controller;
pub mod design;
pub mod generator;
pub mod harness;
pub mod line;
pub mod memory;
pub mod model;
pub mod parameters;
pub mod pattern;
pub mod search;
pub mod tables;
pub mod verilog;
pub mod word;
