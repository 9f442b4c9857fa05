//! Implementation of the checks.

pub mod advice;
pub mod answers;
pub mod bytes;
pub mod games;
pub mod situations;
