//! Build flow from design to bitstream: Verilog, synthesis, place and route, packing.
//!
//! A build has its own directory: the sources, the tools' logs and, at the end, the bitstream and
//! `build.json`, the record of the build. The bitstream gets its final name only after all stages
//! succeeded, every clock achieves its required frequency and the pins of an SDRAM are within their
//! limits, so no other file can be mistaken for it. Otherwise the record names no bitstream.

pub mod constraints;
mod directory;
mod error;
pub mod id;
pub mod nextpnr;
mod observer;
pub mod path;
pub mod pin_times;
pub mod record;
mod rounding;
pub mod run;
pub mod stages;

use std::path::PathBuf;

pub use error::BuildError;
pub use observer::Observer;
pub use record::Record;
pub use run::{Design, Options, build, build_design, build_id};
pub use stages::Stage;

use crate::target::Target;

/// Returns the default build directory of a target, relative to the current directory.
pub fn directory(board: &Target) -> PathBuf {
    PathBuf::from("build").join(board.label())
}
