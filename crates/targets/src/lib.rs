//! Targets: the FPGA boards that duoforge builds for, as data, and the tool flow around them.
//!
//! - [`catalogue`]: the list of targets; [`target`], [`configuration`] and [`toolchain`] describe
//!   one of them;
//! - [`build`]: bitstreams by open tools;
//! - [`project`]: projects for the vendors' tools;
//! - [`flash`]: loads a bitstream onto an FPGA board;
//! - [`report`]: comparison of all targets, with the measured [`speed`] of the search players.

pub mod build;
pub mod catalogue;
pub mod configuration;
pub mod flash;
mod generated;
pub mod pll;
pub mod project;
pub mod report;
pub mod speed;
pub mod target;
pub mod toolchain;

pub use catalogue::TargetError;
pub use target::Target;
