//! Hostile requests: each is refused with its status and its code.

#[path = "../common/mod.rs"]
mod common;
mod heads;
mod requests;
