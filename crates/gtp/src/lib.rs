//! Go Text Protocol (GTP) for Blokus engines: a client that drives an engine in another process,
//! and a server that exposes a program as an engine.
//!
//! A command is a line. A response starts with `=` or `?` and ends with an empty line. A move is
//! the list of its cells ([`Notation`]); a player is a [colour](read_colour).
//!
//! ```
//! use duoforge_gtp::Notation;
//! use duoforge_rules::DuoBoard;
//!
//! let mut board = DuoBoard::duo();
//! let turn = Notation::DUO.read("e8,d9,e9,f9,e10")?;
//! board.play(turn)?;
//! assert_eq!(Notation::DUO.write(turn), "e8,d9,e9,f9,e10");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod client;
mod colour;
mod engine;
mod error;
mod notation;
mod process;
mod server;
mod session;

pub use client::Client;
pub use colour::{read_colour, write_colour};
pub use engine::{Engine, MoveValue, TimeSettings};
pub use error::ClientError;
pub use notation::{Notation, NotationError};
pub use server::serve;
