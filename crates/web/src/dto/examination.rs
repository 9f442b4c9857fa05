//! Examinations of devices.

use duoforge_conform::{ConformanceCheck, Fault, Kind, StepReport};
use duoforge_view::Version;
use serde::Serialize;
use utoipa::ToSchema;

use super::{JobStatus, WireEntryView};

/// Maximum number of entries of the line that a run shows, the last ones.
const LAST: usize = 64;

/// Reply of a device to `0` and `????`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Identification {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Name of the device's profile.
    pub player: String,
    /// Team code; null if the device does not reply.
    pub team: Option<String>,
    /// Build id in eight hexadecimal digits; null if the device reports none.
    pub build: Option<String>,
    /// Reason why there is no team code.
    pub fault: Option<String>,
    /// Bytes on the line.
    pub bytes: Vec<WireEntryView>,
}

/// Runs of conformance checks that are kept, the oldest one first.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ConformanceList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// The runs.
    pub conformances: Vec<Conformance>,
}

/// Run of conformance checks on a device.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Conformance {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Id.
    pub id: String,
    /// Progress. A run fails if the device cannot be opened; failed checks are in `steps`.
    pub status: JobStatus,
    /// Name of the device's profile.
    pub player: String,
    /// Reason why the run failed.
    pub reason: Option<String>,
    /// Team code of the device; null before the end, and if it sent none.
    pub team: Option<String>,
    /// The checks, as `duoforge conform --json` prints them.
    pub steps: Vec<CheckView>,
    /// Last bytes on the line, at most 64 entries of the last check.
    pub bytes: Vec<WireEntryView>,
}

/// Conformance check and its result.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CheckView {
    /// Number of the check.
    pub number: usize,
    /// Name of the check.
    pub name: &'static str,
    /// Requirement in a sentence.
    pub about: &'static str,
    /// Kind of check: `required` or `advice`.
    pub kind: &'static str,
    /// `passed`, `failed`, `warned`, `not-reached`, `blocked` or `not-run`; null before the result.
    pub verdict: Option<&'static str>,
    /// Keyword of the fault.
    pub fault: Option<&'static str>,
    /// Result in a sentence.
    pub text: Option<String>,
    /// Duration of the check in seconds.
    pub seconds: Option<f64>,
    /// Log entries that show the fault; empty without a fault.
    pub bytes: Vec<String>,
}

impl CheckView {
    /// Describes a check that has no result.
    pub fn new(step: &ConformanceCheck) -> Self {
        Self {
            number: step.number,
            name: step.name,
            about: step.about,
            kind: match step.kind {
                Kind::Required => "required",
                Kind::Advice => "advice",
            },
            verdict: None,
            fault: None,
            text: None,
            seconds: None,
            bytes: Vec::new(),
        }
    }
}

impl From<&StepReport> for CheckView {
    fn from(report: &StepReport) -> Self {
        Self {
            verdict: Some(report.verdict.word()),
            fault: report.verdict.fault().map(Fault::kind),
            text: Some(report.verdict.text()),
            seconds: Some(report.wall.as_secs_f64()),
            bytes: report.evidence().iter().map(ToString::to_string).collect(),
            ..Self::new(report.step)
        }
    }
}

impl Conformance {
    /// Adds the result of a check.
    pub fn add(&mut self, report: &StepReport) {
        let from = report.wire.len().saturating_sub(LAST);
        if !report.wire.is_empty() {
            self.bytes = WireEntryView::of_device(&report.wire[from..]);
        }
        let number = report.step.number;
        if let Some(step) = self.steps.iter_mut().find(|step| step.number == number) {
            *step = report.into();
        }
    }
}
