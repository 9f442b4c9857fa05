//! What a run found out.

use std::time::Duration;

use duoforge_protocol::wirelog::WireEntry;
use serde::Serialize;

use crate::{Fault, Kind, Step, junit};

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device does what it must; what was seen, in a sentence.
    Passed(String),
    /// It does not.
    Failed(Fault),
    /// It does not do what would be good, but may.
    Warned(Fault),
    /// The situation that the step is about did not come up; why not.
    NotReached(String),
    /// The step was stopped by a fault of a kind that an earlier step has reported.
    Blocked {
        /// The number of that step.
        by: usize,
        /// The fault.
        fault: Fault,
    },
    /// The step was not tried: the device has gone, or never was there.
    NotRun(String),
}

impl Verdict {
    /// The verdict in one word, for programs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Passed(_) => "passed",
            Self::Failed(_) => "failed",
            Self::Warned(_) => "warned",
            Self::NotReached(_) => "not-reached",
            Self::Blocked { .. } => "blocked",
            Self::NotRun(_) => "not-run",
        }
    }

    /// The fault behind it.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Failed(fault) | Self::Warned(fault) | Self::Blocked { fault, .. } => Some(fault),
            Self::Passed(_) | Self::NotReached(_) | Self::NotRun(_) => None,
        }
    }

    /// What there is to say about it, in a sentence.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Passed(text) | Self::NotReached(text) | Self::NotRun(text) => text.clone(),
            Self::Failed(fault) | Self::Warned(fault) => fault.to_string(),
            Self::Blocked { by, fault } => format!("as in step {by}: {fault}"),
        }
    }
}

/// A step that was tried.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// The step.
    pub step: &'static Step,
    /// How it ended.
    pub verdict: Verdict,
    /// How long it took by the wall clock.
    pub wall: Duration,
    /// What went over the line, with its times.
    pub wire: Vec<WireEntry>,
}

/// How many entries of the line's log before a fault show what led to it.
const BEFORE: usize = 8;

/// How many entries after a request may show what became of it.
const AFTER: usize = 5;

impl StepReport {
    /// The part of what went over the line that shows the fault, where there is one.
    #[must_use]
    pub fn evidence(&self) -> &[WireEntry] {
        let Some(fault) = self.verdict.fault() else {
            return &[];
        };
        let (asked, got) = fault.bytes();
        let holds = |entry: &WireEntry, bytes: &[u8]| {
            let inside = |chunk: &[u8]| chunk.windows(bytes.len()).any(|part| part == bytes);
            !bytes.is_empty() && entry.bytes().is_some_and(inside)
        };
        let last = |bytes: &[u8]| self.wire.iter().rposition(|entry| holds(entry, bytes));
        let end = match (last(asked), last(got)) {
            (_, Some(place)) => place + 1,
            (Some(place), None) => place + 1 + AFTER,
            (None, None) => self.wire.len(),
        };
        let end = end.min(self.wire.len());
        &self.wire[end.saturating_sub(BEFORE)..end]
    }
}

/// A run as a whole.
#[derive(Clone, Debug)]
pub struct Report {
    /// The device by its name.
    pub device: String,
    /// The team code that it gave, where it did.
    pub team: Option<String>,
    /// The steps in the order in which they ran.
    pub steps: Vec<StepReport>,
}

impl Report {
    /// How many steps failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_)))
    }

    /// How many steps have a verdict of some kind.
    #[must_use]
    pub fn count(&self, is: impl Fn(&Verdict) -> bool) -> usize {
        self.steps.iter().filter(|step| is(&step.verdict)).count()
    }

    /// The run as a JUnit file: a case for each step, those not reached, blocked or not run skipped.
    #[must_use]
    pub fn junit(&self) -> String {
        junit::write(self)
    }
}

/// A report in JSON.
#[derive(Debug, Serialize)]
pub struct Summary {
    device: String,
    team: Option<String>,
    steps: Vec<StepSummary>,
    passed: usize,
    failed: usize,
    warned: usize,
    not_reached: usize,
    blocked: usize,
    not_run: usize,
}

/// A step in JSON.
#[derive(Debug, Serialize)]
struct StepSummary {
    number: usize,
    name: &'static str,
    /// `required` or `advice`.
    kind: &'static str,
    verdict: &'static str,
    /// The fault in one word.
    fault: Option<&'static str>,
    text: String,
    seconds: f64,
    /// What went over the line up to the fault, if there is one.
    bytes: Vec<String>,
}

impl From<&Report> for Summary {
    fn from(report: &Report) -> Self {
        let steps = report.steps.iter().map(|step| StepSummary {
            number: step.step.number,
            name: step.step.name,
            kind: match step.step.kind {
                Kind::Required => "required",
                Kind::Advice => "advice",
            },
            verdict: step.verdict.word(),
            fault: step.verdict.fault().map(Fault::kind),
            text: step.verdict.text(),
            seconds: step.wall.as_secs_f64(),
            bytes: step.evidence().iter().map(ToString::to_string).collect(),
        });
        let count = |word: &str| report.count(|verdict| verdict.word() == word);
        Self {
            device: report.device.clone(),
            team: report.team.clone(),
            steps: steps.collect(),
            passed: count("passed"),
            failed: count("failed"),
            warned: count("warned"),
            not_reached: count("not-reached"),
            blocked: count("blocked"),
            not_run: count("not-run"),
        }
    }
}

#[cfg(test)]
mod tests;
