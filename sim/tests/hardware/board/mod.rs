//! The whole board on its serial line.
