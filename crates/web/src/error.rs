//! Errors of starting the service.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Reason why the service cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Other machines could reach the address, and there are no tokens.
    #[error("{0} can be reached from other machines, and no tokens are given")]
    Open(SocketAddr),
    /// The file of tokens cannot be used.
    #[error("{}: {reason}", .path.display())]
    Tokens {
        /// Path of the file.
        path: PathBuf,
        /// Fault of the file.
        reason: String,
    },
    /// A directory or journal cannot be used.
    #[error("{} cannot be {action}: {source}", .path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Failed action, as in "cannot be read".
        action: &'static str,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The system's limit of open files is too low for the streams.
    #[error("{needed} open files are needed, and the system permits {permitted}")]
    Descriptors {
        /// Number of files.
        needed: u64,
        /// Hard limit.
        permitted: u64,
    },
    /// Threads or timers of the operating system are not available.
    #[error("the service cannot start: {0}")]
    Runtime(#[source] io::Error),
}
