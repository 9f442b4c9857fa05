//! Steps of `cargo xtask nightly`: the checks that take too long for `cargo xtask test`.
//!
//! This list is the only one; a workflow runs the command and names no step itself.

use duoforge_tools::catalogue::CARGO_DENY;

use crate::steps::{Action, SETUP, Step};

/// All nightly steps in execution order.
pub const STEPS: &[Step] = &[
    SETUP,
    Step {
        name: "proofs",
        about: "every property of hdl/formal with every mutant, also those that are not quick",
        env: &[],
        action: Action::Cargo(&["run", "--quiet", "--package", "duoforge-prover", "--"]),
    },
    Step {
        name: "hardware",
        about: "the hardware tests with all inputs, of which the test command runs a share",
        env: &[("DUOFORGE_INPUTS", "all")],
        action: Action::Cargo(&["test", "--package", "duoforge-tests", "--test", "hardware"]),
    },
    Step {
        name: "advisories",
        about: "known vulnerabilities of the dependencies, by the database of RustSec",
        env: &[],
        action: Action::Tool(CARGO_DENY, &["check", "advisories"]),
    },
    Step {
        name: "oldest-rust",
        about: "every target compiles with the `rust-version` of the workspace, which rustup installs",
        env: &[],
        action: Action::OldestRust,
    },
    Step {
        name: "report",
        about: "bitstreams of every target that open tools support, compared with the report",
        env: &[],
        action: Action::Cargo(&[
            "run",
            "--quiet",
            "--package",
            "duoforge-targets",
            "--",
            "--check",
        ]),
    },
    Step {
        name: "ip",
        about: "the emitted player in FuseSoC, cocotb and Amaranth, which pip installs",
        env: &[],
        action: Action::Script("examples/ip/check.sh"),
    },
    Step {
        name: "cluster",
        about: "campaigns in 64 shards over HyperQueue, which pip installs, while workers are killed",
        env: &[],
        action: Action::Script("docs/cluster/check.sh"),
    },
    Step {
        name: "slurm",
        about: "the same as a Slurm array on one node; needs munge, slurmctld, slurmd, slurm-client",
        env: &[],
        action: Action::Script("docs/cluster/check-slurm.sh"),
    },
    Step {
        name: "api",
        about: "10,000 generated requests to `duoforge serve`, by schemathesis, which pip installs",
        env: &[],
        action: Action::Script("crates/web/tests/api/check.sh"),
    },
    Step {
        name: "fuzz",
        about: "coverage-guided fuzzing: ten minutes for each target of crates/fuzz",
        env: &[],
        action: Action::Fuzz {
            seconds: 600,
            seed: 0,
        },
    },
    Step {
        name: "serve-kills",
        about: "100 SIGKILLs of `duoforge serve` while browsers watch and play",
        env: &[("DUOFORGE_KILLS", "100")],
        action: Action::Cargo(&["test", "--package", "duoforge", "--test", "serve_kills"]),
    },
];
