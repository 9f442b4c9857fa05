//! Comparisons of one decision of a game: the device that played it, the twin, and the emitted
//! Verilog in simulation. One runs, up to four wait.

mod model;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use duoforge_rules::{Cell, Colour};
use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use model::{Decided, Decision, HardwareModel, HardwareOutcome, Mismatch};

use crate::dto::{Comparison, ComparisonStatus, DecisionView, DeviceView, DifferenceView};
use crate::feed::{Feed, ShownGame};
use crate::play;
use crate::position::shown;
use crate::problem::Problem;

/// Maximum number of comparisons that wait.
const MAX_WAITING: usize = 4;

/// Number of finished comparisons that are kept.
const KEPT: usize = 16;

/// Request for a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewComparison {
    /// Id of a game of Blokus Duo.
    game: String,
    /// Number of moves before the decision.
    ply: usize,
}

/// Comparisons of the service. The thread that runs them ends with the last owner.
pub struct Comparisons {
    shared: Arc<Shared>,
    feed: Arc<Feed>,
}

struct Shared {
    model: Option<Arc<dyn HardwareModel>>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    created: u64,
    stopped: bool,
}

struct Job {
    view: Comparison,
    decision: Decision,
    cancel: Arc<AtomicBool>,
}

impl Job {
    fn is_open(&self) -> bool {
        matches!(
            self.view.status,
            ComparisonStatus::Waiting | ComparisonStatus::Running
        )
    }
}

impl Comparisons {
    /// Starts the thread that runs comparisons.
    ///
    /// # Errors
    /// The error of the operating system if there is no thread.
    pub fn start(model: Option<Arc<dyn HardwareModel>>, feed: Arc<Feed>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            model,
            queue: Mutex::default(),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&shared);
        thread::Builder::new()
            .name("comparisons".to_owned())
            .spawn(move || while own.run_next() {})?;
        Ok(Self { shared, feed })
    }

    /// Adds a comparison.
    pub fn create(&self, request: &NewComparison) -> Result<Comparison, Problem> {
        let id = &request.game;
        let game = self.feed.game(id).ok_or_else(|| play::unknown(id))?;
        let decision = decision(&game, request.ply)?;
        let Some(model) = &self.shared.model else {
            return Err(Problem::invalid(
                "duoforge::model",
                "this service has no simulation of the hardware",
            ));
        };
        let mut queue = self.shared.lock();
        let open = queue.jobs.iter().filter(|job| job.is_open()).count();
        if open > MAX_WAITING {
            let message = format!("{open} comparisons run or wait: expected at most {MAX_WAITING}");
            return Err(Problem::busy(message));
        }
        queue.created += 1;
        let view = Comparison {
            version: Version,
            id: format!("c{}", queue.created),
            status: ComparisonStatus::Waiting,
            game: id.clone(),
            ply: request.ply,
            reason: None,
            device: game.moves.get(request.ply).map(DeviceView::new),
            twin: None,
            hardware: None,
            differences: Vec::new(),
            command: model.waveform(&decision),
        };
        queue.jobs.push_back(Job {
            view: view.clone(),
            decision,
            cancel: Arc::default(),
        });
        let finished = queue.jobs.len() - open - 1;
        if finished > KEPT
            && let Some(oldest) = queue.jobs.iter().position(|job| !job.is_open())
        {
            queue.jobs.remove(oldest);
        }
        drop(queue);
        self.shared.changed.notify_one();
        Ok(view)
    }

    /// Returns a comparison.
    pub fn get(&self, id: &str) -> Result<Comparison, Problem> {
        let queue = self.shared.lock();
        let job = queue.jobs.iter().find(|job| job.view.id == id);
        job.map(|job| job.view.clone()).ok_or_else(|| unknown(id))
    }

    /// Cancels a comparison; one that has ended stays as it is.
    pub fn cancel(&self, id: &str) -> Result<Comparison, Problem> {
        let mut queue = self.shared.lock();
        let job = queue.jobs.iter_mut().find(|job| job.view.id == id);
        let job = job.ok_or_else(|| unknown(id))?;
        if job.is_open() {
            job.cancel.store(true, Ordering::Relaxed);
            job.view.status = ComparisonStatus::Cancelled;
        }
        Ok(job.view.clone())
    }
}

