//! Run of the checks on a device.

use std::thread;
use std::time::{Duration, Instant};

use crate::conversation::Conversation;
use crate::device::{CheckError, DeviceUnderTest, Opener};
use crate::step::Procedure;
use crate::{ConformError, ConformanceCheck, Fault, Kind, Report, RunOptions, StepReport, Verdict};

/// Interval between attempts to reopen a device.
const POLL: Duration = Duration::from_millis(100);

/// Run of conformance checks on one device.
pub struct Run<'a> {
    open: Opener<'a>,
    settings: RunOptions,
}

impl<'a> Run<'a> {
    /// Creates a run; `open` opens the device at the beginning and after a loss of the link.
    #[must_use]
    pub fn new(open: Opener<'a>, settings: RunOptions) -> Self {
        Self { open, settings }
    }

    /// Runs the checks in succession; `seen` receives each result.
    ///
    /// # Errors
    /// Errors of opening the device for the first time, and failures of this program:
    /// [`ConformError::Inside`], [`ConformError::Referee`]. Faults of the device are in the report.
    pub fn steps(
        mut self,
        steps: &[&'static ConformanceCheck],
        mut seen: impl FnMut(&StepReport),
    ) -> Result<Report, ConformError> {
        let player = (self.open)().map_err(ConformError::Open)?;
        let device = player.name().to_owned();
        let mut conversation = Conversation::new(player, self.settings);
        let mut known: Vec<(usize, &'static str)> = Vec::new();
        let mut gone: Option<Gone> = None;
        let mut reports = Vec::new();
        for step in steps {
            let begin = Instant::now();
            let lost = matches!(gone, Some(Gone::Lost(_)));
            if lost && self.comes_back(&mut conversation) {
                gone = None;
            }
            let recorded = step.looks_back && conversation.first_game.is_some();
            let verdict = match &gone {
                Some(Gone::Lost(_)) if recorded => {
                    self.tried(step, &mut conversation, &mut known)?
                }
                Some(Gone::Lost(reason) | Gone::Dumb(reason)) => Verdict::NotRun(reason.clone()),
                None => self.tried(step, &mut conversation, &mut known)?,
            };
            let (wire, _) = conversation.take();
            let wire = match &conversation.first_game {
                Some(game) if step.looks_back => game.wire.clone(),
                _ => wire,
            };
            if gone.is_none() {
                gone = why_gone(step, &verdict);
            }
            let report = StepReport {
                step,
                verdict,
                wall: begin.elapsed(),
                wire,
            };
            seen(&report);
            reports.push(report);
        }
        Ok(Report {
            device,
            team: conversation.team.map(|team| team.to_string()),
            steps: reports,
        })
    }

    fn tried(
        &self,
        step: &'static ConformanceCheck,
        conversation: &mut Conversation,
        known: &mut Vec<(usize, &'static str)>,
    ) -> Result<Verdict, ConformError> {
        let result = self.attempt(step, conversation);
        judge(step, result, conversation, known)
    }

    /// Brings the device to a defined state and runs a check.
    fn attempt(
        &self,
        step: &ConformanceCheck,
        conversation: &mut Conversation,
    ) -> Result<String, CheckError> {
        // The handshake and the first game start from power-on, as in the contest.
        if step.number > 6 {
            conversation.settle()?;
            conversation.take();
        }
        match step.run {
            Procedure::Device(run) => run(conversation),
            Procedure::Bot(_) => Err(CheckError::NotReached(
                "the check is for text bots".to_owned(),
            )),
        }
    }

    /// Reopens a lost device; returns false if it does not return in time.
    fn comes_back(&mut self, conversation: &mut Conversation) -> bool {
        let deadline = Instant::now() + self.settings.wait;
        loop {
            if let Ok(player) = (self.open)() {
                conversation.device = DeviceUnderTest::new(player);
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL);
        }
    }
}

/// Reason why the device cannot be tested further.
enum Gone {
    /// The link is lost; the device may return.
    Lost(String),
    /// There is no handshake, and so no game.
    Dumb(String),
}

/// Returns a reason if further checks of the device make no sense.
fn why_gone(step: &ConformanceCheck, verdict: &Verdict) -> Option<Gone> {
    let fault = verdict.fault()?;
    if matches!(fault, Fault::Lost { .. }) {
        let text = format!("link lost in check {}", step.number);
        return Some(Gone::Lost(text));
    }
    let dumb = step.number == 1 && !fault.is_soft();
    dumb.then(|| Gone::Dumb(format!("the handshake failed: {fault}")))
}

/// Derives the verdict of a check. A fault of a family that was reported before blocks the check.
fn judge(
    step: &'static ConformanceCheck,
    result: Result<String, CheckError>,
    conversation: &mut Conversation,
    known: &mut Vec<(usize, &'static str)>,
) -> Result<Verdict, ConformError> {
    let reported = |fault: &Fault| {
        let mut known = known.iter();
        known
            .find(|(_, family)| *family == fault.family())
            .map(|&(by, _)| by)
    };
    // The checks of the first game select faults by their aspect.
    let soft = if step.looks_back {
        None
    } else {
        conversation
            .non_fatal
            .iter()
            .find(|fault| reported(fault).is_none())
            .cloned()
    };
    let fault = match (result, soft) {
        (Err(CheckError::Failed(error)), _) => return Err(error),
        (Err(CheckError::Fault(fault)), _) => fault,
        (_, Some(fault)) => fault,
        (Ok(text), None) => return Ok(Verdict::Passed(text)),
        (Err(CheckError::NotReached(text)), None) => return Ok(Verdict::NotReached(text)),
    };
    if let Some(by) = reported(&fault) {
        return Ok(Verdict::Blocked { by, fault });
    }
    known.push((step.number, fault.family()));
    // After a missing reply, later waits end at the limit.
    conversation.impatient |= matches!(fault, Fault::Silent { .. } | Fault::Short { .. });
    Ok(match step.kind {
        Kind::Required => Verdict::Failed(fault),
        Kind::Advice => Verdict::Warned(fault),
    })
}
