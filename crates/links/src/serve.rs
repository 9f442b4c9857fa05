//! Server for devices of this process. Any host that can use a physical device can use them.

use std::time::{Duration, Instant};

use duoforge_protocol::{ByteDevice, HostCodeParser, INTER_BYTE_TIMEOUT};

use crate::{Link, LinkError};

/// Interval at which the server checks whether to continue.
const POLL: Duration = Duration::from_millis(50);

/// Device that can be served: takes bytes of the host and returns bytes of the device.
pub trait Served: Send {
    /// Takes bytes of the host and returns all bytes that the device replies.
    ///
    /// # Errors
    /// [`LinkError::Inside`] if the device failed, such as its simulator.
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, LinkError>;

    /// Signals silence of more than [`INTER_BYTE_TIMEOUT`].
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn on_silence(&mut self) -> Result<(), LinkError>;
}

impl<B: ByteDevice> Served for B {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, LinkError> {
        let mut answer = Vec::new();
        for &byte in bytes {
            // Only a person resigns, and a resignation sends no reply.
            if let Ok(Some(frame)) = self.receive(byte) {
                answer.extend_from_slice(&frame);
            }
        }
        Ok(answer)
    }

    fn on_silence(&mut self) -> Result<(), LinkError> {
        ByteDevice::on_silence(self);
        Ok(())
    }
}

/// Reason why the server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The host has disconnected.
    HostGone,
    /// The caller requested the stop.
    Asked,
}

/// Serves a device to the host at the far end of a link until the host disconnects or `go_on`
/// returns false.
///
/// A simulated device does not advance in time while the host is silent, except for the inter-byte
/// timeout after a partial code.
///
/// # Errors
/// [`LinkError::Inside`] if the device failed, otherwise an error of the link to the host.
pub fn serve(
    host: &mut dyn Link,
    board: &mut dyn Served,
    mut go_on: impl FnMut() -> bool,
) -> Result<Stop, LinkError> {
    let mut parser = HostCodeParser::new();
    let mut last = Instant::now();
    let mut buf = [0; 256];
    while go_on() {
        match host.recv(&mut buf, Instant::now() + POLL) {
            Ok(received) => {
                last = received.at;
                for &byte in received.bytes {
                    parser.feed(byte);
                }
                let answer = board.exchange(received.bytes)?;
                match host.send(&answer) {
                    // A host that does not read loses the reply, as on a serial line.
                    Ok(_) | Err(LinkError::Timeout) => {}
                    Err(error) if error.is_gone() => return Ok(Stop::HostGone),
                    Err(error) => return Err(error),
                }
            }
            Err(LinkError::Timeout) if !parser.is_idle() && last.elapsed() > INTER_BYTE_TIMEOUT => {
                parser.on_silence();
                board.on_silence()?;
            }
            Err(LinkError::Timeout) => {}
            Err(error) if error.is_gone() => return Ok(Stop::HostGone),
            Err(error) => return Err(error),
        }
    }
    Ok(Stop::Asked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::greeter::Greeter;

    #[test]
    fn a_device_of_bytes_is_served_its_bytes_and_its_silence() {
        let mut greeter = Greeter::new();
        assert_eq!(greeter.exchange(b"").unwrap(), b"");
        assert_eq!(greeter.exchange(b"0").unwrap(), b"1TW");
        assert_eq!(greeter.exchange(b"900").unwrap(), b"1TW1TW");
        assert_eq!(greeter.exchange(b"3A53").unwrap(), b"");
        Served::on_silence(&mut greeter).unwrap();
        assert_eq!(greeter.exchange(b"0").unwrap(), b"1TW");
    }
}
