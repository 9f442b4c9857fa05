//! Links over a serial device, or over the slave side of a pseudo-terminal.

use std::fs::OpenOptions;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_protocol::BAUD_RATE;
use serialport::{ClearBuffer, DataBits, ErrorKind, FlowControl, Parity, SerialPort, StopBits};

use crate::link::{SEND_LIMIT, remaining};
use crate::{Link, LinkError, Received, Sent};

/// Time to wait for the lock of a device. A process that this one starts inherits the lock of an open
/// device until it executes its program, so that a device may be locked a little longer than it is
/// open.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// Serial device at 115200 baud, 8N1, without flow control.
///
/// The device is locked while it is open, so that a second opener gets [`LinkError::Busy`]. The
/// lock is advisory and complements the terminal's exclusive mode, which does not stop the
/// superuser. On a pseudo-terminal, bytes that were not received before the master closed are lost.
pub struct SerialLink {
    port: Box<dyn SerialPort>,
    path: String,
    /// Maximum number of bytes per write.
    piece: usize,
}

impl SerialLink {
    /// Opens a device and discards the contents of its buffers.
    ///
    /// # Errors
    /// [`LinkError::NotFound`], [`LinkError::NoPermission`], [`LinkError::Busy`]; [`LinkError::Io`]
    /// if the device is not a terminal or refuses the settings.
    pub fn open(path: &str) -> Result<Self, LinkError> {
        Self::open_at(path, BAUD_RATE)
    }

    /// As [`open`](Self::open), at another baud rate, for devices outside the contest.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_at(path: &str, baud: u32) -> Result<Self, LinkError> {
        let deadline = Instant::now() + LOCK_WAIT;
        loop {
            match Self::open_once(path, baud) {
                Err(LinkError::Busy { .. }) if Instant::now() < deadline => {
                    thread::sleep(LOCK_WAIT / 20);
                }
                opened => return opened,
            }
        }
    }

    fn open_once(path: &str, baud: u32) -> Result<Self, LinkError> {
        let name = format!("serial:{path}");
        let port = serialport::new(path, baud)
            .data_bits(DataBits::Eight)
            .parity(Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .timeout(SEND_LIMIT)
            .open()
            .map_err(|error| open_error(path, &name, error))?;
        port.clear(ClearBuffer::All)
            .map_err(|error| open_error(path, &name, error))?;
        Ok(Self {
            port,
            path: path.to_owned(),
            piece: piece(path),
        })
    }

    /// Path by which the device was opened.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    fn error(&self, error: io::Error) -> LinkError {
        match error.kind() {
            // `serialport` loses the error number of a failed read, write or drain. On an open
            // terminal that was set up, these fail only once the device has disappeared.
            io::ErrorKind::Other => LinkError::Closed,
            _ => LinkError::in_use(&self.describe(), error),
        }
    }

    fn set_timeout(&mut self, timeout: Duration) -> Result<(), LinkError> {
        self.port
            .set_timeout(timeout)
            .map_err(|error| self.error(error.into()))
    }
}

/// Number of bytes that one write to the device can take without the danger of blocking.
///
/// `serialport` waits with a time limit for buffer space, but its write then blocks until all bytes
/// fit. A serial device with any space has space for a whole code, as its output cannot be stopped.
/// A pseudo-terminal whose peer does not read may have space for only one byte.
fn piece(path: &str) -> usize {
    let device = std::fs::canonicalize(path);
    if device.is_ok_and(|device| device.starts_with("/dev/pts")) {
        1
    } else {
        usize::MAX
    }
}

/// Classifies an error of opening a device. `serialport` loses most error numbers, and on Unix it
/// has one kind for a device in use and for one that has gone: a plain open distinguishes them.
fn open_error(path: &str, name: &str, error: serialport::Error) -> LinkError {
    let in_use = || LinkError::Busy {
        name: name.to_owned(),
    };
    match (error.kind(), opened(path)) {
        (ErrorKind::NoDevice | ErrorKind::Unknown, Err(source)) => LinkError::on_open(name, source),
        // The device is there and locked.
        (ErrorKind::NoDevice, Ok(())) if cfg!(unix) => in_use(),
        _ => LinkError::on_open(name, error.into()),
    }
}

/// Opens a device and closes it again, without a lock and without settings.
fn opened(path: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use nix::fcntl::OFlag;
        options.custom_flags((OFlag::O_NOCTTY | OFlag::O_NONBLOCK).bits());
    }
    options.open(path).map(drop)
}

impl Link for SerialLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let deadline = Instant::now() + SEND_LIMIT;
        for piece in bytes.chunks(self.piece) {
            self.set_timeout(remaining(deadline))?;
            self.port
                .write_all(piece)
                .map_err(|error| self.error(error))?;
        }
        self.port.flush().map_err(|error| self.error(error))?;
        Ok(Sent::now())
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        loop {
            self.set_timeout(remaining(deadline))?;
            match self.port.read(buf) {
                // A terminal in raw mode returns no bytes only after a hang-up.
                Ok(0) => return Err(LinkError::Closed),
                Ok(len) => return Ok(Received::now(&buf[..len])),
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::PtyLink;

    #[test]
    fn the_line_is_set_to_115200_8n1_without_flow_control() {
        let pty = PtyLink::open().unwrap();
        let link = SerialLink::open(pty.path().to_str().unwrap()).unwrap();
        // These getters query the device, not the requested values.
        assert_eq!(link.port.baud_rate().unwrap(), 115_200);
        assert_eq!(link.port.data_bits().unwrap(), DataBits::Eight);
        assert_eq!(link.port.parity().unwrap(), Parity::None);
        assert_eq!(link.port.stop_bits().unwrap(), StopBits::One);
        assert_eq!(link.port.flow_control().unwrap(), FlowControl::None);
    }
}
