//! Checks of text bots by topic.

pub mod answers;
pub mod endings;
pub mod logs;
pub mod moves;
pub mod start;
pub mod states;
pub mod variants;
