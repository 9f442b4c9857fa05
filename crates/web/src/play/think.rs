//! Programs that think in threads.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use duoforge_rules::Game;

use super::Table;
use super::end::Winners;
use crate::seat_players::{NoMove, SeatPlayer};

/// Number of programs that think at once, over all games.
static SLOTS: Slots = Slots {
    used: Mutex::new(0),
    freed: Condvar::new(),
};

struct Slots {
    used: Mutex<usize>,
    freed: Condvar,
}

/// Right to think.
struct Slot;

impl Slots {
    fn take(&self) -> Slot {
        let limit = thread::available_parallelism().map_or(1, |count| count.get());
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(used, |used| *used >= limit);
        *waited.unwrap_or_else(PoisonError::into_inner) += 1;
        Slot
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *SLOTS.used.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        SLOTS.freed.notify_one();
    }
}

/// Position about which a program is asked.
struct Question {
    game: Game,
    seat: u8,
    changes: u64,
    cancel: Arc<AtomicBool>,
    program: Box<dyn SeatPlayer>,
}

/// Starts a thread that asks the programs of a table until a person is to move.
pub fn start(table: &Arc<Table>) {
    let mut state = table.lock();
    if state.is_thinking {
        return;
    }
    state.is_thinking = true;
    drop(state);
    let own = Arc::clone(table);
    let started = thread::Builder::new()
        .name("player".to_owned())
        .spawn(move || while own.ask() {});
    if started.is_err() {
        // Without a thread the program moves after the next request.
        table.lock().is_thinking = false;
    }
}

impl Table {
    /// Asks the program to move; false if a person is to move or the game has ended.
    fn ask(&self) -> bool {
        let Some(question) = self.question() else {
            // A request may have started the next thread already.
            if self.is_idle() {
                self.announce(None);
            }
            return false;
        };
        self.announce(Some(question.seat));
        let Question {
            game,
            seat,
            changes,
            cancel,
            mut program,
        } = question;
        let slot = program.uses_processor().then(|| SLOTS.take());
        let chosen = program.choose(&game, &cancel);
        drop(slot);
        let measured = program.measured();
        self.keep_bytes(&mut *program);
        let mut state = self.lock();
        if state.ended {
            drop(state);
            self.dismiss(program);
            return true;
        }
        state.programs[usize::from(seat)] = Some(program);
        if state.changes != changes || state.stopped {
            // The game has changed meanwhile, or the service stops.
            return true;
        }
        let lost = match chosen {
            Ok(mv) if state.game.check(mv).is_ok() => {
                // A failure of the disk leaves the game as it is; the journal accepts no more.
                if self.apply(&mut state, mv, measured).is_ok() {
                    return true;
                }
                state.is_thinking = false;
                drop(state);
                self.announce(None);
                return false;
            }
            Ok(mv) => {
                let reason = format!("{} chose {mv}, which is illegal", self.name(seat));
                ("player-failed", reason, Winners::Without(seat))
            }
            Err(NoMove::Lost(reason)) => {
                let reason = format!("{}: {reason}", self.name(seat));
                ("player-failed", reason, Winners::Without(seat))
            }
            Err(NoMove::BrokenOff(reason)) => ("broken-off", reason, Winners::None),
        };
        let (ending, detail, winners) = lost;
        let ended = self.end(&mut state, ending, &detail, winners);
        if ended.is_err() {
            state.is_thinking = false;
            drop(state);
            self.announce(None);
        }
        ended.is_ok()
    }

    /// Returns what the program to move is asked; `None` ends the thread.
    fn question(&self) -> Option<Question> {
        let mut state = self.lock();
        if state.game.is_over() && !state.ended {
            let _ = self.end_played_out(&mut state);
        }
        let seat = state
            .game
            .seat_to_move()
            .filter(|_| !state.ended && !state.stopped);
        let program = seat.and_then(|seat| state.programs[usize::from(seat.0)].take());
        let (Some(seat), Some(program)) = (seat, program) else {
            state.is_thinking = false;
            return None;
        };
        Some(Question {
            game: state.game.clone(),
            seat: seat.0,
            changes: state.changes,
            cancel: Arc::clone(&state.cancel),
            program,
        })
    }
}
