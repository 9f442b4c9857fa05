//! Errors of a run.

use std::error::Error;

use duoforge_referee::RefereeError;

/// Error that ends a run. A fault of the device is in the report instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConformError {
    /// The device cannot be opened for the first time.
    #[error(transparent)]
    Open(Box<dyn Error + Send + Sync>),
    /// A component of this process at the far end of the link failed, such as a simulator.
    #[error("{name}: {source}")]
    Inside {
        /// Name of the link.
        name: String,
        /// Error of the component.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The two rules checkers disagree about a move.
    #[error(transparent)]
    Referee(#[from] RefereeError),
}
