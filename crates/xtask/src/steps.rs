//! Steps of `cargo xtask test`, in execution order.

use anyhow::{Result, bail, ensure};
use duoforge_tools::Tool;
use duoforge_tools::catalogue::CARGO_DENY;

/// Action of a step.
#[derive(Debug, Clone, Copy)]
pub enum Action {
    /// Installs and lists the tools in this process.
    Setup,
    /// Searches prose for retired terms, inside this process.
    Words,
    /// Checks the scripts of the web page, also in Chromium.
    Page,
    /// Builds, installs and checks the Python package.
    Python,
    /// Runs cargo with these arguments.
    Cargo(&'static [&'static str]),
    /// Runs an installed program with these arguments.
    Tool(Tool, &'static [&'static str]),
    /// Checks the sources with the oldest supported Rust.
    OldestRust,
    /// Runs a shell script of the repository.
    Script(&'static str),
    /// Builds the fuzz targets and runs each.
    Fuzz {
        /// Time of a target in seconds.
        seconds: u64,
        /// Seed of libFuzzer, so that runs on the same inputs are alike; 0 takes another each time.
        seed: u32,
    },
    /// Runs cargo with these arguments, and checks the results of the test binaries against the
    /// floors.
    CargoTest(&'static [&'static str]),
    /// Builds the tests as [`CargoTest`](Self::CargoTest) does and runs the fast programs among
    /// them, without examples of the documentation and without floors.
    QuickTest(&'static [&'static str]),
}

/// Step of a command.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Name for `--only`.
    pub name: &'static str,
    /// Description for `--list`, one line.
    pub about: &'static str,
    /// Additional environment variables.
    pub env: &'static [(&'static str, &'static str)],
    /// Action of the step.
    pub action: Action,
}

/// Step that installs the tools; every list begins with it.
pub const SETUP: Step = Step {
    name: "setup",
    about: "install the pinned tools that are missing",
    env: &[],
    action: Action::Setup,
};

/// Setting of the steps that compile the workspace: a build from nothing takes an eighth less time
/// without the data for incremental builds. What is compiled stays valid for builds with them.
pub const NOT_INCREMENTAL: (&str, &str) = ("CARGO_INCREMENTAL", "0");

/// All steps. The cargo steps use the dev profile. Dependencies are compiled once for the steps
/// that only check (clippy, doc) and once for those that build (core, test). The tests run last, so
/// that their output is at the end of the log.
pub const STEPS: &[Step] = &[
    SETUP,
    Step {
        name: "fmt",
        about: "formatting",
        env: &[],
        action: Action::Cargo(&["fmt", "--all", "--check"]),
    },
    Step {
        name: "words",
        about: "prose and identifiers use the terms of the glossary, within the allowances of each file",
        env: &[],
        action: Action::Words,
    },
    Step {
        name: "deny",
        about: "licences and sources of the dependencies, as deny.toml permits",
        env: &[],
        action: Action::Tool(CARGO_DENY, &["check", "licenses", "bans", "sources"]),
    },
    Step {
        name: "clippy",
        about: "lints of every target, warnings are errors",
        env: &[NOT_INCREMENTAL],
        action: Action::Cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    },
    Step {
        name: "doc",
        about: "documentation, warnings are errors",
        env: &[("RUSTDOCFLAGS", "-D warnings"), NOT_INCREMENTAL],
        action: Action::Cargo(&["doc", "--workspace", "--no-deps"]),
    },
    Step {
        name: "core",
        about: "the protocol by itself, without the standard library",
        env: &[NOT_INCREMENTAL],
        action: Action::Cargo(&["build", "--package", "duoforge-protocol"]),
    },
    Step {
        name: "page",
        about: "the web page: types of its scripts, unit tests, games and axe in Chromium",
        env: &[],
        action: Action::Page,
    },
    Step {
        name: "python",
        about: "the Python package and the tuner: its wheel, and pytest with reference data and PettingZoo's API test",
        env: &[],
        action: Action::Python,
    },
    Step {
        name: "fuzz",
        about: "coverage-guided fuzzing: ten seconds for each target, from its committed seed inputs",
        env: &[],
        action: Action::Fuzz {
            seconds: 10,
            seed: 1,
        },
    },
    Step {
        name: "test",
        about: "unit tests, integration tests and documentation examples, none fewer than the floors",
        env: &[NOT_INCREMENTAL],
        action: Action::CargoTest(&["test", "--workspace", "--no-fail-fast"]),
    },
];

