//! Properties made up for a test.

#![allow(dead_code, reason = "every test binary uses some of it")]

use std::path::{Path, PathBuf};

use duoforge_prover::design::Source;
use duoforge_prover::proof::{Mode, ProofEngine, Run, Start};
use duoforge_prover::{Outcome, Proof, solver};

/// Returns the directory of the repository's properties.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/formal")
}

/// Property without blocks.
pub struct Property {
    /// Verilog of the top module, `proof`.
    pub verilog: String,
    /// Name of the engine, `sat` or `smtbmc`.
    pub engine: String,
    /// Proof method of the run.
    pub mode: String,
    /// Depth of the run, in cycles.
    pub depth: u32,
    /// Time limit of the run, in seconds.
    pub limit: u64,
}

/// Returns the outcome of the property's only run, and the counterexample or error.
pub fn verdict(property: &Property) -> (String, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let proof = Proof {
        name: "made up".into(),
        directory: directory.path().into(),
        about: String::new(),
        bound: String::new(),
        quick: false,
        blocks: vec![],
        generated: vec![],
        opaque: vec![],
        sources: vec![],
        show: vec![],
        runs: vec![],
        mutants: vec![],
    };
    let run = Run {
        name: String::new(),
        engine: if property.engine == "sat" {
            ProofEngine::Sat
        } else {
            ProofEngine::Smtbmc
        },
        mode: match property.mode.as_str() {
            "induction" => Mode::Induction,
            "bounded" => Mode::Bounded,
            _ => Mode::Combinational,
        },
        depth: property.depth,
        start: Start::PowerUp,
        top: "proof".into(),
        define: vec![],
        prepare: String::new(),
        options: vec![],
        limit: property.limit,
    };
    let source = Source {
        name: "proof.sv".into(),
        text: property.verilog.clone(),
    };
    let outcome = solver::run(&proof, &run, &[source], &directory.path().join("run"));
    let text = match &outcome {
        Outcome::Refuted(trace) | Outcome::Undecided(trace) => trace.to_string(),
        Outcome::Error(message) => message.clone(),
        Outcome::Proved | Outcome::OutOfTime => String::new(),
    };
    (outcome.to_string(), text)
}
