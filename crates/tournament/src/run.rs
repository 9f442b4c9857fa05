//! Tournament run: workers that take games from the schedule, and the handling of failures.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use duoforge_journal::{Annulled, Finished, GameHistory, History, Journal, Record, now_ms};
use duoforge_referee::Player;

use crate::control::{Control, Notice};
use crate::game_runner::{Game, play};
use crate::results::results;
use crate::tournament_run::TournamentRun;
use crate::{Fixture, Plan, Results, Schedule, TournamentError};

/// Interval at which idle workers check for a stop.
const LOOK: Duration = Duration::from_millis(100);

/// Result of a run.
#[derive(Clone, Debug)]
pub struct TournamentResult {
    /// Finished games.
    pub results: Results,
    /// Schedule so far.
    pub schedule: Schedule,
    /// True if all games have been played.
    pub finished: bool,
}

/// State shared by the workers.
struct State {
    schedule: Schedule,
    results: Results,
    /// True for each game that a worker has taken.
    taken: Vec<bool>,
    /// True for each single device that is in a game.
    busy: Vec<bool>,
    running: usize,
    failure: Option<TournamentError>,
}

/// Tournament in progress, as its workers share it.
struct Workers<'a> {
    floor: TournamentRun<'a>,
    /// Interrupted or annulled games with their last attempt.
    before: BTreeMap<u32, GameHistory>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Plays a tournament to its end, or until it is stopped. `history` is the content of the journal
/// when it was opened. Finished games are kept; interrupted games continue or restart.
///
/// # Errors
/// [`TournamentError`]. Interrupted games are not lost; the next call continues or restarts them.
pub fn run(
    plan: &Plan,
    journal: &Journal,
    history: &History,
    control: &dyn Control,
) -> Result<TournamentResult, TournamentError> {
    run_with(plan, journal, history, control, Vec::new())
}

/// Plays a tournament, as [`run`] does, with devices that are open already, by the indices of their
/// players.
pub(crate) fn run_with(
    plan: &Plan,
    journal: &Journal,
    history: &History,
    control: &dyn Control,
    devices: Vec<Option<Player>>,
) -> Result<TournamentResult, TournamentError> {
    let results = results(history);
    let schedule = Schedule::of_journal(plan, history);
    let before = before(plan, &schedule, journal, history, control)?;
    let floor = TournamentRun::new(plan, journal, control, !history.games.is_empty());
    for (index, device) in devices.into_iter().enumerate() {
        if let Some(device) = device.filter(|_| plan.players[index].is_single()) {
            floor.keep(index, device);
        }
    }
    let workers = Workers {
        floor,
        before,
        state: Mutex::new(State {
            taken: Vec::new(),
            busy: vec![false; plan.players.len()],
            schedule,
            results,
            running: 0,
            failure: None,
        }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let name = format!("worker {}", number + 1);
            let worker = thread::Builder::new().name(name);
            // With fewer threads the games take longer; the current thread replaces the first
            // worker.
            if worker.spawn_scoped(scope, || workers.work()).is_err() && number == 0 {
                workers.work();
            }
        }
    });
    let state = workers
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = state.failure {
        return Err(failure);
    }
    let finished = state.schedule.is_over(&state.results);
    if finished && !history.finished {
        journal.append(&Record::Finished(Finished {
            // All games that count have been played.
            games: u32::try_from(state.schedule.counted().count()).unwrap_or(u32::MAX),
            at_ms: now_ms(),
        }))?;
    }
    Ok(TournamentResult {
        results: state.results,
        schedule: state.schedule,
        finished,
    })
}

