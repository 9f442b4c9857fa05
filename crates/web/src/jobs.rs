//! Queue of jobs that one thread runs, one after the other. The last finished ones are kept.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of jobs that wait.
const MAX_WAITING: usize = 4;

/// Number of finished jobs that are kept.
const KEPT: usize = 16;

/// Description of a job, with its id and its status.
pub trait JobView: Clone {
    /// Id of the job.
    fn id(&self) -> &str;

    /// True until the job begins.
    fn is_waiting(&self) -> bool;

    /// True until the job ends.
    fn is_open(&self) -> bool;

    /// Notes that the job begins.
    fn set_running(&mut self);

    /// Notes that the job was cancelled.
    fn set_cancelled(&mut self);

    /// Notes the number of open jobs before this one.
    fn set_place(&mut self, place: usize) {
        let _ = place;
    }
}

/// Jobs in the order of their creation.
pub struct Jobs<V, I> {
    state: Mutex<State<V, I>>,
    changed: Condvar,
}

struct State<V, I> {
    jobs: VecDeque<Job<V, I>>,
    created: u64,
    stopped: bool,
}

struct Job<V, I> {
    view: V,
    input: I,
    cancel: Arc<AtomicBool>,
}

/// Job that begins.
pub struct Begun<I> {
    /// Id.
    pub id: String,
    /// Input.
    pub input: I,
    /// Set once the job is to end early.
    pub cancel: Arc<AtomicBool>,
}

impl<V, I> Default for Jobs<V, I> {
    fn default() -> Self {
        let state = State {
            jobs: VecDeque::new(),
            created: 0,
            stopped: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }
}

impl<V: JobView, I: Clone> Jobs<V, I> {
    fn lock(&self) -> MutexGuard<'_, State<V, I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. `view` describes it by its number, from 1, and the number of open jobs before it.
    ///
    /// # Errors
    /// A sentence if too many jobs wait; `kind` is their plural.
    pub fn add(
        &self,
        kind: &str,
        input: I,
        view: impl FnOnce(u64, usize) -> V,
    ) -> Result<V, String> {
        let mut state = self.lock();
        let open = state.jobs.iter().filter(|job| job.view.is_open()).count();
        if open > MAX_WAITING {
            return Err(format!(
                "{open} {kind} run or wait: expected at most {}",
                MAX_WAITING + 1
            ));
        }
        state.created += 1;
        let view = view(state.created, open);
        state.jobs.push_back(Job {
            view: view.clone(),
            input,
            cancel: Arc::default(),
        });
        let finished = state.jobs.len() - open - 1;
        if finished > KEPT
            && let Some(oldest) = state.jobs.iter().position(|job| !job.view.is_open())
        {
            state.jobs.remove(oldest);
        }
        drop(state);
        self.changed.notify_one();
        Ok(view)
    }

    /// All jobs that are kept.
    pub fn list(&self) -> Vec<V> {
        let state = self.lock();
        state.jobs.iter().map(|job| job.view.clone()).collect()
    }

    /// Returns a job.
    pub fn get(&self, id: &str) -> Option<V> {
        let state = self.lock();
        let job = state.jobs.iter().find(|job| job.view.id() == id)?;
        Some(job.view.clone())
    }

    /// Changes a job and returns it.
    pub fn update(&self, id: &str, change: impl FnOnce(&mut V)) -> Option<V> {
        let mut state = self.lock();
        let job = state.jobs.iter_mut().find(|job| job.view.id() == id)?;
        change(&mut job.view);
        Some(job.view.clone())
    }

    /// Cancels a job and returns it; one that has ended stays as it is.
    pub fn cancel(&self, id: &str) -> Option<V> {
        let mut state = self.lock();
        let job = state.jobs.iter_mut().find(|job| job.view.id() == id)?;
        if job.view.is_open() {
            job.cancel.store(true, Ordering::Relaxed);
            job.view.set_cancelled();
        }
        let view = job.view.clone();
        state.number();
        Some(view)
    }

    /// Waits for a job that waits, and begins it; `None` once the service stops.
    pub fn next(&self) -> Option<Begun<I>> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(job) = state.jobs.iter_mut().find(|job| job.view.is_waiting()) {
                job.view.set_running();
                let begun = Begun {
                    id: job.view.id().to_owned(),
                    input: job.input.clone(),
                    cancel: Arc::clone(&job.cancel),
                };
                state.number();
                return Some(begun);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Cancels the job that runs, and begins no other one.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        for job in &state.jobs {
            job.cancel.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.changed.notify_all();
    }
}

impl<V: JobView, I> State<V, I> {
    /// Numbers the open jobs.
    fn number(&mut self) {
        let open = self.jobs.iter_mut().filter(|job| job.view.is_open());
        for (place, job) in open.enumerate() {
            job.view.set_place(place);
        }
    }
}
