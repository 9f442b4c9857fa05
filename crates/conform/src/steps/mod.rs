//! Implementation of the checks.

pub mod advice;
pub mod answers;
pub mod games;
pub mod line;
pub mod situations;

pub use answers::FirstGame;
pub use situations::Alone;
