//! Jobs of a board, each in a thread: handshake and conformance run.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use duoforge_conform::{ConformanceCheck, Run, RunOptions};
use duoforge_links::Link;
use duoforge_protocol::REPLY_LIMIT;
use duoforge_referee::{Player, RefereeOptions, Seat, SeatedDevice};

use super::SerialBoard;
use super::messages::{Job, Report};
use super::port::Cancel;
use crate::dto::JobStatus;

/// Time limit of a reply: that of the contest, and 500 ms for the share of the browser.
const LIMIT: Duration = REPLY_LIMIT.saturating_add(Duration::from_millis(500));

const CHECKS: &[ConformanceCheck] = &ConformanceCheck::ALL;

/// Result of a job: the team code, or the reason why the job did not run to its end.
type Outcome = Result<Option<String>, String>;

/// Starts a job, which reports its end.
///
/// # Errors
/// The report if it cannot start, since another one runs or the system has no threads left.
pub fn start(board: &Arc<SerialBoard>, job: Job) -> Result<(), Report> {
    let failed = |reason: String| ended(job, JobStatus::Failed, Err(reason));
    let cancel = Cancel::default();
    match &mut *board.lock_job() {
        Some(_) => return Err(failed(busy("another job runs"))),
        none => *none = Some(Arc::clone(&cancel)),
    }
    let own = Arc::clone(board);
    let thread = thread::Builder::new().name("serial".to_owned());
    let started = thread.spawn(move || run(&own, job, &cancel));
    started.map(drop).map_err(|error| {
        *board.lock_job() = None;
        failed(format!("the job cannot start: {error}"))
    })
}

/// Cancels the job that runs.
pub fn cancel(board: &SerialBoard) {
    if let Some(cancel) = &*board.lock_job() {
        cancel.store(true, Ordering::SeqCst);
        board.port.wake();
    }
}

fn busy(reason: &str) -> String {
    format!("the board is in use: {reason}")
}

fn run(board: &SerialBoard, job: Job, cancel: &Cancel) {
    let outcome = match board.device.take() {
        // Held until the end: no game may use the board.
        Some(_lease) => {
            let outcome = match job {
                Job::Identify => identify(board, cancel),
                Job::Conform => conform(board, cancel),
            };
            // The board may be in a game of a check.
            if cancel.load(Ordering::SeqCst)
                && let Ok(mut link) = board.port.open(&Cancel::default())
            {
                // A board that has gone needs no `9`.
                let _ = link.send(b"9");
            }
            outcome
        }
        None => Err(busy("a game is in progress")),
    };
    if let Ok(Some(team)) = &outcome {
        *board.lock_team() = Some(team.clone());
    }
    let status = match outcome {
        Ok(_) => JobStatus::Done,
        Err(_) if cancel.load(Ordering::SeqCst) => JobStatus::Cancelled,
        Err(_) => JobStatus::Failed,
    };
    // A page that reads of the end may begin the next job.
    *board.lock_job() = None;
    board.port.report(ended(job, status, outcome).text());
}

fn ended(job: Job, status: JobStatus, outcome: Outcome) -> Report {
    let (team, reason) = match outcome {
        Ok(team) => (team, None),
        Err(reason) => (None, Some(reason)),
    };
    Report::Ended {
        job,
        status,
        team,
        reason,
    }
}

/// Asks for the team code, and ends the game that the handshake begins.
fn identify(board: &SerialBoard, cancel: &Cancel) -> Outcome {
    let link = board.port.open(cancel).map_err(|error| error.to_string())?;
    let options = RefereeOptions {
        limit: LIMIT,
        ..RefereeOptions::default()
    };
    let mut seated = SeatedDevice::new(Player::board(link), Seat::One, options);
    let team = seated.begin();
    seated.end();
    team.map(|team| Some(team.to_string()))
        .map_err(|error| format!("no handshake: {error}"))
}

/// Runs all checks and reports each.
fn conform(board: &SerialBoard, cancel: &Cancel) -> Outcome {
    let port = &board.port;
    let checks = CHECKS.len();
    let job = Job::Conform;
    port.report(Report::Begun { job, checks }.text());
    let options = RunOptions {
        limit: LIMIT,
        // A socket that has gone does not return.
        wait: Duration::ZERO,
        ..RunOptions::default()
    };
    let open = Box::new(|| Ok(Player::board(port.open(cancel)?)));
    let checks: Vec<_> = CHECKS.iter().collect();
    let report = Run::new(open, options).steps(&checks, |step| {
        port.report(Report::Check(Box::new(step.into())).text());
    });
    report
        .map(|report| report.team)
        .map_err(|error| error.to_string())
}