impl Drop for Comparisons {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.stopped = true;
        for job in &queue.jobs {
            job.cancel.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the first comparison that waits, or waits for one; false once the service stops.
    fn run_next(&self) -> bool {
        let mut queue = self.lock();
        let (id, decision, cancel) = loop {
            if queue.stopped {
                return false;
            }
            let waits = |job: &&mut Job| job.view.status == ComparisonStatus::Waiting;
            if let Some(job) = queue.jobs.iter_mut().find(waits) {
                job.view.status = ComparisonStatus::Running;
                let id = job.view.id.clone();
                break (id, job.decision.clone(), Arc::clone(&job.cancel));
            }
            let waited = self.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        };
        drop(queue);
        let Some(model) = &self.model else {
            return false;
        };
        let outcome = model.compare(&decision, &|| cancel.load(Ordering::Relaxed));
        let mut queue = self.lock();
        let job = queue.jobs.iter_mut().find(|job| job.view.id == id);
        if let Some(job) = job.filter(|job| job.is_open()) {
            finish(&mut job.view, outcome);
        }
        true
    }
}

/// Decision of a game at a ply, if the pattern player can be compared there.
fn decision(game: &ShownGame, ply: usize) -> Result<Decision, Problem> {
    if game.variant.name() != "duo" {
        let message = format!("{} is not compared: expected duo", game.variant.name());
        return Err(Problem::invalid("duoforge::variant", message));
    }
    if ply > game.moves.len() {
        let plies = game.moves.len();
        let message = format!("ply={ply} is out of range: expected 0 to {plies}");
        return Err(Problem::request(message));
    }
    let played = game.game(ply);
    if played.is_over() {
        let message = "the game is over at this ply: there is no decision";
        return Err(Problem::conflict("duoforge::over", message));
    }
    let starts = game.variant.starts(Colour(0));
    Ok(Decision {
        moves: game
            .game(usize::MAX)
            .plies()
            .iter()
            .map(|it| it.mv)
            .collect(),
        ply,
        starts_at_a: starts.as_slice() == [Cell::new(9, 9)],
    })
}

/// Writes the outcome of a comparison.
fn finish(view: &mut Comparison, outcome: Result<HardwareOutcome, String>) {
    view.status = ComparisonStatus::Done;
    match outcome {
        Ok(HardwareOutcome::Compared {
            twin,
            hardware,
            mismatch,
        }) => {
            view.differences.extend(mismatch.map(difference));
            if let Some(device) = &view.device
                && device.reply != hardware.reply
            {
                view.differences.push(DifferenceView {
                    ply: view.ply,
                    what: "the choice of the device".to_owned(),
                    twin: twin.reply.clone(),
                    hardware: hardware.reply.clone(),
                    device: Some(device.reply.clone()),
                });
            }
            view.twin = Some(DecisionView::new(&twin, &hardware));
            view.hardware = Some(DecisionView::new(&hardware, &twin));
        }
        Ok(HardwareOutcome::Deviated { ply, chosen }) => view.differences.push(DifferenceView {
            ply,
            what: "the choice of the player".to_owned(),
            twin: chosen.clone(),
            hardware: chosen,
            device: None,
        }),
        Ok(HardwareOutcome::Mismatched(mismatch)) => view.differences.push(difference(mismatch)),
        Ok(HardwareOutcome::Stopped) => view.status = ComparisonStatus::Cancelled,
        Err(reason) => {
            view.status = ComparisonStatus::Failed;
            view.reason = Some(reason);
        }
    }
}

fn difference(mismatch: Mismatch) -> DifferenceView {
    DifferenceView {
        ply: mismatch.ply,
        what: mismatch.what,
        twin: mismatch.twin,
        hardware: mismatch.hardware,
        device: None,
    }
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no comparison has the id '{}'", shown(id)))
        .help("the last 16 comparisons are kept")
}

#[cfg(test)]
mod tests;
