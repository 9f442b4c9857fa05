//! Interface of all simulators.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_hdl::design::Port;

use crate::backend::Backend;
use crate::error::Result;
use crate::port::{ListId, PortId};

/// Options for building and running a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// True if [`Simulator::wave_start`] will be called. A Verilator model that can write waveforms
    /// is a different, slower program; the other simulators ignore this option.
    pub wave: bool,
    /// Directory of built models. `None` is `$DUOFORGE_CACHE`, else `duoforge-sim` in Cargo's
    /// target directory, else `duoforge-sim` in the user's cache directory. A relative path begins
    /// in the current directory.
    pub cache: Option<PathBuf>,
    /// Longest time without a sign of life before a simulator counts as hung. Elapsed cycles are
    /// signs of life, so this does not limit the duration of a call.
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

/// Change of a watched port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// First cycle whose rising edge samples the value.
    pub clock: u64,
    /// Port that changed.
    pub port: PortId,
    /// New value.
    pub value: u64,
}

/// Values of the ports of a sample list in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sample {
    /// Cycle whose rising edge samples the values.
    pub clock: u64,
    /// Sample list.
    pub list: ListId,
    /// Values in the order of the list.
    pub values: Vec<u64>,
}

/// Result of [`Simulator::run_until`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Run {
    /// Elapsed cycles.
    pub cycles: u64,
    /// True if the port has the value; false if the cycles ran out first.
    pub reached: bool,
}

/// Design under simulation. All simulators give the same results for the same calls.
///
/// # Time
///
/// Cycles are counted from 0; [`cycles`](Self::cycles) have elapsed, and all inputs are 0
/// initially. In a cycle, combinational logic is evaluated, **all watched and sampled ports are
/// read**, and the clock rises and falls. A report for cycle `c` therefore holds the values that
/// the registers sample at rising edge number `c`, including values poked before that edge.
/// [`run_until`](Self::run_until) and [`peek`](Self::peek) read at the same instant: they return
/// what the *next* edge will sample.
///
/// # Order and cost
///
/// [`poke`](Self::poke), [`step`](Self::step), [`watch`](Self::watch) and [`sample`](Self::sample)
/// only queue a command (a fraction of a microsecond). The other calls wait for the model to catch
/// up (tens of microseconds for a model in a separate process). Read several ports at once with
/// [`peek_all`](Self::peek_all). An error of a queued command is returned by the call that detects
/// it. Discard the simulator after an error, unless the error is a caller's mistake in a single
/// call, such as an unknown port.
pub trait Simulator: Send + fmt::Debug {
    /// Returns the back end of this simulator.
    fn backend(&self) -> Backend;

    /// Returns the handle of a port other than the clock.
    ///
    /// # Errors
    /// [`NoSuchPort`](crate::SimError::NoSuchPort).
    fn port(&self, name: &str) -> Result<PortId>;

    /// Returns the ports other than the clock, in the order of their handles.
    fn ports(&self) -> Vec<Port>;

    /// Drives an input until the next call for it.
    ///
    /// # Errors
    /// [`NotAnInput`](crate::SimError::NotAnInput), [`TooWide`](crate::SimError::TooWide), and
    /// [`Died`](crate::SimError::Died).
    fn poke(&mut self, port: PortId, value: u64) -> Result<()>;

    /// Runs a number of cycles.
    ///
    /// # Errors
    /// [`Died`](crate::SimError::Died).
    fn step(&mut self, cycles: u64) -> Result<()>;

    /// Returns the present values of some ports, inputs or outputs.
    ///
    /// # Errors
    /// [`Unknown`](crate::SimError::Unknown) and errors of the model:
    /// [`Died`](crate::SimError::Died), [`Hung`](crate::SimError::Hung),
    /// [`Garbled`](crate::SimError::Garbled).
    fn peek_all(&mut self, ports: &[PortId]) -> Result<Vec<u64>>;

    /// Returns the present value of a port.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn peek(&mut self, port: PortId) -> Result<u64> {
        Ok(self.peek_all(&[port])?[0])
    }

    /// Runs until the port has the value, for at most `max` cycles. No cycles elapse if the port
    /// already has the value.
    ///
    /// # Errors
    /// Errors of the model, as [`peek_all`](Self::peek_all).
    fn run_until(&mut self, port: PortId, value: u64, max: u64) -> Result<Run>;

    /// Reports the changes of a port as [`Event`]s. The next cycle reports the initial value.
    /// Events of one cycle are in the order of the design's ports.
    ///
    /// # Errors
    /// [`Died`](crate::SimError::Died).
    fn watch(&mut self, port: PortId) -> Result<()>;

    /// Reports the values of `ports` in every cycle in which the one-bit port `valid` is 1. Samples
    /// of one cycle are in the order of the lists.
    ///
    /// # Errors
    /// [`BadSampleList`](crate::SimError::BadSampleList) if `valid` is wider than one bit or there
    /// are too many ports or lists, and [`Died`](crate::SimError::Died).
    fn sample(&mut self, valid: PortId, ports: &[PortId]) -> Result<ListId>;

    /// Takes the events since the last call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn events(&mut self) -> Result<Vec<Event>>;

    /// Takes the events of one port and keeps the events of others for a later call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn events_of(&mut self, port: PortId) -> Result<Vec<Event>>;

    /// Takes the samples since the last call.
    ///
    /// # Errors
    /// As [`peek_all`](Self::peek_all).
    fn samples(&mut self) -> Result<Vec<Sample>>;

    /// Returns the cycles since the start, including queued ones.
    fn cycles(&self) -> u64;

    /// Starts to write a waveform in VCD. Rising edge `c` is at `10 c + 5` ns. A simulator writes
    /// at most one waveform. The Rust back end records the ports only.
    ///
    /// # Errors
    /// [`NoWave`](crate::SimError::NoWave) from a Verilator model built without waveforms,
    /// [`SecondWave`](crate::SimError::SecondWave), [`Io`](crate::SimError::Io) if the file cannot
    /// be written, and errors of the model.
    fn wave_start(&mut self, file: &Path) -> Result<()>;

    /// Completes the waveform. Does nothing if there is none.
    ///
    /// # Errors
    /// [`Io`](crate::SimError::Io) and errors of the model.
    fn wave_stop(&mut self) -> Result<()>;
}
