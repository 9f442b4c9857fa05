//! Serial line of a simulated design, bit by bit: 8 data bits, no parity, one stop bit.
//!
//! [`LineWave`] describes the level that the design receives, [`UartDecoder`] reads the bytes that
//! it sends, and [`UartDriver`] connects both to the ports of a [`Simulator`](crate::Simulator).
//! Time is measured in cycles of the design; a bit may take any number of cycles, integer or not.

mod decoder;
mod driver;
mod line_wave;

pub use decoder::{Received, UartDecoder};
pub use driver::UartDriver;
pub use line_wave::{LineWave, Recorded};
