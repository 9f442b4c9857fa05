//! Seating of the players of a game: opens them, and keeps single devices open between games.

use duoforge_players::{
    MoveError, Mover, OpenContext, PlayerError, PlayerSpec, Resigned, software,
};
use duoforge_protocol::MoveCode;
use duoforge_referee::{Ending, Player, Referee, Seat, SideChannel};
use duoforge_rules::{DuoBoard, Move};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::control::{Control, Notice};
use crate::tournament_run::TournamentRun;
use crate::{Fixture, PlanEntry, TournamentError};

/// Interval between attempts to open an unreachable player.
pub(crate) const RETRY: Duration = Duration::from_millis(500);

/// Player whose first moves are given.
struct Opened {
    player: Box<dyn Mover>,
    opening: Vec<Move>,
}

impl Mover for Opened {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        match self.opening.get(board.ply()) {
            Some(&mv) if board.moves() == &self.opening[..board.ply()] => Ok(mv),
            _ => self.player.choose(board),
        }
    }

    fn choose_code(&mut self, board: &DuoBoard) -> Result<MoveCode, MoveError> {
        match self.opening.get(board.ply()) {
            Some(&mv) if board.moves() == &self.opening[..board.ply()] => Ok(mv.to_code_bytes()),
            _ => self.player.choose_code(board),
        }
    }

    fn prepare(&mut self) -> Result<(), MoveError> {
        self.player.prepare()
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn end(&mut self) {
        self.player.end();
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        self.player.side_channel()
    }

    fn seed(&mut self, seed: u64) {
        self.player.seed(seed);
    }
}

/// Services for opening players: seeds, and notices while a player is built or awaited.
struct Office<'a> {
    name: &'a str,
    seed: u64,
    control: &'a dyn Control,
}

impl OpenContext for Office<'_> {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        // Plans with persons are rejected.
        Box::new(Nobody)
    }

    fn seed(&mut self, _: Seat) -> u64 {
        self.seed
    }

    fn on_build(&mut self, _: Seat, board: &str) {
        self.control.notice(&Notice::Builds {
            player: self.name.to_owned(),
            board: board.to_owned(),
        });
    }

    fn on_wait(&mut self, _: Seat, place: &str) {
        self.control.notice(&Notice::Waits {
            player: self.name.to_owned(),
            place: place.to_owned(),
        });
    }
}

struct Nobody;

impl Mover for Nobody {
    fn choose(&mut self, _: &DuoBoard) -> Result<Move, MoveError> {
        Err(Resigned.into())
    }
}

/// Opens a player, or takes the device kept from its last game, and waits for the reset of the
/// device. Waits for an unreachable player up to `reconnect`; `None` if the tournament is stopped
/// meanwhile.
pub(crate) fn reach(
    floor: &TournamentRun<'_>,
    fixture: Fixture,
    seat: Seat,
    seed: u64,
    opening: &[Move],
) -> Result<Option<Player>, TournamentError> {
    let index = fixture.player(seat);
    let kept = lock(&floor.singles[index]).take();
    let player = match kept {
        Some(player) => Some(player),
        None => {
            let player = reopen(floor, index, seat, seed, opening)?;
            let until = lock(&floor.resets[index]).take();
            player.map(|player| player.resetting_until(until))
        }
    };
    let Some(mut player) = player else {
        return Ok(None);
    };
    let left = player.reset_left();
    if !left.is_zero() {
        floor.control.notice(&Notice::Resets {
            player: player.name().to_owned(),
            time: left,
        });
    }
    if player.wait_for_reset(|| floor.stops()) {
        Ok(Some(player))
    } else {
        Ok(None)
    }
}

/// Opens a player; waits for an unreachable one.
fn reopen(
    floor: &TournamentRun<'_>,
    index: usize,
    seat: Seat,
    seed: u64,
    opening: &[Move],
) -> Result<Option<Player>, TournamentError> {
    let entry = &floor.plan.players[index];
    let until = Instant::now() + floor.plan.reconnect;
    let mut told = false;
    loop {
        match open(entry, seat, seed, opening, floor.control) {
            Ok(player) => return Ok(Some(player)),
            Err(PlayerError::Open { source, .. }) if Instant::now() < until => {
                if !std::mem::replace(&mut told, true) {
                    floor.control.notice(&Notice::Gone {
                        player: entry.name.clone(),
                        reason: source.to_string(),
                    });
                }
                if floor.stops() {
                    return Ok(None);
                }
                thread::sleep(RETRY);
            }
            Err(source) => {
                return Err(TournamentError::Player {
                    name: entry.name.clone(),
                    source: Box::new(source),
                });
            }
        }
    }
}

/// Keeps single devices open for their next game. A device with a broken link is reopened then.
pub(crate) fn keep(floor: &TournamentRun<'_>, fixture: Fixture, referee: Referee, ending: &Ending) {
    let broken = matches!(ending, Ending::LinkLost { .. } | Ending::NoHandshake { .. });
    for (player, index) in referee.into_players().into_iter().zip(fixture.players) {
        if !floor.plan.players[index].is_single() {
            continue;
        }
        if broken {
            *lock(&floor.resets[index]) = player.reset_until();
        } else {
            *lock(&floor.singles[index]) = Some(player);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a player for a game.
pub(crate) fn open(
    entry: &PlanEntry,
    seat: Seat,
    seed: u64,
    opening: &[Move],
    control: &dyn Control,
) -> Result<Player, PlayerError> {
    let player = if entry.opens() {
        let spec = match &entry.spec {
            PlayerSpec::Random(_) => PlayerSpec::Random(Some(seed)),
            spec => spec.clone(),
        };
        let mut player = spec.mover()?;
        player.seed(seed);
        let opened = Opened {
            player,
            opening: opening.to_vec(),
        };
        software::choosing(opened, entry.spec.to_string(), entry.spec.letters())
    } else {
        let mut office = Office {
            name: &entry.name,
            seed,
            control,
        };
        entry.spec.open(seat, &mut office)?
    };
    let player = player.named(&entry.name).with_version(entry.version());
    let player = player.with_reset(entry.reset);
    Ok(match entry.clock {
        Some(clock) => player.with_clock(clock),
        None => player,
    })
}
