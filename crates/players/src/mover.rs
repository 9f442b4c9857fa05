//! Players that choose moves on a board.

use duoforge_engine as engine;
use duoforge_gtp::ClientError;
use duoforge_links::LinkError;
use duoforge_rules::{DuoBoard, Move, Placement};
use duoforge_twin::search::{Search, SearchSettings};
use duoforge_twin::{Policy, Rng};

/// Chooser of moves: a program or a person.
pub trait Mover: Send {
    /// Returns the move of the side to move.
    ///
    /// # Errors
    /// [`MoveError`] on resignation or if the mover has failed.
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError>;

    /// Notifies that a new game begins.
    fn begin(&mut self) {}

    /// Makes random choices depend only on this seed and the positions. A deterministic mover keeps
    /// the default, which does nothing.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }
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
}

impl From<MoveError> for LinkError {
    fn from(reason: MoveError) -> Self {
        match reason {
            MoveError::Resigned(Resigned) => Self::Resigned,
            MoveError::Engine(error) => Self::Stopped(error.to_string()),
        }
    }
}

impl<M: Mover + ?Sized> Mover for Box<M> {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        (**self).choose(board)
    }

    fn begin(&mut self) {
        (**self).begin();
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
}

impl SearchMover {
    /// Creates a player with these search settings.
    #[must_use]
    pub fn new(settings: &SearchSettings) -> Self {
        Self {
            search: Search::new(settings.parameters.clone(), settings.seed),
            settings: settings.clone(),
        }
    }
}

impl Mover for SearchMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let found = self.settings.run(&mut self.search, board);
        let best = found.lines.first();
        Ok(best.map_or(Move::Pass, |line| Move::Place(line.placement)))
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
        Ok(self.0.choose(board, limit).turn)
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
