//! External programs that duoforge runs: simulators, synthesis, place and route, solvers.
//!
//! [`catalogue`] lists them with their tasks, [`packages`] pins those that Python packages contain,
//! [`setup`] installs them, [`find`] locates them, [`python`] locates Python, [`run()`] runs one to completion, and
//! [`limited`] runs one with a time limit.

pub mod catalogue;
pub mod directory;
pub mod find;
pub mod limited;
pub mod packages;
pub mod platform;
pub mod python;
pub mod run;
pub mod setup;
pub mod system;
pub mod version;

pub use catalogue::{Task, Tool};
pub use find::Place;
pub use limited::{end_all_on_interrupt, run_within};
pub use platform::Platform;
pub use run::{ToolError, run, tail};
