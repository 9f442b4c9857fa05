//! The interface that all simulators share.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::error::Result;
use crate::port::PortId;

/// The ways to simulate a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Verilog compiled to a native program. Fast to run, seconds to build.
    Verilator,
    /// Verilog interpreted. Slow to run, quick to build, knows unknown bits.
    Icarus,
    /// The design stepped in this process, without any Verilog.
    Rust,
}

impl Backend {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Verilator, Self::Icarus, Self::Rust];

    /// The name that [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verilator => "verilator",
            Self::Icarus => "icarus",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownBackend> {
        let named = Self::ALL.into_iter().find(|backend| backend.name() == text);
        named.ok_or_else(|| UnknownBackend(text.to_owned()))
    }
}

/// A text that names no simulator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no simulator: it is one of verilator, icarus, rust")]
pub struct UnknownBackend(String);

/// How to build and run a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether [`Simulator::wave_start`] will be called. A Verilator model that can write
    /// waveforms is another, slower program; the other simulators do not care.
    pub wave: bool,
    /// The folder of built models. `None` is `$DUOFORGE_CACHE`, else `duoforge-sim` in cargo's
    /// target folder, else in the user's cache folder.
    pub cache: Option<PathBuf>,
    /// How long a simulator may go without a sign of life before it counts as hung. Clocks that go
    /// by are signs of life, so this does not limit how long a call may take.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            wave: false,
            cache: None,
            patience: Duration::from_secs(120),
        }
    }
}

/// A watched port has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// The first clock whose rising edge sees the value.
    pub clock: u64,
    /// The port.
    pub port: PortId,
    /// Its new value.
    pub value: u64,
}

/// Handle of a sample list, in the order in which the lists were set up, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(pub(crate) u32);

impl ListId {
    /// The position among the lists of its simulator.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The ports of a sample list at one clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The clock whose rising edge sees the values.
    pub clock: u64,
    /// The list.
    pub list: ListId,
    /// The values in the order of the list.
    pub values: Vec<u64>,
}

/// What [`Simulator::run_until`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Run {
    /// Clocks that went by.
    pub clocks: u64,
    /// Whether the port has the value now. `false`: the clocks ran out first.
    pub reached: bool,
}

/// Most sample lists that a simulator takes.
pub const MAX_SAMPLE_LISTS: usize = 64;

/// Most ports in one sample list.
pub const MAX_SAMPLE_PORTS: usize = 128;

/// A design under simulation. All simulators give the same answers to the same calls.
///
/// # Time
///
/// Clocks are counted from 0; [`clocks`](Self::clocks) have gone by, and all inputs were 0 at
/// first. A clock is: combinational logic settles, **everything watched or sampled is looked at**,
/// then the clock rises and falls. So what is reported for clock `c` is what the registers see at
/// the rising edge number `c`, and a value poked before it counts. The same instant decides
/// [`run_until`](Self::run_until) and [`peek`](Self::peek): they see what the *next* edge will see.
///
/// # Order and cost
///
/// [`poke`](Self::poke), [`step`](Self::step), [`watch`](Self::watch) and
/// [`sample`](Self::sample) only queue a command (a fraction of a microsecond). The others wait for
/// the model to catch up (tens of microseconds where the model is a process of its own), so ask for
/// several ports at once by [`peek_all`](Self::peek_all). An error of a queued command is returned
/// by whichever call finds it. After an error that is not the caller's mistake in a single call (no
/// such port and the like) the simulator is not worth keeping.
pub trait Simulator: Send + fmt::Debug {
    /// Which simulator this is.
    fn backend(&self) -> Backend;

    /// The handle of a port other than the clock.
    ///
    /// # Errors
    /// [`NoSuchPort`](crate::SimError::NoSuchPort).
    fn port(&self, name: &str) -> Result<PortId>;

    /// Drives an input from now on.
    ///
    /// # Errors
    /// [`NotAnInput`](crate::SimError::NotAnInput), [`TooWide`](crate::SimError::TooWide), and
    /// [`Died`](crate::SimError::Died).
    fn poke(&mut self, port: PortId, value: u64) -> Result<()>;

    /// Lets a number of clocks go by.
    ///
    /// # Errors
    /// [`Died`](crate::SimError::Died).
    fn step(&mut self, clocks: u64) -> Result<()>;

    /// The present values of some ports, inputs or outputs.
    ///
    /// # Errors
    /// [`Unknown`](crate::SimError::Unknown) and those of a model that failed:
    /// [`Died`](crate::SimError::Died), [`Hung`](crate::SimError::Hung),
    /// [`Garbled`](crate::SimError::Garbled).
    fn peek_all(&mut self, ports: &[PortId]) -> Result<Vec<u64>>;

    /// The present value of a port.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn peek(&mut self, port: PortId) -> Result<u64> {
        Ok(self.peek_all(&[port])?[0])
    }

    /// Lets clocks go by until the port has the value, at most `max`. None go by if it has it
    /// already.
    ///
    /// # Errors
    /// Those of a model that failed, as [`peek_all`](Self::peek_all).
    fn run_until(&mut self, port: PortId, value: u64, max: u64) -> Result<Run>;

    /// Reports the changes of a port as [`Event`]s. The next clock reports the value it starts
    /// from. Events of one clock come in the order of the design's ports.
    ///
    /// # Errors
    /// [`Died`](crate::SimError::Died).
    fn watch(&mut self, port: PortId) -> Result<()>;

    /// Reports the values of `ports` at every clock at which the one-bit port `valid` is 1.
    /// Samples of one clock come in the order of the lists.
    ///
    /// # Errors
    /// [`BadSampleList`](crate::SimError::BadSampleList) when `valid` is wider than one bit or there
    /// are too many ports or lists, and [`Died`](crate::SimError::Died).
    fn sample(&mut self, valid: PortId, ports: &[PortId]) -> Result<ListId>;

    /// Takes the events since the last call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn events(&mut self) -> Result<Vec<Event>>;

    /// Takes the events of one port and keeps those of others for a later call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn events_of(&mut self, port: PortId) -> Result<Vec<Event>>;

    /// Takes the samples since the last call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn samples(&mut self) -> Result<Vec<Sample>>;

    /// Clocks since the start, those queued included.
    fn clocks(&self) -> u64;

    /// Starts to write a waveform in VCD. Rising edge `c` lies at `10 c + 5` ns. A simulator
    /// writes at most one waveform. The Rust back end records the ports only.
    ///
    /// # Errors
    /// [`NoWave`](crate::SimError::NoWave) from a Verilator model built without,
    /// [`SecondWave`](crate::SimError::SecondWave), [`Io`](crate::SimError::Io) when the file cannot
    /// be written, and those of a model that failed.
    fn wave_start(&mut self, file: &Path) -> Result<()>;

    /// Completes the waveform. Does nothing when there is none.
    ///
    /// # Errors
    /// [`Io`](crate::SimError::Io) and those of a model that failed.
    fn wave_stop(&mut self) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_are_named() {
        for backend in Backend::ALL {
            assert_eq!(backend.to_string().parse(), Ok(backend));
        }
        let error = "ghdl".parse::<Backend>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"ghdl\" is no simulator: it is one of verilator, icarus, rust"
        );
    }
}
