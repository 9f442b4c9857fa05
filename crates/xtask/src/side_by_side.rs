//! Jobs that run side by side.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

/// Number of jobs that run side by side.
const WORKERS: usize = 2;

/// Does jobs in their order, two at a time.
///
/// # Errors
/// The error of a job. It ends its worker; the other one does the jobs that are left.
pub fn side_by_side<T: Send>(
    jobs: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let queue: Mutex<VecDeque<T>> = Mutex::new(jobs.into_iter().collect());
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.pop_front()
    };
    let worker = || -> Result<()> {
        while let Some(job) = next() {
            work(job)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

#[cfg(test)]
mod tests {
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
}
