//! The hardware against its twins: every part by itself, and the whole board on its serial line.

mod board;
mod parts;
mod search;
mod support;
