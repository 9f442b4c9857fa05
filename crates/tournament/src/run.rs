//! Tournament run: workers, the journal, and the handling of failures.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use duoforge_arena::Player;
use duoforge_journal::{GameHistory, History, Journal, Record, Rest, Voided, now_ms};

use crate::one::{Game, play};
use crate::results::results;
use crate::{Fixture, Plan, Played, Results, Schedule, TournamentError};

/// Interval at which idle workers check for a stop.
const LOOK: Duration = Duration::from_millis(100);

/// Observer of a tournament that can stop it. Workers call it from their threads.
pub trait Control: Sync {
    /// True to start no further games.
    fn stops(&self) -> bool {
        false
    }

    /// Reports an event to the user.
    fn notice(&self, notice: &Notice) {
        let _ = notice;
    }

    /// Reports the end of a game.
    fn ended(&self, fixture: &Fixture, played: &Played, progress: Progress) {
        let _ = (fixture, played, progress);
    }
}

/// Observer that ignores all events.
impl Control for () {}

/// Progress of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished games.
    pub done: u64,
    /// Maximum number of games; a sequential test may end the tournament earlier.
    pub total: u64,
}

/// Event of interest to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// An interrupted game continues: its moves are played again.
    #[error("game {game} ({}) goes on after its {moves} moves, which are played again", .players.join(" - "))]
    GoesOn {
        /// Number of the game.
        game: u32,
        /// Names of the players.
        players: [String; 2],
        /// Number of its moves.
        moves: usize,
    },
    /// A game that was interrupted or annulled restarts.
    #[error("game {game} ({}) begins anew: {reason}", .players.join(" - "))]
    BeginsAnew {
        /// Number of the game.
        game: u32,
        /// Names of the players.
        players: [String; 2],
        /// Reason of the restart.
        reason: String,
    },
    /// The tournament waits for a player to connect.
    #[error("{player} is waited for at {place}")]
    Waits {
        /// Name of the player.
        player: String,
        /// Path or address.
        place: String,
    },
    /// A simulation is being built.
    #[error("{player}: building the simulated board ({backend})")]
    Builds {
        /// Name of the player.
        player: String,
        /// Name of the simulator.
        backend: String,
    },
    /// A player cannot be reached; the tournament waits for it.
    #[error("{player} cannot be reached ({reason}); it is waited for")]
    Gone {
        /// Name of the player.
        player: String,
        /// Cause of the failure.
        reason: String,
    },
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Left {
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

/// Tournament in progress.
pub(crate) struct Floor<'a> {
    pub plan: &'a Plan,
    pub journal: &'a Journal,
    pub control: &'a dyn Control,
    /// Single devices, kept open from game to game.
    pub singles: Vec<Mutex<Option<Player>>>,
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
) -> Result<Left, TournamentError> {
    let results = results(history);
    let schedule = Schedule::new(plan, &results);
    let before = before(plan, &schedule, journal, history, control)?;
    let floor = Floor {
        plan,
        journal,
        control,
        singles: plan.players.iter().map(|_| Mutex::default()).collect(),
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
            if worker.spawn_scoped(scope, || floor.work()).is_err() && number == 0 {
                floor.work();
            }
        }
    });
    let state = floor
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = state.failure {
        return Err(failure);
    }
    let finished = state.schedule.is_over(&state.results);
    if finished && !history.finished {
        journal.append(&Record::Finished(Rest {
            games: u32::try_from(state.results.len()).unwrap_or(u32::MAX),
            at_ms: now_ms(),
        }))?;
    }
    Ok(Left {
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
        if !game.is_void {
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
                        "the process stopped, and {} cannot be set to a position",
                        entry.name
                    );
                    journal.append(&Record::Voided(Voided {
                        game: number,
                        attempt: game.begun.attempt,
                        reason: reason.clone(),
                    }))?;
                    game.is_void = true;
                    control.notice(&Notice::BeginsAnew {
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

impl Floor<'_> {
    /// Takes and plays one game after the other.
    fn work(&self) {
        while let Some(fixture) = self.take() {
            let before = self.before.get(&fixture.number);
            let game = Game { fixture, before };
            let played = play(self, &game);
            let mut state = self.state();
            state.running -= 1;
            for player in fixture.players {
                state.busy[player] = false;
            }
            match played {
                Ok(Some(played)) => {
                    state.results.insert(fixture.number, played.clone());
                    let State {
                        schedule, results, ..
                    } = &mut *state;
                    schedule.advance(self.plan, results);
                    let progress = Progress {
                        done: results.len() as u64,
                        total: self.plan.most_games(),
                    };
                    self.control.ended(&fixture, &played, progress);
                }
                // The game was stopped before it began.
                Ok(None) => {}
                Err(failure) => {
                    state.failure.get_or_insert(failure);
                }
            }
            drop(state);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// Takes the next playable game; `None` if there will be none.
    fn take(&self) -> Option<Fixture> {
        let mut state = self.state();
        loop {
            if state.failure.is_some() || self.control.stops() {
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
            let single = |player: usize| self.plan.players[player].is_single();
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
            if state.running == 0 && (state.schedule.is_complete() || state.stuck()) {
                return None;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// True to start no further games.
    pub(crate) fn stops(&self) -> bool {
        self.control.stops() || self.state().failure.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A worker that panics makes the run panic at the end of the scope; the other workers may
        // finish.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// True if the schedule is incomplete and no game will be added: a game was taken and did not
    /// end.
    fn stuck(&self) -> bool {
        let mut games = self.schedule.fixtures().iter();
        games.any(|game| !self.results.contains_key(&game.number))
    }
}
