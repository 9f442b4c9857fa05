//! Build flow from design to bitstream: Verilog, synthesis, place and route, packing.
//!
//! A build has its own directory: the sources, the tools' logs and, at the end, the bitstream and
//! `build.json`, the record of the build. The bitstream gets its final name only after all stages
//! succeeded and all clocks are achieved, so no other file can be mistaken for it. If a clock is
//! not achieved, the record names no bitstream.

pub mod constraints;
mod folder;
pub mod id;
pub mod nextpnr;
pub mod path;
pub mod record;
pub mod run;
pub mod stages;

use std::io;
use std::path::PathBuf;

use duoforge_hdl::verilog::emit::WriteError;
use duoforge_tools::ToolError;
use thiserror::Error;

pub use record::Record;
pub use run::{Design, Options, build, build_design};
pub use stages::Stage;

use crate::board::Board;

/// Returns the default build directory of a target, relative to the current directory.
pub fn folder(board: &Board) -> PathBuf {
    PathBuf::from("build").join(board.label())
}

/// Error of a build.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A vendor's tools make the target's bitstream.
    #[error("duoforge has no tools that make a bitstream for {board}: it needs {tools}")]
    NotOpen {
        /// Name of the target.
        board: String,
        /// Name of the vendor's tools.
        tools: &'static str,
    },
    /// The Verilog cannot be emitted.
    #[error(transparent)]
    Verilog(#[from] WriteError),
    /// A file of the build cannot be read or written.
    #[error("{} cannot be {action}: {source}", .path.display())]
    File {
        /// Action that failed, as a participle, such as `read`.
        action: &'static str,
        /// Path of the file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The observer stopped the build.
    #[error("the build was interrupted")]
    Interrupted,
    /// Another build is running in the directory.
    #[error("another build is at work in {}", .0.display())]
    Busy(PathBuf),
    /// A tool is missing or cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A tool failed.
    #[error("{stage} failed: {tool} ended with {status}\n{end}")]
    Stage {
        /// Stage that failed.
        stage: Stage,
        /// Name of the tool.
        tool: &'static str,
        /// Exit status of the tool.
        status: std::process::ExitStatus,
        /// Path of the tool's log.
        log: PathBuf,
        /// Excerpt from the end of the log.
        end: String,
    },
    /// The output of a tool is not as expected.
    #[error("{}: {reason}", .path.display())]
    Report {
        /// Path of the file.
        path: PathBuf,
        /// Fault of the file.
        reason: String,
    },
}

/// Observer of a build's progress.
pub trait Observer {
    /// Reports the start of a stage.
    fn begin(&mut self, stage: Stage);
    /// Reports progress with the last line that the tool printed. Returns false to stop the build.
    fn tick(&mut self, line: &str) -> bool;
    /// Reports the successful end of a stage.
    fn end(&mut self, stage: Stage, time: std::time::Duration);
}

/// Observer that ignores all events.
impl Observer for () {
    fn begin(&mut self, _stage: Stage) {}
    fn tick(&mut self, _line: &str) -> bool {
        true
    }
    fn end(&mut self, _stage: Stage, _time: std::time::Duration) {}
}
