//! Targets: the FPGA boards that duoforge builds for, as data, and the tool flow around them.
//!
//! - [`catalogue`]: the list of targets; [`board`], [`configuration`] and [`toolchain`] describe
//!   one of them;
//! - [`build`]: bitstreams by open tools;
//! - [`project`]: projects for the vendors' tools;
//! - [`flash`]: loads a bitstream onto an FPGA board;
//! - [`report`]: comparison of all targets, with the measured [`speed`] of the search players.

pub mod board;
pub mod build;
pub mod catalogue;
pub mod configuration;
pub mod flash;
pub mod pll;
pub mod project;
pub mod report;
pub mod speed;
pub mod toolchain;

pub use board::Board;
pub use catalogue::BoardError;
