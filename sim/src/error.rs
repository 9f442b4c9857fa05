//! Everything that can go wrong between a test and its simulator.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use duoforge_tools::ToolError;
use thiserror::Error;

use crate::simulator::Backend;

/// Why a simulator could not be built, started or driven.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// A program that builds models is missing or ended with a failure.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The operating system refused something.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// What was tried, as a verb with its preposition.
        action: &'static str,
        /// The file, folder or program.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The simulator's process ended or closed its pipes.
    #[error("the {backend} model died ({status}): {output}")]
    Died {
        /// Which simulator.
        backend: Backend,
        /// The exit status in words.
        status: String,
        /// The end of what it printed, answers left out.
        output: String,
    },
    /// The simulator's process was silent for longer than [`Options::patience`](crate::Options).
    #[error("the {backend} model did not answer within {} s", .patience.as_secs_f64())]
    Hung {
        /// Which simulator.
        backend: Backend,
        /// How long it was waited for.
        patience: Duration,
    },
    /// The simulator's process answered something that is not in the protocol.
    #[error("the {backend} model answered {line:?}")]
    Garbled {
        /// Which simulator.
        backend: Backend,
        /// The line.
        line: String,
    },
    /// The description of the design contradicts itself.
    #[error("design {top}: {reason}")]
    BadDesign {
        /// Name of the top module.
        top: String,
        /// The contradiction.
        reason: String,
    },
    /// The design has no port of that name, or only the clock has it.
    #[error("the design has no port {name:?}")]
    NoSuchPort {
        /// The name that was asked for.
        name: String,
    },
    /// An output cannot be driven.
    #[error("port {name:?} is an output and cannot be driven")]
    NotAnInput {
        /// The port.
        name: String,
    },
    /// A value is wider than its port.
    #[error("value {value:#x} does not fit the {width} bits of port {name:?}")]
    TooWide {
        /// The port.
        name: String,
        /// Its width in bits.
        width: u32,
        /// The value.
        value: u64,
    },
    /// A sample list cannot be set up.
    #[error("sample list: {reason}")]
    BadSampleList {
        /// Which rule it breaks.
        reason: String,
    },
    /// A port that was looked at carries unknown bits. Only Icarus knows of these: a register
    /// was not initialised, or an input of the design was left open.
    #[error("port {name:?} has unknown bits {bits:?} before clock {clock}")]
    Unknown {
        /// The port.
        name: String,
        /// Its digits in hexadecimal, with `x` and `z`.
        bits: String,
        /// The clock before which it was looked at.
        clock: u64,
    },
    /// The model was built without waveforms.
    #[error("the model was built without waveforms: set `Options::wave`")]
    NoWave,
    /// A simulator writes at most one waveform in its life.
    #[error("this simulator has already written a waveform")]
    SecondWave,
}

impl SimError {
    /// An [`SimError::Io`], for use in `map_err`.
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

/// A result whose error is a [`SimError`].
pub type Result<T, E = SimError> = std::result::Result<T, E>;
