//! Errors of links, and their mapping from the operating system's errors.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// Error of a link. The messages name the link and, where possible, a remedy.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// No bytes arrived, or none could be sent, within the limit.
    #[error("nothing came within the time limit")]
    Timeout,
    /// The peer has disconnected: it was unplugged, its program ended or the connection was closed.
    #[error("the other end of the line has gone")]
    Closed,
    /// The program at the far end has ended, or closed its standard input or output.
    #[error("the program {}{}", end(.status), last_lines(.tail))]
    Ended {
        /// Exit status or signal; `None` if the program kept running without the closed pipe and
        /// was killed.
        status: Option<ExitStatus>,
        /// Last lines that the program wrote to its standard error.
        tail: String,
    },
    /// Another program uses the device, the port or the path.
    #[error("{name} is in use by another program")]
    Busy {
        /// Name of the device, address or path.
        name: String,
    },
    /// The user lacks the permission to open the device.
    #[error("no permission to open {name}{}", permission_hint(.name))]
    NoPermission {
        /// Name of the device, address or path.
        name: String,
    },
    /// A file at the path of a new link is not a symbolic link, and stays as it is.
    #[error("{name} exists and is not a symbolic link")]
    Exists {
        /// Name of the link with its path.
        name: String,
    },
    /// The name matches more than one device.
    #[error("{name} fits more than one device: {}", .devices.join(", "))]
    Ambiguous {
        /// Ambiguous name.
        name: String,
        /// Matching devices.
        devices: Vec<String>,
    },
    /// The device does not exist, or no program listens at the address.
    #[error("{name} was not found, or nothing answers there")]
    NotFound {
        /// Name of the device or address.
        name: String,
    },
    /// Any other error of the operating system.
    #[error("{name}: {source}")]
    Io {
        /// Name of the device or address.
        name: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The player at the far end resigned.
    #[error("the player resigned")]
    Resigned,
    /// The player at the far end failed and plays no further; the text is the cause.
    #[error("{0}")]
    Stopped(String),
    /// The program at the far end keeps its own time, and exceeded it.
    #[error("no answer within {} s", .limit.as_secs_f64())]
    OutOfTime {
        /// Time of the late answer; `None` without an answer.
        after: Option<Duration>,
        /// Time limit.
        limit: Duration,
    },
    /// The program at the far end answered with a text that is not the code of a move.
    #[error("'{reply}': {reason}")]
    NoCode {
        /// The text.
        reply: String,
        /// Fault of the text.
        reason: String,
    },
    /// A component of this process at the far end failed, such as a simulator, or an observer
    /// stopped the wait for a device. No player is at fault.
    #[error("{name}: {source}")]
    Inside {
        /// Name of the link.
        name: String,
        /// Error of the component.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<Infallible> for LinkError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl LinkError {
    /// True if the peer has disconnected or its program has ended.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Closed | Self::Ended { .. })
    }

    /// Classifies an error of an open link.
    pub(crate) fn in_use(name: &str, source: io::Error) -> Self {
        use io::ErrorKind as Kind;
        match source.kind() {
            Kind::TimedOut | Kind::WouldBlock => Self::Timeout,
            Kind::BrokenPipe
            | Kind::UnexpectedEof
            | Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::NotConnected => Self::Closed,
            _ if is_gone(&source) => Self::Closed,
            _ => Self::Io {
                name: name.to_owned(),
                source,
            },
        }
    }

    /// Classifies an error of opening a link.
    pub(crate) fn on_open(name: &str, source: io::Error) -> Self {
        use io::ErrorKind as Kind;
        let name = name.to_owned();
        match source.kind() {
            Kind::NotFound
            | Kind::ConnectionRefused
            | Kind::HostUnreachable
            | Kind::NetworkUnreachable => Self::NotFound { name },
            Kind::PermissionDenied => Self::NoPermission { name },
            Kind::ResourceBusy | Kind::AddrInUse => Self::Busy { name },
            Kind::AlreadyExists => Self::Exists { name },
            Kind::TimedOut | Kind::WouldBlock => Self::Timeout,
            // ENXIO and ENODEV: the device file exists, the device does not.
            _ if is_gone(&source) => Self::NotFound { name },
            _ => Self::Io { name, source },
        }
    }
}

/// Returns the usual cause of a missing permission, for names of serial devices.
fn permission_hint(name: &str) -> &'static str {
    match name.split_once(':') {
        Some(("tcp" | "tcp-listen" | "exec" | "pty", _)) => "",
        _ => "; serial devices usually belong to the group dialout or uucp",
    }
}

/// Formats the end of a program: `ended with exit status 1`, `ended with signal 9 (SIGKILL)`.
fn end(status: &Option<ExitStatus>) -> String {
    match status {
        // The standard library prints `exit status: 1`.
        Some(status) => format!("ended with {}", status.to_string().replacen(": ", " ", 1)),
        None => "closed its standard input or output, and was killed".to_owned(),
    }
}

