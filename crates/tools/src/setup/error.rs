//! Errors of an installation.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::run::ToolError;

/// Error of an installation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No Python that the pinned packages support.
    #[error(
        "no Python 3.10 or later on PATH: install it by your package manager, for example `sudo \
         apt-get install python3-venv`"
    )]
    NoPython,
    /// Python can neither create a virtual environment with pip nor use its own pip.
    #[error("Python has no pip: install it, for example `sudo apt-get install python3-venv`")]
    NoPip {
        /// Failure of the virtual environment.
        source: ToolError,
    },
    /// pip could not install a package.
    #[error("{package} could not be installed: {}", .source.first_line())]
    Package {
        /// Name of the package.
        package: &'static str,
        /// Failure of pip.
        source: ToolError,
    },
    /// The system has no `apt-get`.
    #[error("{packages}: no apt-get to fetch from")]
    NoApt {
        /// Names of the packages.
        packages: String,
    },
    /// `apt-get` or `dpkg` failed.
    #[error("{packages} could not be fetched: {}", .source.first_line())]
    Apt {
        /// Names of the packages.
        packages: String,
        /// Failure of the program.
        source: ToolError,
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
