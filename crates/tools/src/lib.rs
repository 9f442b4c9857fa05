//! The outside programs that duoforge runs: simulators, synthesis, place and route, solvers.
//!
//! [`catalogue`] lists them with their pinned versions, [`find`] says where they are, [`run()`] runs
//! one to its end, [`limited`] ends it when it takes too long. Installing them is the business of `cargo xtask setup`.

pub mod catalogue;
pub mod find;
pub mod limited;
pub mod run;

pub use catalogue::Tool;
pub use find::Place;
pub use limited::{end_all_on_interrupt, run_within};
pub use run::{ToolError, run, tail};
