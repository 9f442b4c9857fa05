//! Run of a tournament of a variant: workers play the games that the journal lacks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use duoforge_journal::{
    Annulled, Finished, History, Journal, JournalError, Record, VariantEnded, now_ms,
};
use duoforge_players::{PlayerError, VariantContext};
use duoforge_referee::TimeControl;
use duoforge_referee::variant::{
    MoverFault, TimeLeft, VariantMover, VariantObserver, VariantPlayer, VariantPly, VariantReferee,
};
use duoforge_rules::{Game, Move};

use super::plan::numbered;
use super::{VariantFixture, VariantPlan, variant_begun, variant_ended, variant_moved};
use crate::control::Notice;
use crate::seeds::mixed;
use crate::{PlanEntry, Progress, TournamentError};

/// Observer of a tournament of a variant that can stop it. Workers call it from their threads.
pub trait VariantControl: Sync {
    /// True to start no further games.
    fn stops(&self) -> bool {
        false
    }

    /// Reports that a player has failed the input test before its first game.
    fn excluded(&self, notice: &Notice) {
        let _ = notice;
    }

    /// Reports that an interrupted game restarts.
    fn restarted(&self, game: u32) {
        let _ = game;
    }

    /// Reports the end of a game.
    fn ended(&self, fixture: &VariantFixture, ended: &VariantEnded, progress: Progress) {
        let _ = (fixture, ended, progress);
    }
}

/// Observer that ignores all events.
impl VariantControl for () {}

/// Plays the games that the journal lacks. Returns true if all games were played.
///
/// An interrupted game restarts.
///
/// # Errors
/// [`TournamentError`]; the journal holds all moves up to it.
pub fn run_variant(
    plan: &VariantPlan,
    journal: &Journal,
    history: &History,
    control: &dyn VariantControl,
) -> Result<bool, TournamentError> {
    let fixtures = plan.fixtures();
    let mut games = Vec::new();
    for known in history.variant_games.iter() {
        let fixture = numbered(&fixtures, known.begun.game);
        if fixture.is_none_or(|fixture| names(plan, fixture) != known.begun.players) {
            return Err(TournamentError::Schedule(known.begun.game));
        }
    }
    for fixture in &fixtures {
        let known = history.variant_games.get(fixture.number);
        let attempt = match known {
            Some(known) if known.ended.is_some() => continue,
            Some(known) => known.begun.attempt + 1,
            None => 1,
        };
        if let Some(known) = known.filter(|known| !known.is_annulled) {
            control.restarted(fixture.number);
            journal.append(&Record::Annulled(Annulled {
                game: fixture.number,
                attempt: known.begun.attempt,
                reason: "the process stopped".to_owned(),
            }))?;
        }
        games.push((fixture, attempt));
    }
    let floor = Floor {
        plan,
        journal,
        control,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(fixtures.len() - games.len()),
        failed: AtomicBool::new(false),
        error: Mutex::new(None),
    };
    let workers = plan.concurrency.min(games.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| floor.work(&games));
        }
    });
    let done = floor.done.load(Ordering::Relaxed);
    let error = floor.error.into_inner();
    if let Some(error) = error.unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let finished = done == fixtures.len();
    if finished && !history.finished {
        journal.append(&Record::Finished(Finished {
            games: done as u32,
            at_ms: now_ms(),
        }))?;
    }
    Ok(finished)
}

fn names(plan: &VariantPlan, fixture: &VariantFixture) -> Vec<String> {
    let seats = fixture.seats.iter();
    seats
        .map(|&player| plan.players[player].name.clone())
        .collect()
}

/// State that the workers share.
struct Floor<'a> {
    plan: &'a VariantPlan,
    journal: &'a Journal,
    control: &'a dyn VariantControl,
    /// Index of the next game.
    next: AtomicUsize,
    /// Number of finished games.
    done: AtomicUsize,
    failed: AtomicBool,
    /// First error.
    error: Mutex<Option<TournamentError>>,
}

