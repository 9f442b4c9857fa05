//! Links over a serial device, or over the slave side of a pseudo-terminal.

use std::io;
use std::time::Instant;

use serialport::{ClearBuffer, DataBits, ErrorKind, FlowControl, Parity, SerialPort, StopBits};

use super::{Link, LinkError, Received, SEND_LIMIT, Sent, remaining};
use crate::BAUD_RATE;

/// A serial device at 115200 baud, 8N1, without flow control.
///
/// The device is locked while it is open (an advisory lock beside the terminal's exclusive
/// mode, which the superuser would not notice), so that a second opener gets
/// [`LinkError::Busy`].
pub struct SerialLink {
    port: Box<dyn SerialPort>,
    path: String,
}

impl SerialLink {
    /// Opens a device and throws away what lies in its buffers.
    ///
    /// # Errors
    /// [`LinkError::NotFound`], [`LinkError::NoPermission`], [`LinkError::Busy`],
    /// [`LinkError::Io`] if the device is no terminal or refuses the settings.
    pub fn open(path: &str) -> Result<Self, LinkError> {
        let name = format!("serial:{path}");
        let port = serialport::new(path, BAUD_RATE)
            .data_bits(DataBits::Eight)
            .parity(Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .timeout(SEND_LIMIT)
            .open()
            .map_err(|error| open_error(name.clone(), error))?;
        port.clear(ClearBuffer::All)
            .map_err(|error| open_error(name, error))?;
        Ok(Self {
            port,
            path: path.to_owned(),
        })
    }

    /// The path by which the device was opened.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    fn error(&self, error: io::Error) -> LinkError {
        match error.kind() {
            // `serialport` loses the error number of a failed read, write or drain. On a
            // terminal that was opened and set up these fail only once the device has gone.
            io::ErrorKind::Other => LinkError::Closed,
            _ => LinkError::in_use(&self.describe(), error),
        }
    }

    fn set_timeout(&mut self, timeout: std::time::Duration) -> Result<(), LinkError> {
        self.port
            .set_timeout(timeout)
            .map_err(|error| self.error(error.into()))
    }
}

fn open_error(name: String, error: serialport::Error) -> LinkError {
    match error.kind() {
        // On Unix this stands for the failed lock; a missing file is an I/O error there.
        ErrorKind::NoDevice if cfg!(unix) => LinkError::Busy { name },
        ErrorKind::NoDevice => LinkError::NotFound { name },
        _ => LinkError::on_open(&name, error.into()),
    }
}

impl Link for SerialLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.set_timeout(SEND_LIMIT)?;
        self.port
            .write_all(bytes)
            .and_then(|()| self.port.flush())
            .map_err(|error| self.error(error))?;
        Ok(Sent {
            at: Instant::now(),
            simulated: None,
        })
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        loop {
            self.set_timeout(remaining(deadline))?;
            match self.port.read(buf) {
                // A terminal in raw mode returns nothing only when it was hung up.
                Ok(0) => return Err(LinkError::Closed),
                Ok(len) => {
                    let at = Instant::now();
                    return Ok(Received {
                        bytes: &buf[..len],
                        at,
                        simulated: None,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => match self.error(error) {
                    LinkError::Timeout if !remaining(deadline).is_zero() => {}
                    error => return Err(error),
                },
            }
        }
    }

    fn describe(&self) -> String {
        format!("serial:{}", self.path)
    }
}

impl std::fmt::Debug for SerialLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SerialLink")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
