//! Result of a check.

use serde::Serialize;

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// As it should be.
    Ok,
    /// Something does not work, or not well, that not everybody needs.
    Warning,
    /// Something that is there does not work.
    Problem,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Checks of one group are listed together.
    #[serde(skip)]
    pub group: &'static str,
    /// What was looked at.
    pub check: String,
    /// How it is.
    pub verdict: Health,
    /// What was seen.
    pub detail: String,
    /// What to do about it, where something has to be done.
    pub help: Option<String>,
}

impl Check {
    /// A check that found everything in order.
    pub fn ok(group: &'static str, check: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            group,
            check: check.into(),
            verdict: Health::Ok,
            detail: detail.into(),
            help: None,
        }
    }

    /// The same check with another verdict, and what to do about it.
    pub fn but(self, verdict: Health, help: impl Into<String>) -> Self {
        Self {
            verdict,
            help: Some(help.into()),
            ..self
        }
    }
}
