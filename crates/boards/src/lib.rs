//! Boards as data: building bitstreams for them, loading these, projects for the vendors' tools.
//!
//! [`catalogue`] knows the boards, [`board`] says what one is, [`configuration`] what is on it, [`build`] makes its bitstream or
//! [`project`] leaves that to a vendor's tool, [`flash`] loads it, [`report`] compares all of them, with the
//! measured [`speed`] of searches.

pub mod board;
pub mod build;
pub mod catalogue;
pub mod configuration;
pub mod flash;
pub mod pll;
pub mod project;
pub mod report;
pub mod speed;

pub use board::Board;
pub use catalogue::BoardError;
