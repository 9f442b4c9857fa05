//! Errors of building, starting and driving simulators.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use duoforge_tools::ToolError;
use thiserror::Error;

use crate::backend::Backend;

/// Error of building, starting or driving a simulator.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// A program that builds models is missing, too old or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// An operation of the operating system failed.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// Action that failed, as a verb with its preposition.
        action: &'static str,
        /// File, directory or program.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The simulator's process exited or closed its pipes.
    #[error("the {backend} model died ({status}): {output}")]
    Died {
        /// Simulator.
        backend: Backend,
        /// Exit status in words.
        status: String,
        /// End of the process's output, without answers.
        output: String,
    },
    /// The simulator's process was silent for longer than [`Options::patience`](crate::Options).
    #[error("the {backend} model did not answer within {} s", .patience.as_secs_f64())]
    Hung {
        /// Simulator.
        backend: Backend,
        /// Time limit that was exceeded.
        patience: Duration,
    },
    /// The simulator's process sent an answer that is not part of the protocol.
    #[error("the {backend} model answered {line:?}")]
    Garbled {
        /// Simulator.
        backend: Backend,
        /// Invalid line.
        line: String,
    },
    /// The description of the design is inconsistent.
    #[error("design {top}: {reason}")]
    BadDesign {
        /// Name of the top module.
        top: String,
        /// Inconsistency.
        reason: String,
    },
    /// The design has no port of that name other than the clock.
    #[error("the design has no port {name:?}")]
    NoSuchPort {
        /// Requested name.
        name: String,
    },
    /// An output cannot be driven.
    #[error("port {name:?} is an output and cannot be driven")]
    NotAnInput {
        /// Name of the port.
        name: String,
    },
    /// A value is wider than its port.
    #[error("value {value:#x} does not fit the {width} bits of port {name:?}")]
    TooWide {
        /// Name of the port.
        name: String,
        /// Width of the port in bits.
        width: u32,
        /// Value.
        value: u64,
    },
    /// A sample list cannot be set up.
    #[error("sample list: {reason}")]
    BadSampleList {
        /// Rule that the list breaks.
        reason: String,
    },
    /// A port that was read carries unknown bits. Only Icarus detects them: a register was not
    /// initialised, or an input of the design was left open.
    #[error("port {name:?} has unknown bits {bits:?} before clock {clock}")]
    Unknown {
        /// Name of the port.
        name: String,
        /// Digits of the port in hexadecimal, with `x` and `z`.
        bits: String,
        /// Cycle before which the port was read.
        clock: u64,
    },
    /// The hardware search reports a placement that is not on the board.
    #[error("the hardware reports placement {value:#x}, which is not on the board")]
    NoPlacement {
        /// Value of the port.
        value: u64,
    },
    /// The hardware search did not end a request.
    #[error("the search is not idle after {cycles} cycles")]
    NotIdle {
        /// Number of cycles in which it had to end.
        cycles: u64,
    },
    /// The model was built without waveforms.
    #[error("the model was built without waveforms: set `Options::wave`")]
    NoWave,
    /// A simulator writes at most one waveform in its lifetime.
    #[error("this simulator has already written a waveform")]
    SecondWave,
}

impl SimError {
    /// Returns a function for `map_err` that creates a [`SimError::Io`].
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

/// Result whose error is a [`SimError`].
pub type Result<T, E = SimError> = std::result::Result<T, E>;
