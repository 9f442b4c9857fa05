//! Boards of visitors behind a socket: games, jobs, and hostile sockets.

mod board;
#[path = "../common/mod.rs"]
mod common;
mod games;
mod hostile;
mod jobs;
mod requests;
mod socket;