/// Formats the last lines of standard error, if there are any.
fn last_lines(tail: &str) -> String {
    match tail {
        "" => String::new(),
        tail => format!("; its last lines on standard error:\n{tail}"),
    }
}

/// True if an error means that the device of a file has disappeared. These errors have no stable
/// `ErrorKind`: EIO (terminal hung up), ENXIO and ENODEV (adapter unplugged).
#[cfg(unix)]
fn is_gone(error: &io::Error) -> bool {
    use nix::errno::Errno;
    error.raw_os_error().is_some_and(|code| {
        matches!(
            Errno::from_raw(code),
            Errno::EIO | Errno::ENXIO | Errno::ENODEV
        )
    })
}

#[cfg(not(unix))]
fn is_gone(_error: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_on_opening_are_told_apart() {
        let on_open = |kind: io::ErrorKind| LinkError::on_open("/dev/x", kind.into());
        use io::ErrorKind as Kind;
        assert!(
            matches!(on_open(Kind::NotFound), LinkError::NotFound { name } if name == "/dev/x")
        );
        assert!(matches!(
            on_open(Kind::ConnectionRefused),
            LinkError::NotFound { .. }
        ));
        assert!(matches!(
            on_open(Kind::PermissionDenied),
            LinkError::NoPermission { .. }
        ));
        assert!(matches!(
            on_open(Kind::ResourceBusy),
            LinkError::Busy { .. }
        ));
        assert!(matches!(on_open(Kind::AddrInUse), LinkError::Busy { .. }));
        assert!(matches!(
            on_open(Kind::AlreadyExists),
            LinkError::Exists { .. }
        ));
        assert!(matches!(on_open(Kind::TimedOut), LinkError::Timeout));
        assert!(matches!(on_open(Kind::InvalidInput), LinkError::Io { .. }));
    }

    #[test]
    fn only_serial_devices_have_groups() {
        let text = |name: &str| {
            let denied = io::ErrorKind::PermissionDenied.into();
            LinkError::on_open(name, denied).to_string()
        };
        for name in ["serial:/dev/ttyUSB0", "/dev/ttyUSB0"] {
            let hint = "serial devices usually belong to the group dialout or uucp";
            assert_eq!(text(name), format!("no permission to open {name}; {hint}"));
        }
        for name in ["tcp:host:1", "tcp-listen:host:1", "exec:./bot", "pty:/x"] {
            assert_eq!(text(name), format!("no permission to open {name}"));
        }
    }

    #[test]
    fn a_vanished_peer_is_closed_whatever_the_system_calls_it() {
        use io::ErrorKind as Kind;
        for kind in [Kind::BrokenPipe, Kind::UnexpectedEof, Kind::ConnectionReset] {
            assert!(matches!(
                LinkError::in_use("x", kind.into()),
                LinkError::Closed
            ));
        }
        assert!(matches!(
            LinkError::in_use("x", Kind::WouldBlock.into()),
            LinkError::Timeout
        ));
        assert!(matches!(
            LinkError::in_use("x", Kind::InvalidInput.into()),
            LinkError::Io { .. }
        ));
    }

    #[cfg(unix)]
    #[test]
    fn the_end_of_a_program_has_its_status_and_its_last_lines() {
        use std::os::unix::process::ExitStatusExt;
        let ended = |status, tail: &str| LinkError::Ended {
            status,
            tail: tail.to_owned(),
        };
        let exited = |code: i32| Some(ExitStatus::from_raw(code << 8));
        for (error, text) in [
            (ended(exited(0), ""), "the program ended with exit status 0"),
            (
                ended(exited(1), "in main\nValueError: 3: 4"),
                "the program ended with exit status 1; its last lines on standard error:\n\
                 in main\nValueError: 3: 4",
            ),
            (
                ended(Some(ExitStatus::from_raw(9)), ""),
                "the program ended with signal 9 (SIGKILL)",
            ),
            (
                ended(None, "bye"),
                "the program closed its standard input or output, and was killed; its last lines \
                 on standard error:\nbye",
            ),
        ] {
            assert_eq!(error.to_string(), text);
            assert!(error.is_gone());
        }
        assert!(LinkError::Closed.is_gone() && !LinkError::Timeout.is_gone());
    }

    #[cfg(unix)]
    #[test]
    fn error_numbers_without_a_kind_are_known() {
        use nix::errno::Errno;
        for errno in [Errno::EIO, Errno::ENXIO, Errno::ENODEV] {
            assert!(matches!(
                LinkError::in_use("x", errno.into()),
                LinkError::Closed
            ));
            assert!(matches!(
                LinkError::on_open("x", errno.into()),
                LinkError::NotFound { .. }
            ));
        }
        assert!(matches!(
            LinkError::on_open("x", Errno::EBUSY.into()),
            LinkError::Busy { .. }
        ));
    }
}
