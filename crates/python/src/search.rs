//! Searches that run on a separate thread while Python handles signals.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use duoforge_engine::{Engine, EngineResult, EngineSettings, SearchObserver};
use duoforge_maxn::{MaxnEngine, MaxnResult, MaxnSettings};
use duoforge_rules::{Cell, DuoBoard, Game, Variant};
use duoforge_twin::search::Limit;
use pyo3::prelude::*;

use crate::errors::value_error;

/// Time between two checks of the signals of the process.
const POLL: Duration = Duration::from_millis(20);

/// Observer that ends a search.
struct Canceller<'a>(&'a AtomicBool);

impl SearchObserver for Canceller<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Analyses a position of Blokus Duo with these start cells of the colours.
pub(crate) fn search_duo(
    py: Python<'_>,
    game: &Game,
    starts: [Cell; 2],
    limit: Limit,
    settings: EngineSettings,
) -> PyResult<EngineResult> {
    let mut board = DuoBoard::with_starts(&Variant::DUO, &starts);
    for played in game.plies() {
        board.play(played.mv).map_err(value_error)?;
    }
    cancellable(py, |cancel| {
        Engine::new(settings).analyse_observed(&board, limit, &Canceller(cancel))
    })
}

/// Analyses a position of any variant; None if the game is over.
pub(crate) fn search_any(
    py: Python<'_>,
    game: &Game,
    limit: Limit,
    settings: &MaxnSettings,
) -> PyResult<Option<MaxnResult>> {
    cancellable(py, |cancel| {
        MaxnEngine::new(settings).choose_while(game, limit, |_| {
            match cancel.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    })
}

/// Runs a search on a separate thread, without the interpreter. A signal such as that of Ctrl-C
/// sets the flag, and its exception is returned.
fn cancellable<T: Send>(
    py: Python<'_>,
    search: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let flag = &cancel;
    thread::scope(|scope| {
        let (done, mut wait) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            // The end of the thread closes the channel.
            let _done = done;
            search(flag)
        });
        let mut interrupted = Ok(());
        loop {
            let (received, back) = py.detach(move || (wait.recv_timeout(POLL), wait));
            if received == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            wait = back;
            if interrupted.is_ok() {
                interrupted = py.check_signals();
                cancel.store(interrupted.is_err(), Ordering::Relaxed);
            }
        }
        let result = worker.join();
        let result = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        interrupted.map(|()| result)
    })
}
