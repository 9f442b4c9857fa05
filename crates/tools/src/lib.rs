//! External programs that duoforge runs: simulators, synthesis, place and route, solvers.
//!
//! [`catalogue`] lists them with their pinned versions, [`find`] locates them, [`run()`] runs one
//! to completion, and [`limited`] runs one with a time limit. `cargo xtask setup` installs them.

pub mod catalogue;
pub mod find;
pub mod limited;
pub mod run;

pub use catalogue::Tool;
pub use find::Place;
pub use limited::{end_all_on_interrupt, run_within};
pub use run::{ToolError, run, tail};
