//! Runs of the engines.

use std::fs;
use std::path::Path;

use self::job::{EngineError, EngineJob, Outcome};
use crate::design::{self, Source};
use crate::proof::{Proof, ProofEngine, Run};

pub mod job;
mod sat;
mod smtbmc;

/// Runs one run of a property over the sources, in its own directory.
pub fn run(proof: &Proof, run: &Run, sources: &[Source], directory: &Path) -> Outcome {
    let written = fs::create_dir_all(directory)
        .map_err(|error| error.to_string())
        .and_then(|()| design::write(sources, directory).map_err(|error| error.to_string()));
    if let Err(message) = written {
        return Outcome::Error(message);
    }
    let job = EngineJob {
        proof,
        run,
        sources,
        directory,
    };
    let answer = match run.engine {
        ProofEngine::Sat => sat::run(&job),
        ProofEngine::Smtbmc => smtbmc::run(&job),
    };
    answer.unwrap_or_else(|stopped| match stopped {
        EngineError::OutOfTime => Outcome::OutOfTime,
        EngineError::Error(message) => Outcome::Error(message),
    })
}
