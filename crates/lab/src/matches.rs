//! Matches: pairs of games, several at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use duoforge_players::{Mover, PlayerError, PlayerSpec};
use duoforge_rules::{Colour, Move};

use crate::game::{Fault, Played, play};
use crate::seed::derive;

/// Polling interval for an interrupt.
const POLL: Duration = Duration::from_millis(100);

/// Match to play.
#[derive(Clone, Debug)]
pub struct Match {
    /// Players `A` and `B`.
    pub players: [PlayerSpec; 2],
    /// Opening of each pair.
    pub openings: Vec<Vec<Move>>,
    /// Seed of the players' random choices.
    pub seed: u64,
    /// Number of simultaneous games, each with its own two players.
    pub jobs: usize,
}

/// Game of a match.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number of the pair, from 0.
    pub pair: usize,
    /// Game within the pair: 0 if `A` moves first, 1 if `B` does.
    pub game: usize,
    /// Moves and result.
    pub played: Played,
}

/// Reason why a match ended early.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be opened.
    #[error("{side} cannot be opened: {source}")]
    Open {
        /// Side: `A` or `B`.
        side: char,
        /// Cause.
        source: PlayerError,
    },
    /// A player failed in a game.
    #[error("{side} failed in game {} of pair {}: {fault}", .game + 1, .pair + 1)]
    Fault {
        /// Side: `A` or `B`.
        side: char,
        /// Number of the pair, from 0.
        pair: usize,
        /// Game within the pair: 0 if `A` moved first, 1 if `B` did.
        game: usize,
        /// Fault of the player.
        fault: Fault,
    },
}

/// Players `A` and `B`, opened for the games of one job.
pub struct Players([Box<dyn Mover>; 2]);

impl Match {
    /// Opens both players.
    ///
    /// # Errors
    /// The first player that cannot be opened.
    pub fn open(&self) -> Result<Players, MatchError> {
        let open = |i: usize| {
            let side = SIDES[i];
            let mover = self.players[i].mover();
            mover.map_err(|source| MatchError::Open { side, source })
        };
        Ok(Players([open(0)?, open(1)?]))
    }
}

/// Names of the sides.
const SIDES: [char; 2] = ['A', 'B'];

/// Plays the pairs with these numbers, from 0, and passes each finished game to `take`. The moves
/// of a game and the seeds of its players depend neither on the number of jobs nor on the other
/// pairs. The first job plays with `first`, so a caller can open its files after the players.
///
/// If `interrupted` returns true, the match ends before the next move of each game.
///
/// # Errors
/// The first failure of a player; no further games start after it.
///
/// # Panics
/// If a pair has no opening.
pub fn run(
    what: &Match,
    first: Players,
    pairs: &[usize],
    mut take: impl FnMut(Game),
    interrupted: impl Fn() -> bool,
) -> Result<(), MatchError> {
    let work = Work {
        what,
        pairs,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut first = Some(first);
        for _ in 0..what.jobs {
            let (players, sender) = (first.take(), sender.clone());
            let work = &work;
            scope.spawn(move || work.run(players, &sender));
        }
        drop(sender);
        receive(&results, &mut take, &work, interrupted)
    })
}

fn receive(
    results: &Receiver<Result<Game, MatchError>>,
    take: &mut dyn FnMut(Game),
    work: &Work<'_>,
    interrupted: impl Fn() -> bool,
) -> Result<(), MatchError> {
    let mut outcome = Ok(());
    loop {
        if interrupted() {
            work.stop.store(true, Ordering::Relaxed);
        }
        match results.recv_timeout(POLL) {
            Ok(Ok(game)) => take(game),
            Ok(Err(error)) => {
                work.stop.store(true, Ordering::Relaxed);
                // Failures of other workers may be consequences of the first one.
                outcome = outcome.and(Err(error));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return outcome,
        }
    }
}

/// State that the workers share.
struct Work<'a> {
    what: &'a Match,
    /// Numbers of the pairs to play.
    pairs: &'a [usize],
    /// Position in `pairs` of the next one to play.
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Work<'_> {
    /// Plays pairs until all are played, with players that are opened if they are `None`.
    fn run(&self, players: Option<Players>, results: &Sender<Result<Game, MatchError>>) {
        let players = players.map_or_else(|| self.what.open(), Ok);
        // The receiver is gone only if the program ends.
        let done = |game| drop(results.send(Ok(game)));
        if let Err(error) = players.and_then(|players| self.pairs(players, done)) {
            let _ = results.send(Err(error));
        }
    }

    fn pairs(
        &self,
        Players(mut players): Players,
        mut done: impl FnMut(Game),
    ) -> Result<(), MatchError> {
        while !self.stops() {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&pair) = self.pairs.get(place) else {
                break;
            };
            let opening = &self.what.openings[pair];
            for game in 0..2 {
                let played = self.play(&mut players, pair, game, opening)?;
                let Some(played) = played else {
                    return Ok(());
                };
                done(Game { pair, game, played });
            }
        }
        Ok(())
    }

    fn play(
        &self,
        [a, b]: &mut [Box<dyn Mover>; 2],
        pair: usize,
        game: usize,
        opening: &[Move],
    ) -> Result<Option<Played>, MatchError> {
        let mut turns: [&mut dyn Mover; 2] = if game == 0 { [a, b] } else { [b, a] };
        for (place, player) in turns.iter_mut().enumerate() {
            let place = [pair as u64, game as u64, place as u64];
            player.begin();
            player.seed(derive(self.what.seed, &place));
        }
        play(opening, turns, || self.stops()).map_err(|(Colour(place), fault)| {
            let side = SIDES[usize::from(place) ^ game];
            MatchError::Fault {
                side,
                pair,
                game,
                fault,
            }
        })
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
