//! Turns of event streams after a change of the feed.
//!
//! A hundred tasks that wake at once keep all processors busy for a moment, which delays the referee
//! of a match on the same machine. So one task wakes them, one after the other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

/// Largest time in which every stream gets its turn.
const SPREAD: Duration = Duration::from_millis(200);

/// Time between two groups of streams that wake together.
const SPACING: Duration = Duration::from_millis(1);

type Waiting = BTreeMap<usize, Arc<Notify>>;

/// Streams that wait for changes, in the order in which they were opened.
#[derive(Debug, Default)]
pub struct Turns {
    waiting: Mutex<Waiting>,
}

/// Place of one stream in the order, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    number: usize,
    notify: Arc<Notify>,
}

impl Turns {
    /// Adds a stream at the end of the order.
    pub fn join(self: &Arc<Self>) -> Turn {
        let mut waiting = self.lock();
        let number = waiting.last_key_value().map_or(0, |(last, _)| last + 1);
        let notify = Arc::new(Notify::new());
        waiting.insert(number, Arc::clone(&notify));
        Turn {
            turns: Arc::clone(self),
            number,
            notify,
        }
    }

    /// Wakes all streams after each change, until the sender of `changes` has gone.
    pub async fn follow(self: Arc<Self>, mut changes: watch::Receiver<u64>) {
        while changes.changed().await.is_ok() {
            let waiting: Vec<_> = self.lock().values().cloned().collect();
            let mut times = tokio::time::interval(SPACING);
            for group in waiting.chunks(group_size(waiting.len())) {
                times.tick().await;
                group.iter().for_each(|stream| stream.notify_one());
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits for the turn after the next change. A turn that came in between counts.
    pub async fn next(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.lock().remove(&self.number);
    }
}

/// Number of streams that wake together, if `open` streams are open.
fn group_size(open: usize) -> usize {
    let groups = SPREAD.as_millis() / SPACING.as_millis();
    open.div_ceil(usize::try_from(groups).expect("a small number"))
        .max(1)
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn all_groups_wake_within_the_spread() {
        for open in [0_usize, 1, 199, 200, 201, 1000, 100_000] {
            let groups = u32::try_from(open.div_ceil(group_size(open))).unwrap();
            assert!(groups * SPACING <= SPREAD, "{open} streams");
        }
        assert_eq!(group_size(200), 1);
        assert_eq!(group_size(1000), 5);
    }

    #[test]
    fn each_stream_wakes_once_for_a_change_in_the_order_of_opening() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (sender, changes) = watch::channel(0);
            let turns = Arc::new(Turns::default());
            tokio::spawn(Arc::clone(&turns).follow(changes));
            let (wakes, mut woken) = mpsc::unbounded_channel();
            for number in 0..5 {
                let (turn, wakes) = (turns.join(), wakes.clone());
                tokio::spawn(async move {
                    loop {
                        turn.next().await;
                        wakes.send(number).unwrap();
                    }
                });
            }
            for change in 1..4 {
                sender.send_replace(change);
                for expected in 0..5 {
                    assert_eq!(woken.recv().await, Some(expected));
                }
                assert!(woken.is_empty());
            }
            let again = tokio::time::timeout(SPREAD, woken.recv()).await;
            assert!(again.is_err(), "no turn without a change");
        });
    }

    #[test]
    fn a_dropped_stream_leaves_the_order() {
        let turns = Arc::new(Turns::default());
        let (first, second) = (turns.join(), turns.join());
        drop(first);
        assert_eq!(turns.lock().len(), 1);
        drop(second);
        assert!(turns.lock().is_empty());
    }
}
