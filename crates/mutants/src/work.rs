//! Parallel execution of jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};

/// Applies `work` to each item, `jobs` items at a time, and returns the results in the order of the
/// items. The first argument of `work` is the number of the worker, from 0.
pub fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let left = Mutex::new(items.iter().enumerate());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (next, work) = (&next, &work);
    let some = |worker| {
        let mut done = Vec::new();
        while let Some((place, item)) = next() {
            done.push((place, work(worker, item)));
        }
        done
    };
    let some = &some;
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1))
            .map(|worker| scope.spawn(move || some(worker)))
            .collect();
        let ends = workers.into_iter().map(|it| it.join().expect("no panic"));
        ends.flatten().collect()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Creates an empty directory, replacing an existing one.
///
/// # Errors
/// If an operation on the file system fails.
pub fn fresh(directory: &Path) -> Result<PathBuf> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))?;
    Ok(directory.canonicalize()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for jobs in [0, 1, 2, 7] {
            let items: Vec<u32> = (0..50).collect();
            let doubled = in_parallel(jobs, &items, |worker, item| {
                assert!(worker < jobs.max(1));
                2 * item
            });
            assert_eq!(doubled, items.iter().map(|it| 2 * it).collect::<Vec<_>>());
        }
    }
}
