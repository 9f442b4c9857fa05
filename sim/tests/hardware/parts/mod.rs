//! Every part of the board by itself, held against its twin in every simulator.

mod contest;
mod controller;
mod core;
mod decoder;
mod encoder;
mod expander;
mod field;
mod generator;
mod ground;
mod judge;
mod line;
mod maps;
mod memory;
mod naive;
mod picker;
mod prior_scorer;
mod ranking;
mod reply_timer;
mod scan;
mod scheduler;
mod scorer;
mod store;
mod tree;
mod uart_rx;
mod uart_tx;
mod window;
