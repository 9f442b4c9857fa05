//! Description of a property, `hdl/formal/<property>/proof.toml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use thiserror::Error;

/// Name of the description's file.
pub const FILE: &str = "proof.toml";

/// Property with its runs and its mutants.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Name of the directory.
    #[serde(skip)]
    pub name: String,
    /// Path of the directory.
    #[serde(skip)]
    pub directory: PathBuf,
    /// Statement of the property and its scope, in one sentence.
    pub about: String,
    /// Bound of the proof with its reason, in words; `none` for an unbounded proof.
    pub bound: String,
    /// True if the test command checks the property and its first mutant: they take seconds.
    #[serde(default)]
    pub quick: bool,
    /// Blocks whose emitted Verilog is read: see [`crate::blocks`].
    pub blocks: Vec<String>,
    /// Emitted modules that are black boxes: their outputs may take any value.
    #[serde(default)]
    pub opaque: Vec<String>,
    /// Verilog generated from the types of the rules: see [`crate::generated`].
    #[serde(default)]
    pub generated: Vec<String>,
    /// Verilog files in the directory, or in the directory of another property by a relative path.
    pub sources: Vec<String>,
    /// Signals that a counterexample shows in addition to the ports of the top module, by their
    /// names after flattening.
    #[serde(default)]
    pub show: Vec<String>,
    /// Runs of the proof; all of them must succeed.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// Mutants; each of them must be refuted.
    #[serde(rename = "mutant")]
    pub mutants: Vec<Mutant>,
}

/// Run of an engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Name that distinguishes several runs.
    #[serde(default)]
    pub name: String,
    /// Engine of the run.
    pub engine: ProofEngine,
    /// Proof method.
    pub mode: Mode,
    /// Number of cycles checked; for an induction, the maximum depth of the step.
    #[serde(default = "one")]
    pub depth: u32,
    /// Initial state of a bounded run.
    #[serde(default)]
    pub start: Start,
    /// Top module.
    #[serde(default = "proof_module")]
    pub top: String,
    /// Macros that are defined while the Verilog is read.
    #[serde(default)]
    pub define: Vec<String>,
    /// Yosys commands that run after flattening.
    #[serde(default)]
    pub prepare: String,
    /// Further options of Yosys' `sat` or of `yosys-smtbmc`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Time limit in seconds.
    #[serde(default = "ten_minutes")]
    pub limit: u64,
}

/// Proof engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofEngine {
    /// Yosys' `sat` command: MiniSat on single bits.
    Sat,
    /// `yosys-smtbmc` with Yices: reasoning on words.
    Smtbmc,
}

/// Proof method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One cycle, with every input and every state of the registers.
    Combinational,
    /// Bounded: the first `depth` cycles.
    Bounded,
    /// Induction: all cycles from power-up on.
    Induction,
}

/// Initial state of the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Power-up state of the design.
    #[default]
    PowerUp,
    /// Any state.
    Any,
}

/// Change of the emitted Verilog under which the property must not hold.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Description of the change.
    pub why: String,
    /// Name of the emitted module.
    pub module: String,
    /// Text to replace, which occurs exactly once in the module.
    pub find: String,
    /// Replacement text.
    pub replace: String,
    /// Name of the run that refutes the mutant; without a name, all runs are tried in their order.
    #[serde(default)]
    pub run: Option<String>,
    /// Number of cycles, if the counterexample is longer than the proof's depth.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Proof method, if an induction step would only cost time.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// Macros in place of the run's, for example to omit the invariants.
    #[serde(default)]
    pub define: Option<Vec<String>>,
}

impl Run {
    /// True if the run starts in any state instead of the power-up state.
    pub fn begins_anywhere(&self) -> bool {
        self.mode == Mode::Combinational || self.start == Start::Any
    }
}

fn one() -> u32 {
    1
}

fn ten_minutes() -> u64 {
    600
}

fn proof_module() -> String {
    "proof".into()
}

/// Error of reading a property.
#[derive(Debug, Error)]
pub enum ProofError {
    /// A file or directory is missing or unreadable.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The description is not valid TOML, or a field is missing or unknown.
    #[error("{}: {message}", path.display())]
    Form {
        /// Path of the description.
        path: PathBuf,
        /// Fault of the description.
        message: String,
    },
    /// The description parses, but refers to something that does not exist or is incomplete.
    #[error("{property}: {message}")]
    Content {
        /// Name of the property.
        property: String,
        /// Fault of the property.
        message: String,
    },
}

