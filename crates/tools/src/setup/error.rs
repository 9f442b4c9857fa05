//! Errors of an installation.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::python::OLDEST;
use crate::run::ToolError;

/// Error of an installation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No Python that the pinned packages support.
    #[error("no Python {OLDEST} or later on PATH: {advice}")]
    NoPython {
        /// Next action, without a full stop.
        advice: String,
    },
    /// Python could not create a virtual environment, though not for lack of pip.
    #[error("no virtual environment could be created: {}", .source.cause())]
    Environment {
        /// Failure of Python.
        source: Box<ToolError>,
    },
    /// Python can neither create a virtual environment with pip nor use its own pip for one.
    #[error(
        "no pip for the virtual environment ({}): pip 22.3 or later or Python's ensurepip is \
         needed: {advice}",
        .source.first_sentence()
    )]
    NoPip {
        /// Next action, without a full stop.
        advice: String,
        /// Failure of the virtual environment with pip.
        source: Box<ToolError>,
    },
    /// pip could not install a package.
    #[error("{package} could not be installed: {}", .source.cause())]
    Package {
        /// Name of the package.
        package: &'static str,
        /// Failure of pip.
        source: Box<ToolError>,
    },
    /// The system has no `apt-get`.
    #[error("{packages}: no apt-get to fetch from")]
    NoApt {
        /// Names of the packages.
        packages: String,
    },
    /// `apt-get` or `dpkg` failed.
    #[error("{packages} could not be fetched: {}", .source.cause())]
    Apt {
        /// Names of the packages.
        packages: String,
        /// Failure of the program.
        source: Box<ToolError>,
    },
    /// `apt-get download` failed, and so did the update of the package lists.
    #[error(
        "{packages} could not be fetched: {}; the update of the package lists failed too: {}: run \
         `sudo apt-get update`, then this command",
        .source.cause(), .update.cause()
    )]
    AptUpdate {
        /// Names of the packages.
        packages: String,
        /// Failure of the download.
        source: Box<ToolError>,
        /// Failure of the update.
        update: Box<ToolError>,
    },
    /// `apt-get` succeeded without all packages.
    #[error("{packages}: apt-get left {count} packages")]
    Incomplete {
        /// Names of the packages.
        packages: String,
        /// Number of packages.
        count: usize,
    },
    /// File error.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// Failed action, a participle such as `writing`.
        action: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The launchers are shell scripts.
    #[error("programs can be installed on Unix only")]
    NotUnix,
}

/// Returns a function that adds action and path to an error.
pub(super) fn io(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(io::Error) -> SetupError {
    let path = path.into();
    move |source| SetupError::Io {
        action,
        path,
        source,
    }
}
