//! Checks of `cargo xtask nightly`: those that take too long for `cargo xtask test`.
//!
//! This list is the only one; a workflow calls the command and names no step itself.

use crate::steps::{Action, SETUP, Step};

/// Every nightly check, in the order in which they run.
pub const STEPS: &[Step] = &[
    SETUP,
    Step {
        name: "proofs",
        about: "every property of hdl/formal with every mutant, also those that are not quick",
        env: &[],
        action: Action::Cargo(&["run", "--quiet", "--package", "duoforge-prover", "--"]),
    },
];