impl Proof {
    /// Reads the property in a directory.
    ///
    /// # Errors
    /// [`ProofError`] if the description cannot be read or is invalid.
    pub fn load(directory: &Path) -> Result<Self, ProofError> {
        let path = directory.join(FILE);
        let text = fs::read_to_string(&path).map_err(|source| ProofError::Io {
            path: path.clone(),
            source,
        })?;
        let proof: Self = toml::from_str(&text).map_err(|error| ProofError::Form {
            path,
            message: error.to_string(),
        })?;
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        let proof = Self {
            name: name.into_owned(),
            directory: directory.into(),
            ..proof
        };
        match proof.fault() {
            Some(message) => Err(proof.content_error(message)),
            None => Ok(proof),
        }
    }

    /// Returns the properties in the subdirectories of `root`, sorted by name.
    ///
    /// # Errors
    /// [`ProofError`] of the first property that cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Self>, ProofError> {
        let failed = |source| ProofError::Io {
            path: root.into(),
            source,
        };
        let mut directories = Vec::new();
        for entry in fs::read_dir(root).map_err(failed)? {
            let directory = entry.map_err(failed)?.path();
            if directory.join(FILE).is_file() {
                directories.push(directory);
            }
        }
        directories.sort();
        directories
            .iter()
            .map(|directory| Self::load(directory))
            .collect()
    }

    /// Returns the properties of the test command, each with its first mutant only: a property that
    /// nothing can break is found, and the other mutants are left to the check of all properties.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    pub fn quick(root: &Path) -> Result<Vec<Self>, ProofError> {
        let mut proofs = Self::all(root)?;
        proofs.retain(|proof| proof.quick);
        for proof in &mut proofs {
            proof.mutants.truncate(1);
        }
        Ok(proofs)
    }

    /// Returns the runs that may refute a mutant, with the mutant's depth, method and macros.
    pub fn runs_for(&self, mutant: &Mutant) -> Vec<Run> {
        let wanted = |run: &&Run| mutant.run.as_ref().is_none_or(|name| *name == run.name);
        let runs = self.runs.iter().filter(wanted).cloned();
        runs.map(|run| Run {
            depth: mutant.depth.unwrap_or(run.depth),
            mode: mutant.mode.unwrap_or(run.mode),
            define: mutant.define.clone().unwrap_or(run.define),
            ..run
        })
        .collect()
    }

    /// Returns an error about this property.
    pub fn content_error(&self, message: impl Into<String>) -> ProofError {
        ProofError::Content {
            property: self.name.clone(),
            message: message.into(),
        }
    }

    fn fault(&self) -> Option<String> {
        if self.runs.is_empty() || self.mutants.is_empty() {
            return Some("a property needs at least one run and one mutant".into());
        }
        if self.bound.trim().is_empty() || self.about.trim().is_empty() {
            return Some("`about` and `bound` must not be empty".into());
        }
        let nameless = |mutant: &&Mutant| self.runs_for(mutant).is_empty();
        let mutant = self.mutants.iter().find(nameless)?;
        Some(format!("the mutant '{}' names no run", mutant.why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
about = "a"
bound = "none"
blocks = ["decoder"]
sources = ["proof.sv"]
[[run]]
name = "first"
engine = "sat"
mode = "combinational"
[[run]]
name = "second"
engine = "smtbmc"
mode = "induction"
start = "any"
depth = 3
[[mutant]]
why = "w"
module = "decoder"
find = "f"
replace = "r"
run = "second"
depth = 9
"#;

    fn load(text: &str) -> Result<Proof, String> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join(FILE), text).expect("it is written");
        Proof::load(directory.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_not_said_has_a_default() {
        let proof = load(TEXT).expect("it is well formed");
        assert!(!proof.quick);
        assert_eq!(proof.runs[0].depth, 1);
        assert_eq!(proof.runs[0].start, Start::PowerUp);
        assert_eq!(proof.runs[1].start, Start::Any);
    }

    #[test]
    fn a_mutant_may_name_its_run_and_depth() {
        let proof = load(TEXT).expect("it is well formed");
        let runs = proof.runs_for(&proof.mutants[0]);
        let runs: Vec<_> = runs.iter().map(|r| (r.name.as_str(), r.depth)).collect();
        assert_eq!(runs, [("second", 9)]);
    }

    #[test]
    fn faults_are_found_on_reading() {
        for (find, replace, expected) in [
            ("run = \"second\"", "run = \"third\"", "names no run"),
            ("bound = \"none\"", "bound = \"\"", "must not be empty"),
            ("quick", "quick", ""),
            ("about", "abuot", "unknown field"),
        ] {
            let result = load(&TEXT.replacen(find, replace, 1));
            let message = result.err().unwrap_or_default();
            assert!(message.contains(expected), "{find}: {message}");
            assert_eq!(message.is_empty(), expected.is_empty(), "{find}");
        }
        let without_mutant = TEXT.split("[[mutant]]").next().expect("the first part");
        assert!(load(&format!("mutant = []\n{without_mutant}")).is_err());
    }
}
