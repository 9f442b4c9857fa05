//! Seeds of the games of a match.
//!
//! A player has its own seed in the first game, and another one in each later game, which depends
//! on that seed, the player's place and the number of the game. A match of such players that continues
//! therefore plays the games that it would have played without the interruption. A random player
//! without a seed gets one from `--seed`, or at each start from the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use duoforge_players::{MoveError, Mover, PlayerSpec};
use duoforge_protocol::MoveCode;
use duoforge_referee::{Seat, SideChannel};
use duoforge_rules::{DuoBoard, Move};
use duoforge_tournament::mixed;

/// Number of finished games of a match, which its players share.
#[derive(Clone, Debug, Default)]
pub struct GamesPlayed(Arc<AtomicU32>);

impl GamesPlayed {
    /// Sets the number.
    pub fn set(&self, games: u32) {
        self.0.store(games, Ordering::Relaxed);
    }

    /// Wraps a player with a seed, so that it is seeded before each game.
    pub fn seeding(&self, mover: Box<dyn Mover>, spec: &PlayerSpec, seat: Seat) -> Box<dyn Mover> {
        match spec.own_seed() {
            Some(own) => Box::new(Seeded {
                mover,
                own,
                seat,
                played: self.clone(),
            }),
            None => mover,
        }
    }
}

/// Returns the seed of player `number`, whose own seed is `own`, after `played` finished games.
pub fn seed_of_game(own: u64, played: u32, number: usize) -> u64 {
    match played {
        0 => own,
        played => mixed(&[own, played.into(), number as u64]),
    }
}

/// Player that is seeded before each game.
struct Seeded {
    mover: Box<dyn Mover>,
    own: u64,
    seat: Seat,
    played: GamesPlayed,
}

impl Mover for Seeded {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        self.mover.choose(board)
    }

    fn choose_code(&mut self, board: &DuoBoard) -> Result<MoveCode, MoveError> {
        self.mover.choose_code(board)
    }

    fn prepare(&mut self) -> Result<(), MoveError> {
        self.mover.prepare()
    }

    fn begin(&mut self) {
        let played = self.played.0.load(Ordering::Relaxed);
        let seed = seed_of_game(self.own, played, self.seat as usize);
        self.mover.seed(seed);
        self.mover.begin();
    }

    fn end(&mut self) {
        self.mover.end();
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        self.mover.side_channel()
    }

    fn seed(&mut self, seed: u64) {
        self.own = seed;
        self.mover.seed(seed);
    }
}
