//! Names of links on a command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

use duoforge_protocol::BAUD_RATE;

use crate::ports::{UsbId, ports};
use crate::{Link, LinkError, SerialLink, TcpAcceptor, TcpLink};

/// Name of a link that can be opened.
///
/// | text | meaning |
/// |---|---|
/// | `serial:PATH`, a bare path `/...`, `./...` or `../...`, `COM3` | serial device or slave of a pseudo-terminal |
/// | `usb:SERIAL`, `usb:VVVV:PPPP`, `usb:VVVV:PPPP:SERIAL` | serial device with this USB id |
/// | `tcp:HOST:PORT` | TCP connection to a listener |
/// | `tcp-listen:HOST:PORT` | listener for one TCP connection |
/// | `tcp-listen:PORT` | the same, for connections from this machine |
/// | `pty` | new pseudo-terminal |
/// | `pty:PATH` | new pseudo-terminal with a symbolic link to it |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LinkSpec {
    /// Serial device, or slave of a pseudo-terminal, by path.
    Serial(String),
    /// Serial device by its USB id.
    Usb(UsbId),
    /// TCP connection to `host:port`.
    Tcp(String),
    /// Listener at `host:port` for one TCP connection.
    TcpListen(String),
    /// New pseudo-terminal, with a symbolic link to it if a path is given.
    Pty(Option<PathBuf>),
}

/// Error of a text that is not the name of a link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkSpecError {
    /// The text has no known prefix.
    #[error(
        "'{0}' names no link: use serial:PATH, /dev/..., ./PATH, usb:SERIAL, tcp:HOST:PORT, \
         tcp-listen:[HOST:]PORT, pty or pty:PATH"
    )]
    Unknown(String),
    /// The path is empty.
    #[error("'{0}' lacks a path")]
    NoPath(String),
    /// The text after `usb:` is not a USB id.
    #[error("'{0}' lacks a USB id: a serial number, or VVVV:PPPP in hexadecimal digits, or both")]
    BadUsb(String),
    /// The address is not `HOST:PORT`.
    #[error("'{0}' lacks an address HOST:PORT with a port between 0 and 65535")]
    BadAddress(String),
}

impl LinkSpec {
    /// Opens the link. A TCP connection is awaited until the deadline, the peer of a
    /// pseudo-terminal is not.
    ///
    /// # Errors
    /// As [`SerialLink::open`], [`TcpLink::connect`], [`TcpAcceptor::bind`] and
    /// [`accept`](TcpAcceptor::accept), `PtyLink::open_at`. [`LinkError::NotFound`] on systems
    /// without pseudo-terminals.
    pub fn open(&self, deadline: Instant) -> Result<Box<dyn Link>, LinkError> {
        tracing::debug!("opening {self}");
        Ok(match self {
            Self::Serial(_) | Self::Usb(_) => Box::new(self.open_serial(BAUD_RATE)?),
            Self::Tcp(address) => Box::new(TcpLink::connect(address, deadline)?),
            Self::TcpListen(address) => Box::new(TcpAcceptor::bind(address)?.accept(deadline)?),
            #[cfg(unix)]
            Self::Pty(None) => Box::new(crate::PtyLink::open()?),
            #[cfg(unix)]
            Self::Pty(Some(path)) => Box::new(crate::PtyLink::open_at(path)?),
            #[cfg(not(unix))]
            Self::Pty(_) => {
                return Err(LinkError::NotFound {
                    name: self.to_string(),
                });
            }
        })
    }

    /// Path of the serial device; `None` if the link is of another kind.
    ///
    /// # Errors
    /// As [`UsbId::find_in`].
    pub fn path(&self) -> Result<Option<String>, LinkError> {
        match self {
            Self::Serial(path) => Ok(Some(path.clone())),
            Self::Usb(id) => id.find_in(&ports()?).map(Some),
            _ => Ok(None),
        }
    }

    /// Opens a serial device at a given baud rate.
    ///
    /// # Errors
    /// As [`SerialLink::open`]; [`LinkError::NotFound`] if the link is not a serial device.
    pub fn open_serial(&self, baud: u32) -> Result<SerialLink, LinkError> {
        tracing::debug!("opening {self} at {baud} baud");
        match self.path()? {
            Some(path) => SerialLink::open_at(&path, baud),
            None => Err(LinkError::NotFound {
                name: format!("a serial device called {self}"),
            }),
        }
    }
}

