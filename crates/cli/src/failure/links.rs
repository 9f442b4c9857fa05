//! Failures of links and handshakes.

use duoforge_links::LinkError;
use duoforge_referee::HandshakeError;

use super::{Failure, inside};

/// Kind of the link that an error names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Serial,
    Tcp,
    TcpListen,
    Exec,
    Pty,
}

impl Kind {
    /// Returns the kind of a link by the prefix of its name.
    fn of(name: &str) -> Self {
        match name.split_once(':').map(|(prefix, _)| prefix) {
            Some("tcp") => Self::Tcp,
            Some("tcp-listen") => Self::TcpListen,
            Some("exec") => Self::Exec,
            Some("pty") => Self::Pty,
            _ => Self::Serial,
        }
    }
}

/// Message of an error. Where the link is not a serial device, the message does not speak of one.
fn message(error: &LinkError) -> String {
    match error {
        LinkError::NotFound { name } => match Kind::of(name) {
            Kind::Tcp => format!("{name}: no program listens there, or the host is unknown"),
            Kind::TcpListen => format!("{name}: this machine does not have the address"),
            Kind::Exec => format!("{name}: there is no such program"),
            Kind::Pty => format!("{name}: the directory does not exist"),
            Kind::Serial => error.to_string(),
        },
        _ => error.to_string(),
    }
}

/// Next action after an error.
fn help(error: &LinkError) -> &'static str {
    match error {
        LinkError::Timeout => "check that the device is powered and runs",
        LinkError::Closed => "check the cable of the device, or why its program ended",
        LinkError::Ended { .. } => {
            "run the program in a terminal and type a code, such as 0, to see why it ends"
        }
        LinkError::Resigned
        | LinkError::Stopped(_)
        | LinkError::OutOfTime { .. }
        | LinkError::NoCode { .. } => "start the player's program by hand to see why it ends",
        LinkError::Inside { .. } => "see the cause in the message",
        LinkError::Exists { .. } => "choose another path: only a symbolic link is replaced",
        LinkError::Busy { name } => match Kind::of(name) {
            Kind::Tcp | Kind::TcpListen => {
                "choose another port, or stop the program that uses it; port 0 selects a free one"
            }
            Kind::Serial | Kind::Exec | Kind::Pty => {
                "close the other program; `fuser PATH` names it"
            }
        },
        LinkError::NoPermission { name } => match Kind::of(name) {
            Kind::Exec => "make the file executable, as in `chmod +x PROGRAM`",
            Kind::Pty => "choose a directory in which you may create files",
            Kind::Tcp | Kind::TcpListen => "choose a port above 1023, or check the firewall",
            Kind::Serial => {
                "join the group of the device, as in `sudo usermod -aG dialout $USER`, and log in \
                 again; `duoforge doctor` names the group"
            }
        },
        LinkError::Ambiguous { .. } => {
            "name the device by its serial number, usb:VVVV:PPPP:SERIAL, or by its path"
        }
        LinkError::NotFound { name } => match Kind::of(name) {
            Kind::Tcp => "start the program that listens there, or correct HOST:PORT",
            Kind::TcpListen => "listen at an address of this machine, such as 127.0.0.1:PORT",
            Kind::Exec => {
                "correct the path of the program; exec: takes a command line, as in \
                 \"exec:./bot --fast\""
            }
            Kind::Pty => "create the directory, or choose another path",
            Kind::Serial => "`duoforge ports` lists the serial devices of this machine",
        },
        LinkError::Io { name, .. } => match Kind::of(name) {
            Kind::Tcp | Kind::TcpListen => {
                "an address is HOST:PORT, such as 127.0.0.1:10000; a listener's port 0 selects a \
                 free one"
            }
            Kind::Exec => "start the command line by hand to see its error",
            Kind::Pty => "`duoforge doctor` checks the pseudo-terminals of this machine",
            Kind::Serial => "name a serial device or the slave of a pseudo-terminal",
        },
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        if let LinkError::Inside { source, .. } = &error {
            return inside(error.to_string(), &**source);
        }
        let code = match &error {
            LinkError::Timeout => "duoforge::link::timeout",
            LinkError::Closed => "duoforge::link::closed",
            LinkError::Ended { .. } => "duoforge::link::ended",
            LinkError::Resigned
            | LinkError::Stopped(_)
            | LinkError::OutOfTime { .. }
            | LinkError::NoCode { .. }
            | LinkError::Inside { .. } => "duoforge::link::stopped",
            LinkError::Busy { .. } => "duoforge::link::busy",
            LinkError::Exists { .. } => "duoforge::link::exists",
            LinkError::NoPermission { .. } => "duoforge::link::permission",
            LinkError::Ambiguous { .. } => "duoforge::link::ambiguous",
            LinkError::NotFound { .. } => "duoforge::link::not_found",
            LinkError::Io { .. } => "duoforge::link::io",
        };
        Self::new(code, message(&error)).help(help(&error))
    }
}

