//! Device of the unit tests: it replies to `0` and to no other code.

use std::convert::Infallible;

use duoforge_protocol::{ByteDevice, DeviceSession, Frame, TeamCode};

/// Device with the team code `TW`.
pub struct Greeter(DeviceSession);

impl Greeter {
    pub fn new() -> Self {
        Self(DeviceSession::new(TeamCode::new(*b"TW").unwrap()))
    }
}

impl ByteDevice for Greeter {
    type Error = Infallible;

    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, Infallible> {
        Ok(self.0.feed(byte).send)
    }

    fn on_silence(&mut self) {
        self.0.on_silence();
    }
}
