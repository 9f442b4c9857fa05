//! What the cross-crate tests share: the reference data and how to read it.

pub mod data;
