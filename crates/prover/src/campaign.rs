//! Proofs as a campaign of many machines. An item is a property on the design, or one mutant.

use std::sync::Mutex;

use duoforge_shards::{Merged, Plan, Results, ShardError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::check::RunResult;
use crate::solver::job::Outcome;
use crate::task::{Task, in_parallel};

/// Name of the campaign in a file of results.
pub const CAMPAIGN: &str = "proofs";

/// Result of a task in a file of results, without times, which no repetition reproduces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTask {
    /// Name of the property.
    pub property: String,
    /// Description of the mutant; `None` for the design.
    pub mutant: Option<String>,
    /// Outcome: `proved`, `refuted` or `undecided`.
    pub outcome: String,
}

impl StoredTask {
    /// Returns the result of a task: the first outcome other than `proved`, if there is one.
    fn new(task: &Task<'_>, results: &[RunResult]) -> Self {
        let failed = results.iter().find(|run| run.outcome != Outcome::Proved);
        let outcome = failed.map_or(&Outcome::Proved, |run| &run.outcome);
        Self {
            property: task.proof.name.clone(),
            mutant: task.change().map(str::to_owned),
            outcome: outcome.to_string(),
        }
    }

    /// Returns the description of the mutant, or `the design`.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.mutant.as_deref().unwrap_or("the design")
    }

    /// True if the property is proved, or the mutant refuted.
    #[must_use]
    pub fn is_good(&self) -> bool {
        let expected = if self.mutant.is_some() {
            "refuted"
        } else {
            "proved"
        };
        self.outcome == expected
    }
}

/// Failure of a shard.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The file of results cannot be written, or it belongs to another campaign.
    #[error(transparent)]
    Results(#[from] ShardError),
    /// An engine failed or ran out of time. Such an item has no result; the same command runs it
    /// again.
    #[error("{0}")]
    NoResult(String),
}

/// Returns the plan of a campaign over tasks. It names their Verilog by a hash.
#[must_use]
pub fn plan(tasks: &[Task<'_>]) -> Plan {
    let mut hash = Sha256::new();
    tasks.iter().for_each(|task| task.hash(&mut hash));
    let hash: String = hash.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Plan::new(CAMPAIGN, env!("CARGO_PKG_VERSION"), 0, tasks.len() as u64).with("verilog", hash)
}

/// Runs the tasks that a file of results lacks, with `jobs` concurrent engines. Calls `finished`
/// with each result.
///
/// # Errors
/// [`CampaignError`], after all tasks have run.
///
/// # Panics
/// If `finished` panics.
pub fn run(
    mut tasks: Vec<Task<'_>>,
    results: &mut Results,
    jobs: usize,
    finished: impl Fn(&StoredTask) + Sync,
) -> Result<(), CampaignError> {
    let missing = results.missing();
    tasks.retain(|task| missing.binary_search(&task.number).is_ok());
    let shared = Mutex::new((results, Ok(())));
    in_parallel(tasks, jobs, |task, runs| {
        let stored = StoredTask::new(task, &runs);
        let mut shared = shared.lock().expect("no thread panics");
        let (results, outcome) = &mut *shared;
        let fault = runs.iter().find_map(|run| match &run.outcome {
            Outcome::OutOfTime => Some("the time limit passed".to_owned()),
            Outcome::Error(message) => Some(message.clone()),
            _ => None,
        });
        let added = match fault {
            Some(fault) => {
                let what = format!("{}, {}: {fault}", stored.property, stored.subject());
                Err(CampaignError::NoResult(what))
            }
            None => results
                .add(task.number, &stored)
                .map_err(CampaignError::from),
        };
        match added {
            Ok(()) => finished(&stored),
            // The first failure is reported.
            Err(error) => {
                if outcome.is_ok() {
                    *outcome = Err(error);
                }
            }
        }
    });
    let (_, outcome) = shared.into_inner().expect("no thread panicked");
    outcome
}

/// Returns the report of merged results, and whether all are good.
///
/// # Errors
/// Results of another campaign.
pub fn merged_report(merged: &Merged) -> Result<(String, bool), ShardError> {
    merged.check_campaign(CAMPAIGN)?;
    let stored: Vec<StoredTask> = merged.results()?.into_iter().map(|(_, it)| it).collect();
    let mut text = String::new();
    for bad in stored.iter().filter(|it| !it.is_good()) {
        text += &format!("{}, {}: {}\n", bad.property, bad.subject(), bad.outcome);
    }
    let (mutants, designs): (Vec<&StoredTask>, Vec<_>) =
        stored.iter().partition(|it| it.mutant.is_some());
    let good = |of: &[&StoredTask]| of.iter().filter(|it| it.is_good()).count();
    text += &format!(
        "{} of {} properties proved, {} of {} mutants refuted",
        good(&designs),
        designs.len(),
        good(&mutants),
        mutants.len(),
    );
    Ok((text, stored.iter().all(StoredTask::is_good)))
}
