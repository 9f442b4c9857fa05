//! Workers that panic. A program starts here: see `handshakes`.
#![cfg(unix)]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::journals::{directory, go_on, plan, prepared};
use duoforge_journal::read;
use duoforge_tournament::{Control, Notice};

/// Ample time for a few games on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// Observer that panics at its first notice, in the game of a worker.
#[derive(Default)]
struct Panics(AtomicBool);

impl Control for Panics {
    fn notice(&self, notice: &Notice) {
        let is_first = !self.0.swap(true, Ordering::SeqCst);
        assert!(!is_first, "the test panics at {notice}");
    }
}

/// A worker that panics in a game stops the others; the run panics after them.
#[test]
fn a_worker_that_panics_ends_the_run() {
    let head = "format = \"round-robin\"\nconcurrency = 2\nlimit = \"100ms\"\n\
                evidence = \"violations\"";
    let text = plan(head, &["random:1", "random:2", "exec:cat"]);
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let (sender, receiver) = mpsc::channel();
    let journal = path.clone();
    thread::spawn(move || {
        let ran = catch_unwind(AssertUnwindSafe(|| go_on(&journal, &Panics::default())));
        sender.send(ran.is_err()).unwrap();
    });
    assert!(receiver.recv_timeout(LONG).expect("the run ends"));
    assert!(!read(&path).unwrap().history.finished);
}
