//! A serial line to a simulated design, bit by bit: 8 data bits, no parity, one stop bit.
//!
//! [`LineWave`] describes what the design receives, [`UartDecoder`] reads what it sends, and
//! [`UartDriver`] puts both on the ports of a [`Simulator`](crate::Simulator). Time is measured in
//! clocks of the design; a bit may take any number of them, whole or not.

mod decoder;
mod driver;
mod line;

pub use decoder::{Received, UartDecoder};
pub use driver::UartDriver;
pub use line::LineWave;
