//! Comparison of the hardware search with its twin over positions of games, and cycle counts.

use duoforge_hdl::search::searcher;
use duoforge_hdl::search::settings::{SearchingError, check_supported};
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::{Limit, SearchSettings};
use duoforge_twin::{Policy, PolicyMaps, Rng};
use thiserror::Error;

use super::{Cycles, Divergence, HardwareSearch, SearchUnit, compare, set_up, twin};
use crate::{Backend, SimError};

/// Error of a [`Comparison`].
#[derive(Debug, Error)]
pub enum ComparisonError {
    /// The search has a time limit, which the twin cannot repeat.
    #[error("the search must end by its simulations: give sims=N")]
    NoSimulations,
    /// A setting is outside the range of the hardware.
    #[error(transparent)]
    Unsupported(#[from] SearchingError),
    /// The model cannot be built or driven.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The hardware and the twin differ.
    #[error("{position}: {difference}")]
    Different {
        /// Moves before the search.
        position: String,
        /// First difference.
        difference: Box<Divergence>,
    },
}

/// Comparison of the hardware search with its twin.
#[derive(Debug)]
pub struct Comparison {
    unit: SearchUnit,
    settings: searcher::ClockedSearchConfig,
    /// Number of searches compared.
    pub searches: u64,
    /// Number of MCTS simulations compared.
    pub simulations: u64,
}

/// Statistics of a hardware search that agreed with its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Number of plies played before the search.
    pub ply: usize,
    /// Number of MCTS simulations.
    pub simulations: u64,
    /// Cycle counts.
    pub cycles: Cycles,
}

impl Measured {
    /// Returns the simulations per second at a clock frequency in hertz, rounded down; 0 if no
    /// cycles were counted.
    #[must_use]
    pub fn per_second(&self, clock_hz: u64) -> u64 {
        (self.simulations * clock_hz)
            .checked_div(self.cycles.whole)
            .unwrap_or(0)
    }
}

impl Comparison {
    /// Builds the hardware with the settings of a search, and `lines` nodes in block RAM if the
    /// others are in an external memory. With `trace` every simulation is compared, else only the
    /// results.
    ///
    /// # Errors
    /// Settings with a time limit or outside the ranges of the hardware; errors of building the
    /// model.
    pub fn open(
        backend: Backend,
        settings: &SearchSettings,
        lines: Option<usize>,
        trace: bool,
    ) -> Result<Self, ComparisonError> {
        let Limit::Simulations(limit) = settings.limit else {
            return Err(ComparisonError::NoSimulations);
        };
        let lines = lines.filter(|&lines| lines > 0);
        check_supported(&settings.parameters, limit, lines)?;
        let settings = searcher::ClockedSearchConfig {
            parameters: settings.parameters.clone(),
            seed: settings.seed,
            simulations: u32::try_from(limit).unwrap_or(u32::MAX),
            cycles: u32::MAX,
            lines,
            ponder: false,
            book: None,
        };
        let unit = SearchUnit::open(backend, &settings, trace)?;
        Ok(Self {
            unit,
            settings,
            searches: 0,
            simulations: 0,
        })
    }

    /// Searches a position with hardware and twin, and compares the results.
    ///
    /// # Errors
    /// The first mismatch; errors of driving the model.
    pub fn search(&mut self, board: &DuoBoard) -> Result<Measured, ComparisonError> {
        set_up(&mut self.unit, board)?;
        let heard = self.unit.think(board.to_move(), None)?;
        let (found, traced) = twin(&self.settings, board, self.settings.simulations.into());
        compare(&found, &traced, &heard).map_err(|difference| ComparisonError::Different {
            position: place(board),
            difference: Box::new(difference),
        })?;
        let HardwareSearch {
            simulations,
            cycles,
            ..
        } = heard;
        self.searches += 1;
        self.simulations += simulations;
        Ok(Measured {
            ply: board.ply(),
            simulations,
            cycles,
        })
    }
}

/// Describes a position by its moves.
fn place(board: &DuoBoard) -> String {
    let codes = board.moves().iter().map(|mv| mv.to_string());
    format!("after [{}]", codes.collect::<Vec<_>>().join(" "))
}

/// Plays a random game and returns all its positions, the final one included. Each side plays one
/// of the 20 placements with the highest scores of the pattern policy.
pub fn walk(rng: &mut Rng) -> Vec<DuoBoard> {
    let policy = Policy::default();
    let mut board = DuoBoard::duo();
    let mut boards = vec![board.clone()];
    while !board.is_over() {
        let maps = PolicyMaps::new(&board, board.to_move());
        let mut legal: Vec<_> = board.legal().collect();
        legal.sort_by_key(|&placement| std::cmp::Reverse(policy.score(&maps, placement)));
        let mv = if legal.is_empty() {
            Move::Pass
        } else {
            Move::Place(legal[rng.below((legal.len() as u32).min(20)) as usize])
        };
        board.play(mv).expect("a legal move");
        boards.push(board.clone());
    }
    boards
}

/// Returns the positions of the reference game for cycle counts: the pattern policy against itself.
pub fn fixed_game() -> Vec<DuoBoard> {
    let policy = Policy::default();
    let mut board = DuoBoard::duo();
    let mut boards = vec![board.clone()];
    while !board.is_over() {
        let best = policy.best(&board);
        let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
        board.play(mv).expect("a legal move");
        boards.push(board.clone());
    }
    boards
}
