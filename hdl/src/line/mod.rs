//! Serial line: the UART, the parser of host codes, and the conversion between codes and
//! placements.
//!
//! A byte from the host passes [`uart_rx`], [`parser`] and [`decoder`]. A reply passes [`encoder`]
//! and [`uart_tx`].

pub mod decoder;
pub mod encoder;
pub mod parser;
pub mod uart_rx;
pub mod uart_tx;
