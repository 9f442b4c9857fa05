//! The board: a Blokus Duo player in rust-hdl.
pub mod decoder;
pub mod design;
pub mod encoder;
pub mod generator;
pub mod judge;
pub mod line;
pub mod maps;
pub mod model;
pub mod player;
pub mod scan;
pub mod scorer;
pub mod store;
pub mod tables;
pub mod uart_rx;
pub mod uart_tx;
pub mod verilog;
pub mod window;