impl Floor<'_> {
    fn work(&self, games: &[(&VariantFixture, u32)]) {
        while !self.control.stops() && !self.failed.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(fixture, attempt)) = games.get(index) else {
                return;
            };
            match self.play(fixture, attempt) {
                Ok(ended) => {
                    let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                    let progress = Progress {
                        done: done as u64,
                        total: self.plan.game_count(),
                    };
                    self.control.ended(fixture, &ended, progress);
                }
                Err(error) => {
                    self.failed.store(true, Ordering::Relaxed);
                    let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(error);
                }
            }
        }
    }

    fn play(
        &self,
        fixture: &VariantFixture,
        attempt: u32,
    ) -> Result<VariantEnded, TournamentError> {
        let plan = self.plan;
        let number = fixture.number;
        let players = (0..fixture.seats.len())
            .map(|seat| self.open(fixture, seat))
            .collect::<Result<Vec<_>, _>>()?;
        let entries = fixture.seats.iter().map(|&player| &plan.players[player]);
        let named = entries.map(|entry| (entry.name.clone(), entry.version()));
        let begun = variant_begun(number, attempt, &plan.variant, named);
        self.journal.append(&Record::VariantBegun(begun))?;
        let mut recorder = Recorder {
            journal: self.journal,
            game: number,
            attempt,
            plies: 0,
            failure: None,
        };
        let failed = |source| TournamentError::Referee {
            game: number,
            source: Box::new(source),
        };
        let mut referee = VariantReferee::new(&plan.variant, players).map_err(failed)?;
        let seating: Vec<usize> = (0..fixture.seats.len()).collect();
        let game = referee.play(&seating, &mut recorder);
        if let Some(failure) = recorder.failure {
            return Err(failure.into());
        }
        let ended = variant_ended(&game.map_err(failed)?, number, attempt);
        self.journal.append(&Record::VariantEnded(ended.clone()))?;
        Ok(ended)
    }

    /// Opens the player of a seat. Its seed depends on the plan's seed, the player's seed, the game
    /// and the seat.
    fn open(
        &self,
        fixture: &VariantFixture,
        seat: usize,
    ) -> Result<VariantPlayer, TournamentError> {
        let entry = &self.plan.players[fixture.seats[seat]];
        let own = entry.spec.own_seed().unwrap_or_default();
        let seed = mixed(&[self.plan.seed, own, fixture.number.into(), seat as u64]);
        let mut mover =
            opened(self.plan, entry, seed).map_err(|source| TournamentError::Player {
                name: entry.name.clone(),
                source: Box::new(source),
            })?;
        mover.seed(seed);
        let control = self.plan.time_control(entry);
        Ok(VariantPlayer::new(&entry.name, mover).with_time(control))
    }
}

impl VariantPlan {
    /// Time control of a player.
    pub(crate) fn time_control(&self, entry: &PlanEntry) -> TimeControl {
        let own = entry.clock.or(entry.spec.own_time_control());
        own.unwrap_or(TimeControl::Fixed(self.limit))
    }
}

/// Opens a player for games of the plan's variant.
pub(crate) fn opened(
    plan: &VariantPlan,
    entry: &PlanEntry,
    seed: u64,
) -> Result<Box<dyn VariantMover>, PlayerError> {
    entry.spec.variant_mover(&plan.variant, &mut Seeds(seed))
}

/// Services for opening players.
struct Seeds(u64);

impl VariantContext for Seeds {
    fn person(&mut self) -> Box<dyn VariantMover> {
        // Plans with persons are rejected.
        Box::new(Nobody)
    }

    fn seed(&mut self) -> u64 {
        self.0
    }
}

struct Nobody;

impl VariantMover for Nobody {
    fn choose(&mut self, _: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        Err(MoverFault::Resigned)
    }
}

/// Writes the moves of a game to the journal.
struct Recorder<'a> {
    journal: &'a Journal,
    game: u32,
    attempt: u32,
    plies: u32,
    failure: Option<JournalError>,
}

impl VariantObserver for Recorder<'_> {
    fn moved(&mut self, ply: &VariantPly, _: &Game) {
        self.plies += 1;
        let moved = variant_moved(self.game, self.attempt, self.plies, ply);
        self.failure = self.journal.append(&Record::VariantMoved(moved)).err();
    }

    fn breaks_off(&mut self) -> bool {
        self.failure.is_some()
    }
}
