//! State that all threads of the test share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for something that must happen.
const PATIENCE: Duration = Duration::from_secs(240);

/// State that all threads share.
#[derive(Default)]
pub struct Hall {
    pub address: Mutex<String>,
    /// Number of acknowledged requests.
    pub acknowledged: AtomicU64,
    /// True once no browser plays and nothing more is written.
    pub closing: AtomicBool,
    /// True once the service has ended for good.
    pub closed: AtomicBool,
}

impl Hall {
    pub fn address(&self) -> String {
        self.address.lock().unwrap().clone()
    }

    pub fn wait_for(&self, what: &str, mut found: impl FnMut() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !found() {
            assert!(Instant::now() < deadline, "{what}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
