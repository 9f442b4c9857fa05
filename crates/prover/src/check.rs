//! Check of a property: the design must satisfy it, every mutant must violate it.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use crate::proof::{Proof, ProofError};
use crate::solver::job::Outcome;
use crate::task::{Task, in_parallel};

/// Result of a run.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// Name of the run.
    pub name: String,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Duration of the run.
    pub time: Duration,
}

/// Result of a mutant.
#[derive(Debug, Clone)]
pub struct MutantResult {
    /// Description of the change.
    pub why: String,
    /// Result of the last run: the first run that did not prove the property, else the last of all.
    pub result: RunResult,
}

impl MutantResult {
    /// True if a counterexample was found.
    pub fn is_refuted(&self) -> bool {
        matches!(self.result.outcome, Outcome::Refuted(_))
    }
}

/// Result of a property.
#[derive(Debug, Clone)]
pub struct PropertyResult {
    /// Property that was checked.
    pub proof: Proof,
    /// Results of its runs, in their order.
    pub runs: Vec<RunResult>,
    /// Results of its mutants, in their order.
    pub mutants: Vec<MutantResult>,
}

impl PropertyResult {
    /// True if every run proved the property.
    pub fn is_proved(&self) -> bool {
        self.runs.iter().all(|run| run.outcome == Outcome::Proved)
    }

    /// True if the property is proved and every mutant refuted.
    pub fn is_good(&self) -> bool {
        self.is_proved() && self.mutants.iter().all(MutantResult::is_refuted)
    }

    /// True if a run or a mutant ended with an error, which leaves its result unknown.
    pub fn has_error(&self) -> bool {
        let mutants = self.mutants.iter().map(|mutant| &mutant.result);
        let mut results = self.runs.iter().chain(mutants);
        results.any(|result| matches!(result.outcome, Outcome::Error(_)))
    }

    /// Returns the total duration of the runs, without the mutants.
    pub fn time(&self) -> Duration {
        self.runs.iter().map(|run| run.time).sum()
    }
}

/// Checks properties with `jobs` concurrent engines, in subdirectories of `directory`. Calls
/// `finished` with each property when its check is complete.
///
/// # Errors
/// [`ProofError`] if a property names something that does not exist, before any engine starts.
pub fn check(
    proofs: &[Proof],
    jobs: usize,
    directory: &Path,
    finished: impl Fn(&PropertyResult) + Sync,
) -> Result<Vec<PropertyResult>, ProofError> {
    let tasks = Task::all(proofs, directory)?;
    let pending: Vec<_> = proofs.iter().map(Pending::new).collect();
    let pending = Mutex::new(pending);
    in_parallel(tasks, jobs, |task, results| {
        let mut pending = pending.lock().expect("no thread panics");
        let pending = &mut pending[task.property];
        pending.take(task.mutant, results);
        if let Some(checked) = pending.checked() {
            finished(&checked);
        }
    });
    let pending = pending.into_inner().expect("no thread panicked");
    let checked = pending.iter().map(|p| p.checked().expect("all was run"));
    Ok(checked.collect())
}

/// Property with the results that have arrived so far.
struct Pending<'a> {
    proof: &'a Proof,
    runs: Option<Vec<RunResult>>,
    mutants: Vec<Option<RunResult>>,
}

impl<'a> Pending<'a> {
    fn new(proof: &'a Proof) -> Self {
        Self {
            proof,
            runs: None,
            mutants: vec![None; proof.mutants.len()],
        }
    }

    fn take(&mut self, mutant: Option<usize>, mut results: Vec<RunResult>) {
        match mutant {
            None => self.runs = Some(results),
            Some(i) => self.mutants[i] = results.pop(),
        }
    }

    /// Returns the result once it is complete.
    fn checked(&self) -> Option<PropertyResult> {
        let named = self.proof.mutants.iter().zip(&self.mutants);
        let mutants = named.map(|(mutant, result)| {
            Some(MutantResult {
                why: mutant.why.clone(),
                result: result.clone()?,
            })
        });
        Some(PropertyResult {
            proof: self.proof.clone(),
            runs: self.runs.clone()?,
            mutants: mutants.collect::<Option<_>>()?,
        })
    }
}
