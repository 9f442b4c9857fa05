//! Tests of the hardware against its twins: every block separately, and the whole player on its
//! serial line.

mod board;
mod parts;
mod search;
mod support;
