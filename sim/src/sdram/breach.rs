//! Breaches of an SDRAM's data sheet.

use thiserror::Error;

/// Breach of a rule of the data sheet. Times are in picoseconds.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Breach {
    /// A command came too early after another one.
    #[error("{name}: {elapsed} ps of {time} ps have passed")]
    Time {
        /// Name of the time in the data sheet.
        name: &'static str,
        /// Time that has passed.
        elapsed: u64,
        /// Time that the data sheet requires.
        time: u64,
    },
    /// The power-up sequence was not followed.
    #[error("power-up: {0}")]
    PowerUp(&'static str),
    /// The last refresh was too long ago.
    #[error("no refresh for {0} ps")]
    NoRefresh(u64),
    /// A row was open for too long.
    #[error("a row was open for {0} ps")]
    OpenTooLong(u64),
    /// The command needs a closed row.
    #[error("a row is open")]
    OpenRow,
    /// The command needs an open row.
    #[error("no row is open")]
    ClosedRow,
    /// Chip and design drive the data pins in one cycle, or the design one cycle after the chip.
    #[error("chip and design drive the data pins")]
    Contention,
    /// The design does not drive the data pins with a write.
    #[error("a write without data")]
    NoData,
    /// The chip can do this, and the model cannot.
    #[error("not modelled: {0}")]
    NotModelled(&'static str),
}
