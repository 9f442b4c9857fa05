//! Engine: chooses moves for the positions of a game.

use std::time::{Duration, Instant};

use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::{Limit, Position, SettingsError};

use super::EngineSettings;
use super::endgame::{Budget, EndgameResult, mobility, solve};
use super::network::Network;
use super::observer::SearchObserver;
use super::parallel::{SearchStats, SearchTask, run};
use super::ranked::{RankedMove, rank};
use super::tree_reuse::ReusedTree;

/// Fraction of the time limit that the endgame solver may use.
const SHARE: f64 = 0.4;

/// Engine that chooses moves for successive positions of a game.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    settings: EngineSettings,
    reused_tree: ReusedTree,
}

/// Result of the engine for one move.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineResult {
    /// Best move; a pass if no placement is legal.
    pub mv: Move,
    /// Result of the endgame solver, if it ran and finished.
    pub solved: Option<EndgameResult>,
    /// Root moves that were considered, best first, then by visit count; empty if the endgame
    /// solver decided.
    pub lines: Vec<RankedMove>,
    /// Number of simulations of this search.
    pub simulations: u64,
    /// Number of simulations that the reused tree contained.
    pub exploration_visits: u32,
    /// Number of nodes in the tree.
    pub nodes: usize,
    /// True if the memory limit stopped the growth of the tree.
    pub full: bool,
    /// Time used.
    pub time: Duration,
}

impl Engine {
    /// Creates an engine with these settings.
    pub fn new(settings: EngineSettings) -> Self {
        Self {
            settings,
            reused_tree: ReusedTree::default(),
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// Changes a setting. The search tree is kept, except at a change of a search parameter or of
    /// `network`.
    ///
    /// # Errors
    /// The errors of [`EngineSettings::set`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        let (parameters, network) = (self.settings.parameters.clone(), self.settings.network);
        self.settings.set(key, value)?;
        if (&parameters, network) != (&self.settings.parameters, self.settings.network) {
            self.reused_tree.clear();
        }
        Ok(())
    }

    /// Sets the seed and clears the tree: random choices then depend only on the seed and the calls
    /// that follow.
    pub fn seed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.reused_tree.clear();
    }

    /// Starts a new game: clears the tree.
    pub fn begin(&mut self) {
        self.reused_tree.clear();
    }

    /// Chooses a move within the limit: immediately if only one placement is legal, else by the
    /// endgame solver or the search.
    pub fn choose(&mut self, board: &DuoBoard, limit: Limit) -> EngineResult {
        self.think(board, limit, false, None)
    }

    /// Chooses a move like [`choose`](Self::choose), with an observer that may end the search.
    pub fn choose_observed(
        &mut self,
        board: &DuoBoard,
        limit: Limit,
        observer: &dyn SearchObserver,
    ) -> EngineResult {
        self.think(board, limit, false, Some(observer))
    }

    /// Chooses a move like [`choose`](Self::choose), but always searches and never stops early.
    pub fn analyse(&mut self, board: &DuoBoard, limit: Limit) -> EngineResult {
        self.think(board, limit, true, None)
    }

    /// Searches like [`analyse`](Self::analyse), with an observer that receives the progress and
    /// may end the search.
    pub fn analyse_observed(
        &mut self,
        board: &DuoBoard,
        limit: Limit,
        observer: &dyn SearchObserver,
    ) -> EngineResult {
        self.think(board, limit, true, Some(observer))
    }

    fn think(
        &mut self,
        board: &DuoBoard,
        limit: Limit,
        whole: bool,
        observer: Option<&dyn SearchObserver>,
    ) -> EngineResult {
        let begin = Instant::now();
        let mut found = EngineResult {
            mv: Move::Pass,
            solved: None,
            lines: Vec::new(),
            simulations: 0,
            exploration_visits: 0,
            nodes: 0,
            full: false,
            time: Duration::ZERO,
        };
        let mut legal = board.legal();
        let first = legal.next();
        let alone = legal.next().is_none();
        if let Some(first) = first {
            found.mv = Move::Place(first);
            if whole || !alone {
                found.solved = self.solve(board, begin, limit);
                if let Some(solved) = found.solved {
                    found.mv = solved.mv;
                }
                if whole || found.solved.is_none() {
                    self.search(board, (begin, limit), whole, observer, &mut found);
                }
            }
        }
        found.time = begin.elapsed();
        found
    }

    fn solve(&self, board: &DuoBoard, begin: Instant, limit: Limit) -> Option<EndgameResult> {
        let s = &self.settings;
        if mobility(board) > s.endgame_mobility {
            return None;
        }
        let deadline = match limit {
            Limit::Time(limit) => Some(begin + limit.mul_f64(SHARE)),
            Limit::Simulations(_) => None,
        };
        let effort = Budget {
            nodes: s.endgame_nodes,
            deadline,
        };
        solve(board, s.voluntary_pass, effort)
    }

    fn search(
        &mut self,
        board: &DuoBoard,
        (begin, limit): (Instant, Limit),
        whole: bool,
        observer: Option<&dyn SearchObserver>,
        found: &mut EngineResult,
    ) {
        let s = &self.settings;
        if !s.reuse_tree {
            self.reused_tree.clear();
        }
        let network = s.network.then(Network::shipped);
        self.reused_tree.go_to(board, &s.parameters, network);
        found.exploration_visits = self.reused_tree.tree.nodes[0].visits;
        let task = SearchTask {
            parameters: &s.parameters,
            network,
            root: Position::new(board),
            seed: s.seed,
            threads: s.threads,
            memory: s.memory << 20,
            begin,
            limit,
            early: s.early_stop && !whole,
            observer,
        };
        // A single child needs no search.
        let done = if self.reused_tree.tree.children(0).len() > 1 {
            run(&mut self.reused_tree.tree, &task)
        } else {
            SearchStats::default()
        };
        found.lines = rank(
            &self.reused_tree.tree,
            &done.tallies,
            &s.parameters.formulas,
        );
        if let (None, Some(best)) = (found.solved, found.lines.first()) {
            found.mv = best.moves[0];
        }
        found.simulations = done.simulations;
        found.nodes = self.reused_tree.tree.nodes.len();
        found.full = done.full;
    }
}

impl EngineResult {
    /// Returns the expected result for the side to move, from 0 (loss) to 1 (win); `None` if
    /// nothing is known.
    pub fn value(&self) -> Option<f64> {
        match self.solved {
            Some(solved) => Some(f64::from(solved.margin.signum() + 1) / 2.0),
            None => self.lines.first()?.wins,
        }
    }
}

#[cfg(test)]
mod tests;