/// Examines the interrupted games. Games of deterministic players continue. The others are
/// annulled, since the protocol has no code that sets up a position.
fn before(
    plan: &Plan,
    schedule: &Schedule,
    journal: &Journal,
    history: &History,
    control: &dyn Control,
) -> Result<BTreeMap<u32, GameHistory>, TournamentError> {
    let mut before = BTreeMap::new();
    for (&number, game) in &history.games {
        let fixture = schedule.fixtures().get(number.wrapping_sub(1) as usize);
        let fixture = fixture.ok_or(TournamentError::Schedule(number))?;
        let names = fixture.players.map(|player| &plan.players[player].name);
        if names != game.begun.players.each_ref() {
            return Err(TournamentError::Schedule(number));
        }
        if game.ended.is_some() {
            continue;
        }
        let mut game = game.clone();
        if !game.is_annulled {
            let players = game.begun.players.clone();
            let entries = fixture.players.map(|player| &plan.players[player]);
            match entries.iter().find(|entry| !entry.is_repeatable()) {
                None => control.notice(&Notice::GoesOn {
                    game: number,
                    players,
                    moves: game.moves.len(),
                }),
                Some(entry) => {
                    let reason = format!(
                        "the process stopped, and {} cannot repeat its moves",
                        entry.name
                    );
                    journal.append(&Record::Annulled(Annulled {
                        game: number,
                        attempt: game.begun.attempt,
                        reason: reason.clone(),
                    }))?;
                    game.is_annulled = true;
                    control.notice(&Notice::Restarted {
                        game: number,
                        players,
                        reason,
                    });
                }
            }
        }
        before.insert(number, game);
    }
    Ok(before)
}

impl Workers<'_> {
    /// Takes and plays one game after the other.
    fn work(&self) {
        while let Some(fixture) = self.take() {
            let before = self.before.get(&fixture.number);
            let game = Game { fixture, before };
            let running = RunningGame {
                workers: self,
                fixture,
            };
            let played = play(&self.floor, &game);
            let mut state = self.state();
            match played {
                Ok(Some(played)) => {
                    state.results.insert(fixture.number, played.clone());
                    let State {
                        schedule, results, ..
                    } = &mut *state;
                    schedule.advance(self.floor.plan, results);
                    let progress = schedule.progress(self.floor.plan, results);
                    self.floor.control.ended(&fixture, &played, progress);
                }
                // The game was stopped before it began.
                Ok(None) => {}
                Err(failure) => {
                    state.failure.get_or_insert(failure);
                    self.floor.fail();
                }
            }
            drop(state);
            drop(running);
        }
        self.changed.notify_all();
    }

    /// Takes the next playable game; `None` if there will be none.
    fn take(&self) -> Option<Fixture> {
        let mut state = self.state();
        loop {
            if self.floor.stops() {
                return None;
            }
            let State {
                schedule,
                results,
                taken,
                busy,
                ..
            } = &mut *state;
            taken.resize(schedule.fixtures().len(), false);
            let single = |player: usize| self.floor.plan.players[player].is_single();
            let next = schedule.counted().find(|game| {
                !taken[game.number as usize - 1]
                    && !results.contains_key(&game.number)
                    && !game.players.iter().any(|&player| busy[player])
            });
            if let Some(&fixture) = next {
                taken[fixture.number as usize - 1] = true;
                for player in fixture.players {
                    busy[player] = single(player);
                }
                state.running += 1;
                return Some(fixture);
            }
            if state.running == 0 && (state.schedule.is_complete() || state.is_deadlocked()) {
                return None;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A worker that panics makes the run panic at the end of the scope; the other workers may
        // finish.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Game that a worker plays. Dropping this value ends it for the other workers. A worker that
/// panics stops the tournament.
struct RunningGame<'w, 'a> {
    workers: &'w Workers<'a>,
    fixture: Fixture,
}

impl Drop for RunningGame<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.workers.floor.fail();
        }
        let mut state = self.workers.state();
        state.running -= 1;
        for player in self.fixture.players {
            state.busy[player] = false;
        }
        drop(state);
        self.workers.changed.notify_all();
    }
}

impl State {
    /// True if the schedule is incomplete and no game will be added: a game was taken and did not
    /// end.
    fn is_deadlocked(&self) -> bool {
        let mut games = self.schedule.fixtures().iter();
        games.any(|game| !self.results.contains_key(&game.number))
    }
}
