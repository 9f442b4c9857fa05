//! Devices in software, as state machines over bytes.

use crate::code::Frame;

/// Device in software: takes bytes of the host and returns bytes of the device.
pub trait ByteDevice: Send {
    /// Reason why the device cannot continue. The protocol has no code for such a failure.
    type Error;

    /// Takes a byte from the host and returns the bytes that the device sends in response.
    ///
    /// # Errors
    /// [`Error`](Self::Error) if the device cannot continue.
    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, Self::Error>;

    /// Signals the inter-byte timeout ([`crate::INTER_BYTE_TIMEOUT`]): drops a partial code.
    fn on_silence(&mut self);
}
