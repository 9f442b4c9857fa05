//! Jobs that run side by side.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

/// Number of workers for the jobs; one more is for the others of [`side_by_side_with`].
const WORKERS: usize = 2;

/// Does jobs in their order, two at a time.
///
/// # Errors
/// The error of a job. It ends its worker; the other one does the jobs that are left.
pub fn side_by_side<T: Send>(
    jobs: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    side_by_side_with(jobs, [], work)
}

/// Does jobs as [`side_by_side`], and meanwhile others in their order, one at a time.
///
/// # Errors
/// The error of a job, which ends its worker.
pub fn side_by_side_with<T: Send>(
    jobs: impl IntoIterator<Item = T>,
    others: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let jobs: Queue<T> = Mutex::new(jobs.into_iter().collect());
    let others: Queue<T> = Mutex::new(others.into_iter().collect());
    let work = &work;
    let worker = |queue: &Queue<T>| -> Result<()> {
        while let Some(job) = next(queue) {
            work(job)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let queues = [&jobs; WORKERS].into_iter().chain([&others]);
        let workers: Vec<_> = queues
            .map(|queue| scope.spawn(move || worker(queue)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Jobs that no worker has begun.
type Queue<T> = Mutex<VecDeque<T>>;

fn next<T>(queue: &Queue<T>) -> Option<T> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.pop_front()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;

    #[test]
    fn every_job_is_done_once_and_an_error_is_returned() {
        let sum = AtomicUsize::new(0);
        let add = |job: usize| {
            sum.fetch_add(job, Ordering::Relaxed);
            Ok(())
        };
        side_by_side(1..=10, add).unwrap();
        assert_eq!(sum.into_inner(), 55);
        let fail = |job: usize| match job {
            3 => bail!("job {job}"),
            _ => Ok(()),
        };
        assert_eq!(side_by_side(0..9, fail).unwrap_err().to_string(), "job 3");
    }

    #[test]
    fn others_are_done_meanwhile() {
        // A job of each kind waits for all three.
        let barrier = Barrier::new(3);
        let sum = AtomicUsize::new(0);
        let work = |job: usize| {
            if job < 10 {
                barrier.wait();
            }
            sum.fetch_add(job, Ordering::Relaxed);
            Ok(())
        };
        side_by_side_with([1, 2, 10], [3, 20], work).unwrap();
        assert_eq!(sum.into_inner(), 36);
    }
}
