//! Contest protocol: codes, parsers and session state machines, without I/O.
//!
//! The host (referee) and each device talk over a serial line at 115200 baud, 8N1, in ASCII. The
//! host sends `0`, `2X`, `3XYYYY`, `4XXXX` and `9` ([`HostCode`]). The device replies `1XX` to `0`
//! and a four-letter code to `2`, `3` and `4` ([`Reply`]). CR, LF and space are ignored in both
//! directions, except that a space inside a reply breaks it. Outside a game, the extension `????`
//! asks a device of this project for its build ([`BuildId`]).
//!
//! The crate is `no_std` and does not allocate. It has the codes ([`HostCode`], [`StartCell`],
//! [`TeamCode`]), the parsers of both directions ([`HostCodeParser`], [`ReplyParser`]) and the
//! state machines of both ends ([`DeviceSession`], [`HostSession`]). [`HostCodeParser`] is the
//! bit-exact twin of the hardware's host code parser. [`ByteDevice`] is a device in software. The
//! links that carry the bytes are in `duoforge-links`.
//!
//! A move is four opaque bytes in this crate. The crate frames moves; the caller decides whether
//! they are legal.
//!
//! ```
//! use duoforge_protocol::{HostEvent, HostSession, StartCell};
//!
//! let mut host = HostSession::new();
//! let prompt = host.handshake().unwrap();
//! assert_eq!(prompt.frame.as_bytes(), b"0");
//! let events: Vec<_> = b"1AA\r\n".iter().filter_map(|&byte| host.feed(byte)).collect();
//! assert!(matches!(events[..], [HostEvent::Team(team)] if team.bytes() == *b"AA"));
//!
//! let prompt = host.first(StartCell::Five).unwrap();
//! assert_eq!(prompt.frame.as_bytes(), b"25");
//! ```
#![no_std]

// The unit tests collect into vectors.
#[cfg(test)]
extern crate std;

mod byte_device;
mod code;
mod device;
mod host;
mod parser;
mod reply;
mod reply_kind;

use core::time::Duration;

pub use byte_device::ByteDevice;
pub use code::{
    BuildId, BuildIdError, Frame, HostCode, MoveCode, PASS, StartCell, TeamCode, TeamCodeError,
};
pub use device::{DeviceEvent, DeviceOutput, DeviceSession, NoAnswerDue};
pub use host::{HostEvent, HostSession, Phase, Prompt, PromptOrderError};
pub use parser::{Counters, HostCodeParser, ParserOutput};
pub use reply::{Reply, ReplyError, ReplyParser};
pub use reply_kind::ReplyKind;

/// Time limit of a reply, from the last byte sent to the last byte received.
pub const REPLY_LIMIT: Duration = Duration::from_secs(1);

/// Inter-byte timeout: silence inside a code after which a device drops the partial code.
pub const INTER_BYTE_TIMEOUT: Duration = Duration::from_millis(100);

/// Baud rate of the contest's serial line (8 data bits, no parity, 1 stop bit).
pub const BAUD_RATE: u32 = 115_200;

/// True if a byte is a blank (CR, LF or space), which devices ignore everywhere.
#[must_use]
pub const fn is_ignored(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b' ')
}

/// True if a byte is CR or LF, which the host ignores inside replies.
#[must_use]
pub const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
