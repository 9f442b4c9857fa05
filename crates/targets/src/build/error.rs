//! Errors of a build.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use duoforge_hdl::verilog::emit::WriteError;
use duoforge_tools::ToolError;
use thiserror::Error;

use super::stages::Stage;

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
    /// A file that was not generated has the name of one to be written.
    #[error("{} is not a generated file, and would be overwritten", .0.display())]
    Foreign(PathBuf),
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
        status: ExitStatus,
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
