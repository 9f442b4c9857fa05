//! Trying a device with steps.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_arena::ArenaError;

use crate::device::{Device, Opener, Trouble};
use crate::table::Table;
use crate::{Fault, Kind, Report, Settings, Step, StepReport, Verdict};

/// How often it is looked whether a device has come back.
const POLL: Duration = Duration::from_millis(100);

/// A device that is to be tried.
pub struct Run<'a> {
    open: Opener<'a>,
    settings: Settings,
}

impl<'a> Run<'a> {
    /// A device that `open` opens, at the beginning and when it was lost.
    #[must_use]
    pub fn new(open: Opener<'a>, settings: Settings) -> Self {
        Self { open, settings }
    }

    /// Tries the steps one after the other; each is told to `seen` when it is over.
    ///
    /// # Errors
    /// Those of opening the device in the first place, and failures of this program:
    /// [`ArenaError::Simulation`], [`ArenaError::CheckersDisagree`]. Whatever the device does is in
    /// the report.
    pub fn steps(
        mut self,
        steps: &[&'static Step],
        mut seen: impl FnMut(&StepReport),
    ) -> Result<Report, ArenaError> {
        let player = (self.open)()?;
        let device = player.name().to_owned();
        let mut table = Table::new(player, self.settings);
        let mut known: Vec<(usize, &'static str)> = Vec::new();
        let mut gone: Option<Gone> = None;
        let mut reports = Vec::new();
        for step in steps {
            let begin = Instant::now();
            let lost = matches!(gone, Some(Gone::Lost(_)));
            if lost && self.comes_back(&mut table) {
                gone = None;
            }
            let recorded = step.looks_back && table.first_game.is_some();
            let verdict = match &gone {
                Some(Gone::Lost(_)) if recorded => self.tried(step, &mut table, &mut known)?,
                Some(Gone::Lost(reason) | Gone::Dumb(reason)) => Verdict::NotRun(reason.clone()),
                None => self.tried(step, &mut table, &mut known)?,
            };
            let (wire, _) = table.take();
            let wire = match &table.first_game {
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
            team: table.team.map(|team| team.to_string()),
            steps: reports,
        })
    }

    fn tried(
        &self,
        step: &'static Step,
        table: &mut Table,
        known: &mut Vec<(usize, &'static str)>,
    ) -> Result<Verdict, ArenaError> {
        let result = self.attempt(step, table);
        judge(step, result, table, known)
    }

    /// Brings the device to rest and tries a step.
    fn attempt(&self, step: &Step, table: &mut Table) -> Result<String, Trouble> {
        // The handshake and the first game begin as at the contest, after nothing.
        if step.number > 6 {
            table.settle()?;
            table.take();
        }
        (step.run)(table)
    }

    /// Opens a device that was lost again, if it comes back in time.
    fn comes_back(&mut self, table: &mut Table) -> bool {
        let deadline = Instant::now() + self.settings.wait;
        loop {
            if let Ok(player) = (self.open)() {
                table.device = Device::new(player);
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL);
        }
    }
}

/// Why the device cannot be tried further.
enum Gone {
    /// Its link is lost; it may come back.
    Lost(String),
    /// There is no handshake, and so no game.
    Dumb(String),
}

/// Whether there is no use in going on with the device as it is.
fn why_gone(step: &Step, verdict: &Verdict) -> Option<Gone> {
    let fault = verdict.fault()?;
    if matches!(fault, Fault::Lost { .. }) {
        let text = format!("the device has gone, since step {}", step.number);
        return Some(Gone::Lost(text));
    }
    let dumb = step.number == 1 && !fault.is_soft();
    dumb.then(|| Gone::Dumb(format!("the handshake failed: {fault}")))
}

/// Makes a verdict of what a step met. A fault of a kind that was reported before is no news.
fn judge(
    step: &'static Step,
    result: Result<String, Trouble>,
    table: &mut Table,
    known: &mut Vec<(usize, &'static str)>,
) -> Result<Verdict, ArenaError> {
    let reported = |fault: &Fault| {
        let mut known = known.iter();
        known
            .find(|(_, family)| *family == fault.family())
            .map(|&(by, _)| by)
    };
    // What the steps about the first game look at is sorted already.
    let soft = if step.looks_back {
        None
    } else {
        table
            .soft
            .iter()
            .find(|fault| reported(fault).is_none())
            .cloned()
    };
    let fault = match (result, soft) {
        (Err(Trouble::Failed(error)), _) => return Err(error),
        (Err(Trouble::Fault(fault)), _) => fault,
        (_, Some(fault)) => fault,
        (Ok(text), None) => return Ok(Verdict::Passed(text)),
        (Err(Trouble::NotReached(text)), None) => return Ok(Verdict::NotReached(text)),
    };
    if let Some(by) = reported(&fault) {
        return Ok(Verdict::Blocked { by, fault });
    }
    known.push((step.number, fault.family()));
    // Whoever falls silent is not waited for longer than necessary from now on.
    table.impatient |= matches!(fault, Fault::Silent { .. } | Fault::Short { .. });
    Ok(match step.kind {
        Kind::Required => Verdict::Failed(fault),
        Kind::Advice => Verdict::Warned(fault),
    })
}
