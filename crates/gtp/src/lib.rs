//! Go Text Protocol (GTP) for Blokus engines: a client that drives an engine in another process,
//! and a server that exposes a program as an engine.
//!
//! A command is a line. A response starts with `=` or `?` and ends with an empty line. A move is
//! the list of its cells ([`Notation`](duoforge_rules::Notation)); a player is a
//! [colour](read_colour). [`read_answer`] reads a response without a client.
//!
//! ```
//! use duoforge_gtp::{read_colour, write_colour};
//! use duoforge_rules::Colour;
//!
//! let player = Colour(1);
//! assert_eq!(write_colour(player, 2), "w");
//! assert_eq!(read_colour("white", 2), Some(player));
//! ```

mod answer;
mod client;
mod colour;
mod engine;
mod error;
mod process;
mod server;
mod session;

pub use answer::{Response, UnexpectedLine, read_answer};
pub use client::Client;
pub use colour::{read_colour, write_colour};
pub use engine::{GtpEngine, MoveValue, TimeSettings};
pub use error::ClientError;
pub use server::serve;
