//! Tasks: the runs of a property on the design, or on one mutant.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use sha2::{Digest, Sha256};

use crate::check::RunResult;
use crate::design::{self, Source};
use crate::proof::{Proof, ProofError, Run};
use crate::solver::{self, job::Outcome};

/// Unit of work: all runs on the design, or a mutant's runs up to the first that does not prove the
/// property.
#[derive(Debug)]
pub struct Task<'a> {
    /// Position of the task in the list.
    pub number: u64,
    /// Position of the property in the list.
    pub property: usize,
    /// Property.
    pub proof: &'a Proof,
    /// Position of the mutant in the property's list; `None` for the design.
    pub mutant: Option<usize>,
    runs: Vec<Run>,
    sources: Vec<Source>,
    directory: PathBuf,
}

impl<'a> Task<'a> {
    /// Returns the tasks of properties in order: the design first, then each mutant. They run in
    /// subdirectories of `directory`.
    ///
    /// # Errors
    /// [`ProofError`] if a property names something that does not exist.
    pub fn all(proofs: &'a [Proof], directory: &Path) -> Result<Vec<Self>, ProofError> {
        let mut tasks = Vec::new();
        for (property, proof) in proofs.iter().enumerate() {
            let sources = design::sources(proof)?;
            let directory = directory.join(&proof.name);
            tasks.push(Self {
                number: tasks.len() as u64,
                property,
                proof,
                mutant: None,
                runs: proof.runs.clone(),
                sources: sources.clone(),
                directory: directory.join("design"),
            });
            for (i, mutant) in proof.mutants.iter().enumerate() {
                tasks.push(Self {
                    number: tasks.len() as u64,
                    property,
                    proof,
                    mutant: Some(i),
                    runs: proof.runs_for(mutant),
                    sources: design::mutated(proof, &sources, mutant)?,
                    directory: directory.join(format!("mutant-{}", i + 1)),
                });
            }
        }
        Ok(tasks)
    }

    /// Returns the description of the mutant; `None` for the design.
    #[must_use]
    pub fn change(&self) -> Option<&'a str> {
        self.mutant
            .map(|mutant| self.proof.mutants[mutant].why.as_str())
    }

    /// Adds all that the results depend on to a hash.
    pub(crate) fn hash(&self, hash: &mut Sha256) {
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        add(&self.proof.name);
        add(&format!("{:?}", self.runs));
        for source in &self.sources {
            add(&source.name);
            add(&source.text);
        }
    }

    fn results(&self) -> Vec<RunResult> {
        let mut results = Vec::new();
        for (i, run) in self.runs.iter().enumerate() {
            let begin = Instant::now();
            let directory = self.directory.join(format!("run-{}", i + 1));
            let outcome = solver::run(self.proof, run, &self.sources, &directory);
            let proved = outcome == Outcome::Proved;
            results.push(RunResult {
                name: run.name.clone(),
                outcome,
                time: begin.elapsed(),
            });
            if self.mutant.is_some() && !proved {
                break;
            }
        }
        results
    }
}

/// Runs tasks with `jobs` concurrent engines. Calls `finished` with the results of each.
///
/// # Panics
/// If `finished` panics.
pub fn in_parallel(
    tasks: Vec<Task<'_>>,
    jobs: usize,
    finished: impl Fn(&Task<'_>, Vec<RunResult>) + Sync,
) {
    let tasks = Mutex::new(VecDeque::from(tasks));
    let next = || tasks.lock().expect("no thread panics").pop_front();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(task) = next() {
                    finished(&task, task.results());
                }
            });
        }
    });
}
