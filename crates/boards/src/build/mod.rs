//! From the design to a bitstream: Verilog, synthesis, place and route, packing.
//!
//! Everything of a build lies in one folder: the sources, the tools' logs, and at the end the
//! bitstream and `build.json`, which says what it is. The two get their names only when all is done
//! and the clocks are reached, so that nothing else looks like them.

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

use duoforge_hdl::emit::WriteError;
use duoforge_tools::ToolError;
use thiserror::Error;

pub use record::Record;
pub use run::{Design, Options, build, build_design};
pub use stages::Stage;

use crate::board::Board;

/// The folder of a board's build where none is named, below the current one.
pub fn folder(board: &Board) -> PathBuf {
    PathBuf::from("build").join(board.label())
}

/// Why there is no result of a build.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The board's bitstream is made by a vendor's tools.
    #[error("duoforge has no tools that make a bitstream for {board}: it needs {tools}")]
    NotOpen {
        /// The board.
        board: String,
        /// The vendor's tools.
        tools: &'static str,
    },
    /// The Verilog could not be emitted.
    #[error(transparent)]
    Verilog(#[from] WriteError),
    /// A file of the build could not be read or written.
    #[error("{} cannot be {action}: {source}", .path.display())]
    File {
        /// Read or written.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The observer did not want to go on.
    #[error("the build was interrupted")]
    Interrupted,
    /// Another build works in the folder.
    #[error("another build is at work in {}", .0.display())]
    Busy(PathBuf),
    /// A tool is missing or did not start.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A tool ended with a failure.
    #[error("{stage} failed: {tool} ended with {status}\n{end}")]
    Stage {
        /// What it was to do.
        stage: Stage,
        /// Its name.
        tool: &'static str,
        /// How it ended.
        status: std::process::ExitStatus,
        /// What it printed.
        log: PathBuf,
        /// The end of that.
        end: String,
    },
    /// What a tool wrote is not what is expected of it.
    #[error("{}: {reason}", .path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Hears how a build comes along.
pub trait Observer {
    /// A stage begins.
    fn begin(&mut self, stage: Stage);
    /// It is still at work; the last line that its tool printed. Returns whether to go on.
    fn tick(&mut self, line: &str) -> bool;
    /// It ended well.
    fn end(&mut self, stage: Stage, time: std::time::Duration);
}

/// Hears nothing.
impl Observer for () {
    fn begin(&mut self, _stage: Stage) {}
    fn tick(&mut self, _line: &str) -> bool {
        true
    }
    fn end(&mut self, _stage: Stage, _time: std::time::Duration) {}
}
