//! Result of a check.

use serde::Serialize;

/// Verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// No fault found.
    Ok,
    /// Something optional does not work, or works badly.
    Warning,
    /// Something present does not work.
    Problem,
}

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Group of the check; checks of one group are listed together.
    #[serde(skip)]
    pub group: &'static str,
    /// Name of the check.
    pub check: String,
    /// Verdict of the check.
    pub verdict: Health,
    /// Observation in words.
    pub detail: String,
    /// Next action; `None` if the verdict is `Ok`.
    pub help: Option<String>,
}

impl Check {
    /// Creates the result of a check that found no fault.
    pub fn ok(group: &'static str, check: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            group,
            check: check.into(),
            verdict: Health::Ok,
            detail: detail.into(),
            help: None,
        }
    }

    /// Replaces the verdict and adds the next action.
    pub fn but(self, verdict: Health, help: impl Into<String>) -> Self {
        Self {
            verdict,
            help: Some(help.into()),
            ..self
        }
    }
}
