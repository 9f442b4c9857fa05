//! Report of a run.

use std::time::Duration;

use duoforge_links::wirelog::WireEntry;
use serde::Serialize;

use crate::{ConformanceCheck, Fault, Kind};

/// Verdict of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device passed; the text is the observation in a sentence.
    Passed(String),
    /// The device violated a requirement.
    Failed(Fault),
    /// The device deviates from an advisory check, which is permitted.
    Warned(Fault),
    /// The situation of the check did not occur, for this reason.
    NotReached(String),
    /// A fault of a kind that an earlier check reported stopped the check.
    Blocked {
        /// Number of that check.
        by: usize,
        /// Fault that stopped the check.
        fault: Fault,
    },
    /// The check did not run: the device has disconnected, or never completed a handshake.
    NotRun(String),
}

impl Verdict {
    /// Keyword of the verdict, for programs.
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

    /// Fault that caused the verdict.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Failed(fault) | Self::Warned(fault) | Self::Blocked { fault, .. } => Some(fault),
            Self::Passed(_) | Self::NotReached(_) | Self::NotRun(_) => None,
        }
    }

    /// Description of the verdict in a sentence.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Passed(text) | Self::NotReached(text) | Self::NotRun(text) => text.clone(),
            Self::Failed(fault) | Self::Warned(fault) => fault.to_string(),
            Self::Blocked { by, fault } => format!("as in check {by}: {fault}"),
        }
    }
}

/// Result of a check.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// The check.
    pub step: &'static ConformanceCheck,
    /// Verdict of the check.
    pub verdict: Verdict,
    /// Wall clock duration of the check.
    pub wall: Duration,
    /// Log of the traffic with its times.
    pub wire: Vec<WireEntry>,
}

/// Maximum number of log entries shown, up to the end of the evidence.
const BEFORE: usize = 8;

/// Maximum number of log entries shown after a prompt without a reply.
const AFTER: usize = 5;

impl StepReport {
    /// Log entries that show the fault; empty without a fault.
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

/// Report of a whole run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Name of the device.
    pub device: String,
    /// Team code of the device, if it sent one.
    pub team: Option<String>,
    /// Results of the checks in the order in which they ran.
    pub steps: Vec<StepReport>,
}

impl Report {
    /// Number of failed checks.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_)))
    }

    /// Number of checks whose verdict satisfies a predicate.
    #[must_use]
    pub fn count(&self, is: impl Fn(&Verdict) -> bool) -> usize {
        self.steps.iter().filter(|step| is(&step.verdict)).count()
    }
}

/// Report in JSON.
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

/// Check in JSON.
#[derive(Debug, Serialize)]
struct StepSummary {
    number: usize,
    name: &'static str,
    /// Kind of check: `required` or `advice`.
    kind: &'static str,
    verdict: &'static str,
    /// Keyword of the fault.
    fault: Option<&'static str>,
    text: String,
    seconds: f64,
    /// Log entries that show the fault; empty without a fault.
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
