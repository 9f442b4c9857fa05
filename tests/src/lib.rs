//! Reference data that the cross-crate tests share, and its readers.

pub mod data;
