//! Boards as data: building bitstreams for them, loading these, projects for the vendors' tools.
//!
//! [`catalogue`] knows the boards, [`board`] says what one is, [`flash`] loads a bitstream.

pub mod board;
pub mod build;
pub mod catalogue;
pub mod flash;
pub mod pll;

pub use board::Board;
pub use catalogue::BoardError;
