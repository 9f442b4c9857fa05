//! Links: byte streams to a device or to a host, with absolute deadlines.
//!
//! [`Link`] is the trait. Its implementations are serial lines ([`SerialLink`]), pseudo-terminals
//! (`PtyLink`), TCP connections ([`TcpLink`]), programs (`ExecLink`) and this program's standard
//! input and output (`PipeLink`). [`InProcessLink`] is a device in this process, and [`serve`] lets
//! a host elsewhere reach one. [`LinkSpec`] reads the name of a link and opens it, [`ports`] lists
//! the serial devices of this machine, and [`wirelog`] records every chunk of bytes with its time.
//!
//! The intended use is one blocking thread per link. Every implementation keeps the guarantees of
//! [`Link`].

mod error;
#[cfg(unix)]
mod exec;
#[cfg(test)]
mod greeter;
mod in_process;
mod link;
#[cfg(unix)]
mod pipe;
pub mod ports;
#[cfg(unix)]
mod pty;
mod reconnecting;
mod serial;
mod serve;
mod spec;
mod tcp;
pub mod wirelog;

pub use error::LinkError;
#[cfg(unix)]
pub use exec::ExecLink;
pub use in_process::InProcessLink;
pub use link::{DRAIN_LIMIT, Link, Received, SEND_LIMIT, Sent};
#[cfg(unix)]
pub use pipe::PipeLink;
#[cfg(unix)]
pub use pty::PtyLink;
pub use reconnecting::{ReconnectObserver, ReconnectingLink, Reopen, WaitStopped};
pub use serial::SerialLink;
pub use serve::{Served, Stop, serve};
pub use spec::{LinkSpec, LinkSpecError};
pub use tcp::{TcpAcceptor, TcpLink};