impl FromStr for LinkSpec {
    type Err = LinkSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = |path: &str| {
            if path.is_empty() {
                Err(LinkSpecError::NoPath(text.to_owned()))
            } else {
                Ok(path.to_owned())
            }
        };
        if let Some(rest) = text.strip_prefix("serial:") {
            path(rest).map(Self::Serial)
        } else if let Some(rest) = text.strip_prefix("usb:") {
            UsbId::parse(rest)
                .map(Self::Usb)
                .ok_or_else(|| LinkSpecError::BadUsb(text.to_owned()))
        } else if let Some(rest) = text.strip_prefix("tcp:") {
            address(rest)
                .map(Self::Tcp)
                .ok_or_else(|| LinkSpecError::BadAddress(text.to_owned()))
        } else if let Some(rest) = text.strip_prefix("tcp-listen:") {
            let local = rest.parse::<u16>().map(|port| format!("127.0.0.1:{port}"));
            local
                .ok()
                .or_else(|| address(rest))
                .map(Self::TcpListen)
                .ok_or_else(|| LinkSpecError::BadAddress(text.to_owned()))
        } else if let Some(rest) = text.strip_prefix("pty:") {
            path(rest).map(|path| Self::Pty(Some(path.into())))
        } else if text == "pty" {
            Ok(Self::Pty(None))
        } else if is_path(text) || is_com_port(text) {
            Ok(Self::Serial(text.to_owned()))
        } else {
            Err(LinkSpecError::Unknown(text.to_owned()))
        }
    }
}

/// Returns the text if it is `HOST:PORT`.
fn address(text: &str) -> Option<String> {
    let (host, port) = text.rsplit_once(':')?;
    let valid = !host.is_empty() && port.parse::<u16>().is_ok();
    valid.then(|| text.to_owned())
}

/// True if a text is a path without a prefix: only a path begins like this.
fn is_path(text: &str) -> bool {
    ["/", "./", "../"]
        .iter()
        .any(|begin| text.starts_with(begin))
}

/// True if a text is a device name of Windows, such as `COM3`.
fn is_com_port(text: &str) -> bool {
    text.strip_prefix("COM")
        .is_some_and(|number| number.parse::<u16>().is_ok())
}

impl fmt::Display for LinkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(path) => write!(f, "serial:{path}"),
            Self::Usb(id) => write!(f, "usb:{id}"),
            Self::Tcp(address) => write!(f, "tcp:{address}"),
            Self::TcpListen(address) => write!(f, "tcp-listen:{address}"),
            Self::Pty(None) => f.write_str("pty"),
            Self::Pty(Some(path)) => write!(f, "pty:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_parsed_and_printed() {
        let cases = [
            (
                "serial:/dev/ttyUSB0",
                LinkSpec::Serial("/dev/ttyUSB0".into()),
                None,
            ),
            (
                "/dev/ttyUSB0",
                LinkSpec::Serial("/dev/ttyUSB0".into()),
                Some("serial:/dev/ttyUSB0"),
            ),
            ("COM3", LinkSpec::Serial("COM3".into()), Some("serial:COM3")),
            (
                "./board",
                LinkSpec::Serial("./board".into()),
                Some("serial:./board"),
            ),
            (
                "../board",
                LinkSpec::Serial("../board".into()),
                Some("serial:../board"),
            ),
            (
                "tcp:localhost:10000",
                LinkSpec::Tcp("localhost:10000".into()),
                None,
            ),
            ("tcp:[::1]:10000", LinkSpec::Tcp("[::1]:10000".into()), None),
            (
                "tcp-listen:0.0.0.0:10001",
                LinkSpec::TcpListen("0.0.0.0:10001".into()),
                None,
            ),
            (
                "tcp-listen:10001",
                LinkSpec::TcpListen("127.0.0.1:10001".into()),
                Some("tcp-listen:127.0.0.1:10001"),
            ),
            (
                "usb:0403:6010:210",
                LinkSpec::Usb(UsbId::parse("0403:6010:210").unwrap()),
                None,
            ),
            ("pty", LinkSpec::Pty(None), None),
            (
                "pty:/tmp/board-1",
                LinkSpec::Pty(Some("/tmp/board-1".into())),
                None,
            ),
        ];
        for (text, spec, printed) in cases {
            assert_eq!(text.parse::<LinkSpec>().as_ref(), Ok(&spec), "{text}");
            assert_eq!(spec.to_string(), printed.unwrap_or(text));
            assert_eq!(spec.to_string().parse::<LinkSpec>(), Ok(spec));
        }
    }

    #[test]
    fn broken_forms_have_typed_errors() {
        for text in [
            "",
            "ttyUSB0",
            "dir/ttyUSB0",
            ".tty",
            "..",
            "usb1",
            "COM",
            "COMx",
            "Serial:/dev/x",
        ] {
            assert_eq!(
                text.parse::<LinkSpec>(),
                Err(LinkSpecError::Unknown(text.into()))
            );
        }
        let usb = "usb:0403:6010:";
        assert_eq!(
            usb.parse::<LinkSpec>(),
            Err(LinkSpecError::BadUsb(usb.into()))
        );
        for text in ["serial:", "pty:"] {
            assert_eq!(
                text.parse::<LinkSpec>(),
                Err(LinkSpecError::NoPath(text.into()))
            );
        }
        for text in [
            "tcp:",
            "tcp:host",
            "tcp::1",
            "tcp:host:65536",
            "tcp:host:x",
            "tcp-listen:x",
        ] {
            assert_eq!(
                text.parse::<LinkSpec>(),
                Err(LinkSpecError::BadAddress(text.into()))
            );
        }
    }
}
