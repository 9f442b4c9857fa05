//! Run of the checks on a text bot.

use std::time::Instant;

use super::{BotOptions, BotProtocolFault, BotTester};
use crate::device::CheckError;
use crate::step::Procedure;
use crate::{ConformError, ConformanceCheck, Fault, Kind, Report, StepReport, Verdict};

/// Number of the check of the input test.
const FIRST: usize = ConformanceCheck::BOT[0].number;

/// Run of conformance checks on a text bot.
///
/// ```
/// use std::time::Duration;
/// use duoforge_conform::ConformanceCheck;
/// use duoforge_conform::bot::{BotOptions, BotRun};
///
/// let options = BotOptions {
///     warmup: Duration::from_secs(60),
///     ..BotOptions::new(["sh", "-c", "read -r line; exit 3"].map(String::from).into())
/// };
/// let report = BotRun::new(options).steps(&[&ConformanceCheck::BOT[0]], |_| ())?;
/// assert_eq!(report.failed(), 1);
/// assert!(report.steps[0].verdict.text().starts_with("the program ended with exit status 3"));
/// # Ok::<(), duoforge_conform::ConformError>(())
/// ```
#[derive(Debug)]
pub struct BotRun {
    tester: BotTester,
}

impl BotRun {
    /// Creates a run.
    #[must_use]
    pub fn new(options: BotOptions) -> Self {
        Self {
            tester: BotTester::new(options),
        }
    }

    /// Runs the checks in succession; `seen` receives each result. Checks of devices are not run.
    ///
    /// # Errors
    /// Failures of this program. Faults of the bot are in the report.
    pub fn steps(
        mut self,
        steps: &[&'static ConformanceCheck],
        mut seen: impl FnMut(&StepReport),
    ) -> Result<Report, ConformError> {
        let mut known: Vec<(usize, &'static str)> = Vec::new();
        let mut not_ready: Option<String> = None;
        let mut reports = Vec::new();
        for &step in steps {
            let begin = Instant::now();
            let verdict = match (&not_ready, step.run) {
                (Some(reason), _) => Verdict::NotRun(reason.clone()),
                (None, Procedure::Bot(run)) => judge(step, run(&mut self.tester), &mut known)?,
                (None, Procedure::Device(_)) => {
                    Verdict::NotRun("the check is for devices".to_owned())
                }
            };
            if let Verdict::Failed(Fault::Bot(fault)) = &verdict {
                self.tester.impatient |= fault.kind() == "silent";
                // Without an input test there is no game.
                if step.number == FIRST && *fault != BotProtocolFault::EarlyReady {
                    not_ready = Some(format!("the input test failed: {fault}"));
                }
            }
            let report = StepReport {
                step,
                verdict,
                wall: begin.elapsed(),
                wire: self.tester.take_wire(),
            };
            seen(&report);
            reports.push(report);
        }
        Ok(Report {
            device: format!("bot:{}", self.tester.options.words.join(" ")),
            team: None,
            steps: reports,
        })
    }
}

/// Derives the verdict of a check. A fault of a kind that was reported before blocks the check.
fn judge(
    step: &'static ConformanceCheck,
    result: Result<String, CheckError>,
    known: &mut Vec<(usize, &'static str)>,
) -> Result<Verdict, ConformError> {
    let fault = match result {
        Ok(text) => return Ok(Verdict::Passed(text)),
        Err(CheckError::NotReached(text)) => return Ok(Verdict::NotReached(text)),
        Err(CheckError::Failed(error)) => return Err(error),
        Err(CheckError::Fault(fault)) => fault,
    };
    let mut reported = known.iter();
    if let Some(&(by, _)) = reported.find(|(_, family)| *family == fault.family()) {
        return Ok(Verdict::Blocked { by, fault });
    }
    known.push((step.number, fault.family()));
    Ok(match step.kind {
        Kind::Required => Verdict::Failed(fault),
        Kind::Advice => Verdict::Warned(fault),
    })
}
