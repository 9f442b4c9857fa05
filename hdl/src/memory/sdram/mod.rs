//! External memory: an SDRAM of 16 bits, accessed by whole lines.
//!
//! A line is half a row: up to 256 words of 16 bits, of which a controller uses the first `words`.
//! A chip of 32 MB has 65,536 lines, so a line number has 16 bits, see [`LineNumber`].
//!
//! - [`timing`]: times of the chips in cycles of the clock;
//! - [`controller`]: power-up sequence, refresh, and lines;
//! - [`self_test`]: test of the chip and its pins after power-up.

use crate::word::word;

pub mod controller;
pub mod self_test;
pub mod timing;

word! {
    /// Number of a line.
    pub LineNumber {
        /// Half of the row: the highest bit of the column.
        HALF: 1,
        /// Row in its bank.
        ROW: 13,
        /// Bank.
        BANK: 2,
    }
}

word! {
    /// Address pins of the chip with a command that reads or writes a word.
    pub ColumnPins {
        /// Number of the word in its line.
        WORD: 8,
        /// Half of the row.
        HALF: 1,
        /// High only in chips with more than 512 columns; always low here.
        UNUSED: 1,
        /// With a precharge: high for all banks. With a read or write: low, the row stays open.
        ALL: 1,
        /// Not used by these commands.
        HIGHER: 2,
    } with {
        /// Address of a precharge of all banks.
        ALL_BANKS = crate::word::bit(Self::ALL),
        /// Address that sets the mode register: bursts of one word, CAS latency of two cycles.
        MODE = 0x020,
    }
}

word! {
    /// Command to the chip: its command pins, inverted. 0 is the absence of a command.
    pub Command {
        /// Pin `we_n`, inverted.
        WRITE: 1,
        /// Pin `cas_n`, inverted.
        COLUMN: 1,
        /// Pin `ras_n`, inverted.
        ROW: 1,
        /// Pin `cs_n`, inverted.
        SELECT: 1,
    } with {
        /// Opens a row.
        OPEN_ROW = 0b1100,
        /// Reads a word of the open row.
        READ_WORD = 0b1010,
        /// Writes a word of the open row.
        WRITE_WORD = 0b1011,
        /// Precharges: closes open rows.
        CLOSE_ROW = 0b1101,
        /// Refreshes the row that the chip's own counter selects.
        REFRESH = 0b1110,
        /// Sets the mode register to the address pins.
        SET_MODE = 0b1111,
    }
}

/// Bits of a line's number.
pub const LINE: usize = LineNumber::BITS;

/// Bits of a word.
pub const WORD: usize = 16;

/// Bits of the number of a word in its line.
pub const INDEX: usize = 8;