impl From<HandshakeError> for Failure {
    fn from(error: HandshakeError) -> Self {
        let message = error.to_string();
        let (code, help) = match error {
            HandshakeError::Silent { .. } => (
                "duoforge::device::silent",
                "check that the device is powered and loaded, and that rx and tx are crossed",
            ),
            HandshakeError::Garbage { .. } => (
                "duoforge::device::garbled",
                "the contest's line has 115200 baud, 8N1; a profile sets another baud rate",
            ),
            HandshakeError::Broken { .. } => (
                "duoforge::device::garbled",
                "`duoforge conform DEVICE` checks whether the device speaks the contest's protocol",
            ),
            HandshakeError::Link { seat, source, .. } => return Self::from(source).of_seat(seat),
            HandshakeError::SameDevice { .. } => (
                "duoforge::link::same_device",
                "each player needs a separate device; `duoforge ports` lists them",
            ),
            HandshakeError::Swapped { .. } => (
                "duoforge::device::swapped",
                "name the players in the other order, or swap the cables",
            ),
            HandshakeError::OtherTeam { .. } => (
                "duoforge::device::other_team",
                "connect the right device, or correct the team code in its profile",
            ),
        };
        Self::new(code, message).help(help)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use miette::Diagnostic;

    use super::*;

    /// Returns the message and the help of an error on one line.
    fn text(error: LinkError) -> String {
        let failure = Failure::from(error);
        let help = Diagnostic::help(&failure).expect("a help").to_string();
        format!("{failure}; {help}")
    }

    #[test]
    fn only_serial_devices_are_answered_with_serial_devices() {
        let names = [
            ("tcp:localhost:1", "HOST:PORT"),
            ("tcp-listen:192.0.2.1:1", "address of this machine"),
            ("exec:./nosuch", "exec: takes a command line"),
            ("pty:/no/such/link", "directory"),
            ("serial:/dev/ttyUSB9", "duoforge ports"),
        ];
        for (name, part) in names {
            let name = || name.to_owned();
            let missing = text(LinkError::NotFound { name: name() });
            assert!(missing.contains(part), "{missing}");
            let errors = [
                missing,
                text(LinkError::NoPermission { name: name() }),
                text(LinkError::Busy { name: name() }),
                text(LinkError::Io {
                    name: name(),
                    source: io::ErrorKind::InvalidInput.into(),
                }),
            ];
            let is_serial = Kind::of(&name()) == Kind::Serial;
            for error in &errors {
                let speaks_of_serial = error.contains("serial device") || error.contains("dialout");
                assert!(is_serial || !speaks_of_serial, "{error}");
            }
        }
    }

    #[test]
    fn a_file_at_the_path_of_a_pseudo_terminal_is_not_in_use() {
        let exists = text(LinkError::Exists {
            name: "pty:/etc/passwd".to_owned(),
        });
        assert!(
            exists.contains("is not a symbolic link; choose another path")
                && !exists.contains("in use"),
            "{exists}"
        );
    }
}
