//! Links over TCP, which the contest's host offers as an alternative to the serial line.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crate::link::{SEND_LIMIT, remaining};
use crate::{Link, LinkError, Received, Sent};

/// Minimum socket timeout: zero would mean "wait forever".
const SHORTEST: Duration = Duration::from_micros(1);

/// Polling interval of a listener.
const ACCEPT_POLL: Duration = Duration::from_millis(2);

/// TCP connection with Nagle's algorithm disabled.
#[derive(Debug)]
pub struct TcpLink {
    stream: TcpStream,
    name: String,
}

impl TcpLink {
    /// Connects to `host:port`, trying each address of the host until the deadline.
    ///
    /// # Errors
    /// [`LinkError::NotFound`] if no program listens there or the host name is unknown,
    /// [`LinkError::Timeout`], [`LinkError::Io`].
    pub fn connect(address: &str, deadline: Instant) -> Result<Self, LinkError> {
        let name = format!("tcp:{address}");
        let candidates = address
            .to_socket_addrs()
            .map_err(|error| match error.raw_os_error() {
                // Errors of the resolver have no error number; all of them mean an unknown host.
                None if error.kind() != io::ErrorKind::InvalidInput => {
                    LinkError::NotFound { name: name.clone() }
                }
                _ => LinkError::on_open(&name, error),
            })?;
        let mut last = LinkError::NotFound { name: name.clone() };
        for candidate in candidates {
            match TcpStream::connect_timeout(&candidate, remaining(deadline).max(SHORTEST)) {
                Ok(stream) => return Self::new(stream, name),
                Err(error) => last = LinkError::on_open(&name, error),
            }
        }
        Err(last)
    }

    fn new(stream: TcpStream, name: String) -> Result<Self, LinkError> {
        let set_up = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_nodelay(true))
            .and_then(|()| stream.set_write_timeout(Some(SEND_LIMIT)));
        match set_up {
            Ok(()) => Ok(Self { stream, name }),
            Err(error) => Err(LinkError::on_open(&name, error)),
        }
    }

    /// Reads once, waiting until the deadline.
    fn read(&mut self, buf: &mut [u8], deadline: Instant) -> io::Result<usize> {
        let left = remaining(deadline);
        if left.is_zero() {
            self.stream.set_nonblocking(true)?;
            let read = self.stream.read(buf);
            self.stream.set_nonblocking(false)?;
            read
        } else {
            self.stream.set_read_timeout(Some(left.max(SHORTEST)))?;
            self.stream.read(buf)
        }
    }
}

impl Link for TcpLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.stream
            .write_all(bytes)
            .map_err(|error| LinkError::in_use(&self.name, error))?;
        Ok(Sent::now())
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        loop {
            match self.read(buf, deadline) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(len) => return Ok(Received::now(&buf[..len])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => match LinkError::in_use(&self.name, error) {
                    // The kernel's timer is coarse and may wake the thread slightly early.
                    LinkError::Timeout if !remaining(deadline).is_zero() => {}
                    error => return Err(error),
                },
            }
        }
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

/// TCP port that listens for connections.
#[derive(Debug)]
pub struct TcpAcceptor {
    listener: TcpListener,
    address: SocketAddr,
}

impl TcpAcceptor {
    /// Listens at `host:port`; port 0 selects a free port.
    ///
    /// # Errors
    /// [`LinkError::Busy`] if the port is in use, [`LinkError::NoPermission`], [`LinkError::Io`].
    pub fn bind(address: &str) -> Result<Self, LinkError> {
        let name = format!("tcp-listen:{address}");
        let open = || {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok(Self { listener, address })
        };
        open().map_err(|error| LinkError::on_open(&name, error))
    }

    /// Address of the listener, with the actual port.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until the deadline for a connection.
    ///
    /// # Errors
    /// [`LinkError::Timeout`] at the deadline, [`LinkError::Io`].
    pub fn accept(&self, deadline: Instant) -> Result<TcpLink, LinkError> {
        loop {
            match self.listener.accept() {
                Ok((stream, peer)) => return TcpLink::new(stream, format!("tcp:{peer}")),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let left = remaining(deadline);
                    if left.is_zero() {
                        return Err(LinkError::Timeout);
                    }
                    thread::sleep(left.min(ACCEPT_POLL));
                }
                // A connection that the peer closed before it was accepted is not an error of the
                // listener.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted
                    ) => {}
                Err(error) => {
                    return Err(LinkError::on_open(
                        &format!("tcp-listen:{}", self.address),
                        error,
                    ));
                }
            }
        }
    }
}
