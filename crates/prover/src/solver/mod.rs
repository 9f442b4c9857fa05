//! Runs of the engines.

use std::fs;
use std::path::Path;

use self::job::{Job, Outcome, Stopped};
use crate::design::{self, Source};
use crate::proof::{Engine, Proof, Run};

pub mod job;
mod sat;
mod smtbmc;

/// Runs one run of a property over the sources, in its own directory.
pub fn run(proof: &Proof, run: &Run, sources: &[Source], folder: &Path) -> Outcome {
    let written = fs::create_dir_all(folder)
        .map_err(|error| error.to_string())
        .and_then(|()| design::write(sources, folder).map_err(|error| error.to_string()));
    if let Err(message) = written {
        return Outcome::Error(message);
    }
    let job = Job {
        proof,
        run,
        sources,
        folder,
    };
    let answer = match run.engine {
        Engine::Sat => sat::run(&job),
        Engine::Smtbmc => smtbmc::run(&job),
    };
    answer.unwrap_or_else(|stopped| match stopped {
        Stopped::OutOfTime => Outcome::OutOfTime,
        Stopped::Error(message) => Outcome::Error(message),
    })
}