/// Steps of `cargo xtask test --quick`.
pub const QUICK: &[Step] = &[
    Step {
        name: "fmt",
        about: "formatting",
        env: &[],
        action: Action::Cargo(&["fmt", "--all", "--check"]),
    },
    Step {
        name: "words",
        about: "prose and identifiers use the terms of the glossary, within the allowances of each file",
        env: &[],
        action: Action::Words,
    },
    Step {
        name: "test",
        about: "unit tests and integration tests, but for programs that take longer than five seconds",
        env: &[],
        action: Action::QuickTest(&["test", "--workspace"]),
    },
];

/// Prints the name and the description of each step.
pub fn list(steps: &[Step]) {
    for step in steps {
        println!("{:10} {}", step.name, step.about);
    }
}

/// Returns the steps of a command that its options select: all, or those named by `--only`.
///
/// # Errors
/// If an option or a step does not exist.
pub fn select(command: &str, steps: &[Step], options: &[&str]) -> Result<Vec<Step>> {
    let mut names = Vec::new();
    let mut rest = options;
    while let [option, tail @ ..] = rest {
        rest = match (*option, tail) {
            ("--only", [name, tail @ ..]) => {
                names.push(*name);
                tail
            }
            ("--only", []) => {
                bail!("--only needs the name of a step; see `cargo xtask {command} --list`")
            }
            (other, _) => bail!("`{command}` has no option '{other}'; see `cargo xtask help`"),
        };
    }
    for name in &names {
        ensure!(
            steps.iter().any(|step| step.name == *name),
            "no step is called '{name}'; see `cargo xtask {command} --list`"
        );
    }
    let wanted = |step: &&Step| names.is_empty() || names.contains(&step.name);
    Ok(steps.iter().filter(wanted).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nightly;

    fn names(options: &[&str]) -> Vec<&'static str> {
        select("test", STEPS, options)
            .unwrap()
            .iter()
            .map(|step| step.name)
            .collect()
    }

    #[test]
    fn without_options_every_step_runs_and_tests_come_last() {
        assert_eq!(names(&[]).len(), STEPS.len());
        assert_eq!(names(&[]).first(), Some(&"setup"));
        assert_eq!(names(&[]).last(), Some(&"test"));
    }

    #[test]
    fn only_keeps_the_order_of_the_list() {
        assert_eq!(names(&["--only", "doc", "--only", "fmt"]), ["fmt", "doc"]);
    }

    #[test]
    fn unknown_steps_and_options_are_refused() {
        assert!(select("test", STEPS, &["--only", "nothing"]).is_err());
        assert!(select("test", STEPS, &["--only"]).is_err());
        assert!(select("test", STEPS, &["--fast"]).is_err());
    }

    #[test]
    fn every_proof_is_a_nightly_step() {
        let steps = select("nightly", nightly::STEPS, &["--only", "proofs"]).unwrap();
        let Action::Cargo(arguments) = steps[0].action else {
            panic!("proofs are run by cargo");
        };
        // No option omits properties.
        assert_eq!(arguments.last(), Some(&"--"));
        assert!(arguments.contains(&"duoforge-prover"));
    }

    #[test]
    fn step_names_are_distinct() {
        for steps in [STEPS, nightly::STEPS] {
            for (i, step) in steps.iter().enumerate() {
                assert!(
                    steps[..i].iter().all(|other| other.name != step.name),
                    "{}",
                    step.name
                );
            }
        }
    }
}
