//! Players that choose moves on a board.

use std::sync::Arc;
use std::time::Duration;

#[cfg(unix)]
use duoforge_bots::{BotError, BotFault};
use duoforge_engine as engine;
use duoforge_gtp::ClientError;
use duoforge_links::LinkError;
use duoforge_protocol::MoveCode;
use duoforge_referee::SideChannel;
use duoforge_rules::{DuoBoard, Move, Placement};
use duoforge_twin::search::{Search, SearchSettings};
use duoforge_twin::{Policy, Rng};

/// Chooser of moves: a program or a person.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait Mover: Send {
    /// Returns the move of the side to move.
    ///
    /// # Errors
    /// [`MoveError`] on resignation or if the mover has failed.
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError>;

    /// Returns the code of the move of the side to move. The default is the canonical code of
    /// [`choose`](Self::choose); a program's own code may be an alias, or invalid.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    fn choose_code(&mut self, board: &DuoBoard) -> Result<MoveCode, MoveError> {
        self.choose(board).map(Move::to_code_bytes)
    }

    /// Prepares for a new game, at the handshake before it. The time of this call does not count.
    ///
    /// # Errors
    /// [`MoveError`] if the mover cannot play. No game begins then.
    fn prepare(&mut self) -> Result<(), MoveError> {
        Ok(())
    }

    /// Notifies that a new game begins.
    fn begin(&mut self) {}

    /// Notifies that the game has ended.
    fn end(&mut self) {}

    /// Returns the side channel to a program that keeps its own time, if the mover is one.
    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        None
    }

    /// Makes random choices depend only on this seed and the positions. A deterministic mover keeps
    /// the default, which does nothing.
    fn seed(&mut self, seed: u64) {}
}

/// Resignation of a person or an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("resigned")]
pub struct Resigned;

/// Reason why there is no move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The mover resigned.
    #[error(transparent)]
    Resigned(#[from] Resigned),
    /// The engine in another process failed.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The engine in another process did not reply in its time.
    #[error("no reply within {} s", .limit.as_secs_f64())]
    OutOfTime {
        /// Time limit.
        limit: Duration,
    },
    /// The text bot failed, or exceeded its time for the second time.
    #[cfg(unix)]
    #[error(transparent)]
    Bot(#[from] Box<BotError>),
}

impl From<MoveError> for LinkError {
    fn from(reason: MoveError) -> Self {
        match reason {
            MoveError::Resigned(Resigned) => Self::Resigned,
            MoveError::Engine(error) => Self::Stopped(error.to_string()),
            MoveError::OutOfTime { limit } => Self::OutOfTime { after: None, limit },
            #[cfg(unix)]
            MoveError::Bot(error) => bot_error(*error),
        }
    }
}

/// Converts the fault of a bot to the error that a device with the same fault causes.
#[cfg(unix)]
fn bot_error(error: BotError) -> LinkError {
    match error.fault {
        BotFault::Ended(end) => LinkError::Ended {
            status: end.status,
            tail: error.tail,
        },
        BotFault::Malformed { word, reason } => LinkError::NoCode {
            reply: word,
            reason,
        },
        BotFault::TimedOut { limit } | BotFault::Silent { limit } => {
            let after = None;
            LinkError::OutOfTime { after, limit }
        }
        _ => LinkError::Stopped(error.to_string()),
    }
}

impl<M: Mover + ?Sized> Mover for Box<M> {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        (**self).choose(board)
    }

    fn choose_code(&mut self, board: &DuoBoard) -> Result<MoveCode, MoveError> {
        (**self).choose_code(board)
    }

    fn prepare(&mut self) -> Result<(), MoveError> {
        (**self).prepare()
    }

    fn begin(&mut self) {
        (**self).begin();
    }

    fn end(&mut self) {
        (**self).end();
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        (**self).side_channel()
    }

    fn seed(&mut self, seed: u64) {
        (**self).seed(seed);
    }
}

/// Pattern player: the placement with the best pattern score.
#[derive(Clone, Debug, Default)]
pub struct PatternMover {
    policy: Policy,
}

impl Mover for PatternMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let best = self.policy.best(board);
        Ok(best.map_or(Move::Pass, |choice| Move::Place(choice.placement)))
    }
}

/// Search player: the placement with the highest visit count.
#[derive(Debug)]
pub struct SearchMover {
    settings: SearchSettings,
    search: Search,
    /// Position after the last move, for the search in the opponent's time.
    after_move: Option<DuoBoard>,
}

impl SearchMover {
    /// Creates a player with these search settings.
    #[must_use]
    pub fn new(settings: &SearchSettings) -> Self {
        Self {
            search: Search::new(settings.parameters.clone(), settings.seed),
            settings: settings.clone(),
            after_move: None,
        }
    }
}

impl Mover for SearchMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        if let Some(after) = self.after_move.take() {
            self.settings.ponder(&mut self.search, &after);
        }
        let found = self.settings.run(&mut self.search, board);
        let Some(best) = found.lines.first() else {
            return Ok(Move::Pass);
        };
        let best = Move::Place(best.placement);
        let mut after = board.clone();
        if after.play(best).is_ok() {
            self.after_move = Some(after);
        }
        Ok(best)
    }

    fn begin(&mut self) {
        self.after_move = None;
    }

    fn seed(&mut self, seed: u64) {
        self.search = Search::new(self.settings.parameters.clone(), seed);
    }
}

/// Engine player: the search for processors with all its components.
#[derive(Debug)]
pub struct EngineMover(engine::Engine);

impl EngineMover {
    /// Creates a player with these engine settings.
    #[must_use]
    pub fn new(settings: &engine::EngineSettings) -> Self {
        Self(engine::Engine::new(settings.clone()))
    }
}

impl Mover for EngineMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let limit = self.0.settings().limit;
        Ok(self.0.choose(board, limit).mv)
    }

    fn begin(&mut self) {
        self.0.begin();
    }

    fn seed(&mut self, seed: u64) {
        self.0.seed(seed);
    }
}

/// Random player: draws uniformly from the legal placements; passes only if there is none.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Creates a player whose moves depend only on the seed and the positions.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
        }
    }

    /// Draws one of the placements; a pass if there is none.
    pub(crate) fn draw(&mut self, placements: &[Placement]) -> Move {
        if placements.is_empty() {
            return Move::Pass;
        }
        let index = self.rng.below(placements.len() as u32) as usize;
        Move::Place(placements[index])
    }
}

impl Mover for Random {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let legal: Vec<Placement> = board.legal().collect();
        Ok(self.draw(&legal))
    }

    fn seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}
