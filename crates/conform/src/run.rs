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
            let (verdict, is_lost) = match &gone {
                Some(Gone::Lost(_)) if recorded => {
                    self.tried(step, &mut conversation, &mut known)?
                }
                Some(Gone::Lost(reason) | Gone::Dumb(reason)) => {
                    (Verdict::NotRun(reason.clone()), true)
                }
                None => self.tried(step, &mut conversation, &mut known)?,
            };
            let (wire, _) = conversation.take();
            let wire = match &conversation.first_game {
                Some(game) if step.looks_back => game.wire.clone(),
                _ => wire,
            };
            if gone.is_none() {
                gone = why_gone(step, &verdict, is_lost);
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

    /// Returns the verdict of a check, and true if the check lost the link.
    fn tried(
        &self,
        step: &'static ConformanceCheck,
        conversation: &mut Conversation,
        known: &mut Vec<(usize, &'static str)>,
    ) -> Result<(Verdict, bool), ConformError> {
        let result = self.attempt(step, conversation);
        let is_lost = matches!(&result, Err(CheckError::Fault(Fault::Lost { .. })));
        let verdict = judge(step, result, conversation, known)?;
        Ok((verdict, is_lost))
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
        // A USB adapter returns under its path only once the lost port is closed.
        conversation.device.close();
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
fn why_gone(step: &ConformanceCheck, verdict: &Verdict, is_lost: bool) -> Option<Gone> {
    let fault = verdict.fault()?;
    if is_lost {
        let text = format!("link lost in check {}", step.number);
        return Some(Gone::Lost(text));
    }
    let dumb = step.number == 1 && !fault.is_soft();
    dumb.then(|| Gone::Dumb(format!("the handshake failed: {fault}")))
}

/// Derives the verdict of a check. A fault of a family that was reported before blocks the check,
/// unless a new fault preceded it.
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
        (Err(CheckError::Fault(fault)), Some(soft)) if reported(&fault).is_some() => soft,
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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::Arc;

    use duoforge_links::{Link, LinkError, Received, Sent};
    use duoforge_referee::Player;

    use super::*;
    use crate::scripted;

    /// Link at a port that is in use as long as the link exists.
    struct PortLink<L> {
        inner: L,
        _port: Arc<()>,
    }

    impl<L: Link> Link for PortLink<L> {
        fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
            self.inner.send(bytes)
        }

        fn recv<'b>(
            &mut self,
            buf: &'b mut [u8],
            deadline: Instant,
        ) -> Result<Received<'b>, LinkError> {
            self.inner.recv(buf, deadline)
        }

        fn describe(&self) -> String {
            self.inner.describe()
        }
    }

    /// Opens devices one after the other at a port that one link uses at a time. Each sends one
    /// reply after each send, and is lost after its replies if another device follows.
    fn open(devices: &[&[&'static str]]) -> Opener<'static> {
        let reply = |text: &&str| match *text {
            "" => Vec::new(),
            text => vec![(Duration::from_millis(1), text.as_bytes().to_vec())],
        };
        let mut links = VecDeque::new();
        for (i, replies) in devices.iter().enumerate() {
            let ends = i + 1 < devices.len();
            links.push_back(scripted::link(replies.iter().map(reply), ends));
        }
        let port = Arc::new(());
        Box::new(move || {
            if Arc::strong_count(&port) > 1 {
                return Err("the port is in use".into());
            }
            let inner = links.pop_front().ok_or("the device is missing")?;
            let _port = Arc::clone(&port);
            Ok(Player::board(PortLink { inner, _port }))
        })
    }

    /// Runs checks and returns the verdicts as words.
    fn run(devices: &[&[&'static str]], checks: &[&str]) -> (Vec<&'static str>, Report) {
        let settings = RunOptions {
            wait: Duration::ZERO,
            ..RunOptions::default()
        };
        let found = checks.iter().map(|name| ConformanceCheck::find(name));
        let found: Vec<_> = found.map(Option::unwrap).collect();
        let report = Run::new(open(devices), settings).steps(&found, |_| ());
        let report = report.unwrap();
        let words = report.steps.iter().map(|step| step.verdict.word());
        (words.collect(), report)
    }

    /// A device under the path of the lost one can be opened only after the lost link is closed.
    #[test]
    fn a_lost_link_is_closed_before_the_device_is_opened_again() {
        let lost = &["1AA", "1AA", "1AA", "1AA"][..];
        let (words, report) = run(
            &[lost, &["", "", "1AA", "53e0"]],
            &["handshake", "answers", "garbage"],
        );
        assert_eq!(words, ["passed", "failed", "passed"], "{report:?}");
    }

    /// A fault that was reported before does not hide a new one.
    #[test]
    fn a_new_fault_is_reported_before_one_that_blocks_the_check() {
        let checks = ["handshake", "answers", "next-game", "starts"];
        let silent = ["1AA", "1AA", "1AA", "1AA", "", "", "1BB", "", "", "1BB", ""];
        let (words, report) = run(&[&silent], &checks);
        assert_eq!(words, ["passed", "failed", "failed", "blocked"]);
        assert_eq!(
            report.steps[2].verdict.text(),
            "team code BB differs from the first team code AA"
        );
        // The device is opened again even if the new fault, not the loss, is reported.
        let lost = &["1AA", "1AA", "1AA", "1AA"][..];
        let other = &["", "1BB"][..];
        let garbage = &["", "", "1AA", "53e0"][..];
        let checks = ["handshake", "answers", "next-game", "garbage"];
        let (words, report) = run(&[lost, other, garbage], &checks);
        let expected = ["passed", "failed", "failed", "passed"];
        assert_eq!(words, expected, "{report:?}");
        assert_eq!(
            report.steps[2].verdict.fault().map(Fault::kind),
            Some("other-team")
        );
    }
}
