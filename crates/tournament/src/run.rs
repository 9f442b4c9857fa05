//! Playing a tournament: workers, the journal, and what happens when something goes wrong.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use duoforge_arena::Player;
use duoforge_journal::{GameHistory, History, Journal, Record, Rest, Voided, now_ms};

use crate::one::{Game, play};
use crate::results::results;
use crate::{Fixture, Plan, Played, Results, Schedule, TournamentError};

/// How often workers that have nothing to do look whether they shall stop.
const LOOK: Duration = Duration::from_millis(100);

/// Who looks on, and can stop it. Workers call it from their threads.
pub trait Control: Sync {
    /// Whether to begin no more games.
    fn stops(&self) -> bool {
        false
    }

    /// Something that people should know.
    fn notice(&self, notice: &Notice) {
        let _ = notice;
    }

    /// A game has ended.
    fn ended(&self, fixture: &Fixture, played: &Played, progress: Progress) {
        let _ = (fixture, played, progress);
    }
}

/// Nobody.
impl Control for () {}

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games that have ended.
    pub done: u64,
    /// Games altogether, as far as that is known: a test may end earlier.
    pub total: u64,
}

/// Something that people should know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// A game that was cut short goes on: its moves are played again.
    #[error("game {game} ({}) goes on after its {moves} moves, which are played again", .players.join(" - "))]
    GoesOn {
        /// Its number.
        game: u32,
        /// The players' names.
        players: [String; 2],
        /// Number of its moves.
        moves: usize,
    },
    /// A game that was cut short, or annulled, begins anew.
    #[error("game {game} ({}) begins anew: {reason}", .players.join(" - "))]
    BeginsAnew {
        /// Its number.
        game: u32,
        /// The players' names.
        players: [String; 2],
        /// Why.
        reason: String,
    },
    /// A player is waited for.
    #[error("{player} is waited for at {place}")]
    Waits {
        /// Its name.
        player: String,
        /// Where.
        place: String,
    },
    /// A simulated board is built.
    #[error("{player}: building the simulated board ({backend})")]
    Builds {
        /// Its name.
        player: String,
        /// The simulator.
        backend: String,
    },
    /// A player that was there cannot be reached.
    #[error("{player} cannot be reached ({reason}); it is waited for")]
    Gone {
        /// Its name.
        player: String,
        /// Why.
        reason: String,
    },
}

/// How a tournament was left.
#[derive(Clone, Debug)]
pub struct Left {
    /// The games so far.
    pub results: Results,
    /// The schedule so far.
    pub schedule: Schedule,
    /// Whether all has been played.
    pub finished: bool,
}

/// What the workers share.
struct State {
    schedule: Schedule,
    results: Results,
    /// Games that a worker has taken.
    taken: Vec<bool>,
    /// Players of which there is one and who are in a game.
    busy: Vec<bool>,
    running: usize,
    failure: Option<TournamentError>,
}

/// A tournament while it is played.
pub(crate) struct Floor<'a> {
    pub plan: &'a Plan,
    pub journal: &'a Journal,
    pub control: &'a dyn Control,
    /// Players of which there is one, from game to game.
    pub singles: Vec<Mutex<Option<Player>>>,
    /// Attempts of games that are begun already, or void.
    before: BTreeMap<u32, GameHistory>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Plays a tournament to its end, or until it is stopped. `history` is what the journal held when it was
/// opened: games that have ended stand, and those that were under way go on or begin anew.
///
/// # Errors
/// [`TournamentError`]; the games that were under way are not lost, but go on with the next call.
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
            // With fewer threads than wanted the games are played more slowly, and one is this one.
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

/// Looks at the games that have begun and not ended. Those of players who play the same again go on;
/// others are declared void, since the protocol has no code to set a position up.
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
    /// Takes one game after the other and plays it.
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
                // It was stopped before it began.
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

    /// The next game that can be played; none if there will be none.
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

    /// Whether to begin no more games.
    pub(crate) fn stops(&self) -> bool {
        self.control.stops() || self.state().failure.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A worker that panics ends the process' run at the end of the scope; the others may end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether nothing will be added to the schedule although it is not complete: a game was taken and
    /// did not end.
    fn stuck(&self) -> bool {
        let mut games = self.schedule.fixtures().iter();
        games.any(|game| !self.results.contains_key(&game.number))
    }
}
