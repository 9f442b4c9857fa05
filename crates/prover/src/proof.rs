//! The file that describes a property, `hdl/formal/<property>/proof.toml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use thiserror::Error;

/// Name of the file.
pub const FILE: &str = "proof.toml";

/// A property, its proof, and what must break it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The folder's name.
    #[serde(skip)]
    pub name: String,
    /// The folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// One sentence: what is proved, for all of what.
    pub about: String,
    /// `none`, or in words what is bounded and why.
    pub bound: String,
    /// Belongs to the test command: its runs and mutants take seconds.
    #[serde(default)]
    pub quick: bool,
    /// Blocks whose emitted Verilog is read: see [`crate::blocks`].
    pub blocks: Vec<String>,
    /// Emitted modules whose insides are left out: their outputs take any value.
    #[serde(default)]
    pub opaque: Vec<String>,
    /// Verilog that is written from the rules' types: see [`crate::generated`].
    #[serde(default)]
    pub generated: Vec<String>,
    /// Verilog files in the folder.
    pub sources: Vec<String>,
    /// Signals that a counterexample shows besides the ports of the top module, by the name that
    /// they have after flattening.
    #[serde(default)]
    pub show: Vec<String>,
    /// What has to succeed, all of it.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// Changes of the design that have to be refuted.
    #[serde(rename = "mutant")]
    pub mutants: Vec<Mutant>,
}

/// One call of an engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Tells several runs apart.
    #[serde(default)]
    pub name: String,
    /// Who proves.
    pub engine: Engine,
    /// How.
    pub mode: Mode,
    /// Clocks that are looked at; for an induction the most that its step may need.
    #[serde(default = "one")]
    pub depth: u32,
    /// In what state a bounded run begins.
    #[serde(default)]
    pub start: Start,
    /// The top module.
    #[serde(default = "proof_module")]
    pub top: String,
    /// Macros that are defined when the Verilog is read.
    #[serde(default)]
    pub define: Vec<String>,
    /// Commands for Yosys once the design is flat.
    #[serde(default)]
    pub prepare: String,
    /// More options for Yosys' `sat` or for `yosys-smtbmc`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Seconds after which the run is given up.
    #[serde(default = "ten_minutes")]
    pub limit: u64,
}

/// A program that proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Yosys' `sat`, which is MiniSat over single bits.
    Sat,
    /// `yosys-smtbmc` with Yices, which reasons about words.
    Smtbmc,
}

/// What is asked about the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One moment, with every input and every state of the registers.
    Combinational,
    /// The first `depth` clocks.
    Bounded,
    /// All clocks from power-up on, by induction.
    Induction,
}

/// State of the registers at the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// As the design powers up.
    #[default]
    PowerUp,
    /// Any state whatever.
    Any,
}

/// A change of the emitted Verilog under which the property must not hold.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// What is broken.
    pub why: String,
    /// The emitted module.
    pub module: String,
    /// Text of it that occurs exactly once.
    pub find: String,
    /// What stands there instead.
    pub replace: String,
    /// The run that refutes it; without a name, all are tried in their order.
    #[serde(default)]
    pub run: Option<String>,
    /// Clocks that are looked at, where the counterexample is longer than the proof.
    #[serde(default)]
    pub depth: Option<u32>,
    /// How it is looked for, where an induction's step would only cost time.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// Macros instead of the run's, for example to leave the invariants out.
    #[serde(default)]
    pub define: Option<Vec<String>>,
}

impl Run {
    /// Its first clock is in any state, not the one at power-up.
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

/// A property cannot be read or makes no sense.
#[derive(Debug, Error)]
pub enum ProofError {
    /// A file or folder is missing or unreadable.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not of the form described here.
    #[error("{}: {message}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// It can be read, and still asks for what there is not.
    #[error("{property}: {message}")]
    Content {
        /// The property's name.
        property: String,
        /// What is wrong.
        message: String,
    },
}

impl Proof {
    /// Reads the property in a folder.
    ///
    /// # Errors
    /// [`ProofError`].
    pub fn load(folder: &Path) -> Result<Self, ProofError> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(|source| ProofError::Io {
            path: path.clone(),
            source,
        })?;
        let proof: Self = toml::from_str(&text).map_err(|error| ProofError::Form {
            path,
            message: error.to_string(),
        })?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let proof = Self {
            name: name.into_owned(),
            folder: folder.into(),
            ..proof
        };
        match proof.fault() {
            Some(message) => Err(proof.content_error(message)),
            None => Ok(proof),
        }
    }

    /// The properties in the folders of a folder, by name.
    ///
    /// # Errors
    /// [`ProofError`] of the first one that cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Self>, ProofError> {
        let failed = |source| ProofError::Io {
            path: root.into(),
            source,
        };
        let mut folders = Vec::new();
        for entry in fs::read_dir(root).map_err(failed)? {
            let folder = entry.map_err(failed)?.path();
            if folder.join(FILE).is_file() {
                folders.push(folder);
            }
        }
        folders.sort();
        folders.iter().map(|folder| Self::load(folder)).collect()
    }

    /// The runs that may refute a mutant, with its own depth, mode and macros.
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

    /// An error about this property.
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
            return Some("`about` and `bound` must say something".into());
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
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(FILE), text).expect("it is written");
        Proof::load(folder.path()).map_err(|error| error.to_string())
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
            ("bound = \"none\"", "bound = \"\"", "must say something"),
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
