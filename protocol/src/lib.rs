//! The contest's line protocol, from single bytes up to links that carry them.
//!
//! The host (referee) and each board talk over a serial line at 115200 baud,
//! 8N1, in ASCII. The host sends `0`, `2X`, `3XYYYY`, `4XXXX` and `9`
//! ([`HostCode`]); the board answers `1XX` to `0` and a four-letter code to
//! `2`, `3` and `4` ([`Reply`]). CR, LF and space are ignored in both
//! directions. Outside a game, and outside the contest, `????` asks a board of
//! this project which build it is ([`BuildId`]).
//!
//! Two layers:
//!
//! - **Without I/O**, `no_std` and without allocation: the codes ([`HostCode`],
//!   [`StartCell`], [`TeamCode`]), the parsers of both directions
//!   ([`BoardParser`], [`ReplyParser`]) and the state machines of both sides
//!   ([`BoardSession`], [`HostSession`]). [`BoardParser`] is the twin of the
//!   hardware's line parser, byte for byte.
//! - **With the feature `std`** (default): `link` with serial lines,
//!   pseudo-terminals and TCP behind one trait with absolute deadlines,
//!   `ports` that lists the serial devices of the machine, and `wirelog`
//!   that keeps every chunk of bytes with its time.
//!
//! Moves are opaque four bytes here: this crate frames them, and whoever knows
//! the rules judges them.
//!
//! ```
//! use duoforge_protocol::{HostEvent, HostSession, StartCell};
//!
//! let mut host = HostSession::new();
//! let prompt = host.hello().unwrap();
//! assert_eq!(prompt.frame.as_bytes(), b"0");
//! let events: Vec<_> = b"1AA\r\n".iter().filter_map(|&byte| host.feed(byte)).collect();
//! assert!(matches!(events[..], [HostEvent::Team(team)] if team.bytes() == *b"AA"));
//!
//! let prompt = host.first(StartCell::Five).unwrap();
//! assert_eq!(prompt.frame.as_bytes(), b"25");
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

// The unit tests collect into vectors, also when the crate itself is without `std`.
#[cfg(all(test, not(feature = "std")))]
extern crate std;

mod board;
mod code;
mod host;
mod parser;
mod reply;

#[cfg(feature = "std")]
pub mod link;
#[cfg(feature = "std")]
pub mod ports;
#[cfg(feature = "std")]
pub mod wirelog;

use core::time::Duration;

pub use board::{BoardEvent, BoardSession, BoardStep, NoAnswerDue};
pub use code::{
    BuildId, BuildIdError, Frame, HostCode, MoveCode, PASS, StartCell, TeamCode, TeamCodeError,
};
pub use host::{HostEvent, HostSession, OrderError, Phase, Prompt};
pub use parser::{BoardParser, Counters, Step};
pub use reply::{Expect, Reply, ReplyError, ReplyParser};

/// How long a board may take to answer, from the last byte sent to the last byte received.
pub const REPLY_LIMIT: Duration = Duration::from_secs(1);

/// How long the line may be silent inside a code before a board drops that code.
pub const GAP: Duration = Duration::from_millis(100);

/// Baud rate of the contest's serial line (8 data bits, no parity, 1 stop bit).
pub const BAUD_RATE: u32 = 115_200;

/// Whether a byte is a blank (CR, LF or space), which boards ignore anywhere.
#[must_use]
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b' ')
}

/// Whether a byte is CR or LF, which the host ignores inside answers.
#[must_use]
pub const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}
