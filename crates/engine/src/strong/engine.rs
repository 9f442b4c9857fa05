//! The engine: one search after another, in a game.

use std::time::{Duration, Instant};

use duoforge_rules::{DuoBoard, Move, Placement};

use super::Settings;
use super::endgame::{Effort, Solved, choices, solve};
use super::trunk::Trunk;
use super::work::{Done, Tally, Task, run};
use crate::search::arithmetic::ONE;
use crate::search::{Limit, Position, SettingsError};

/// The share of a move's time that exact play may take.
const SHARE: f64 = 0.4;

/// An engine that thinks about one position after another.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    settings: Settings,
    trunk: Trunk,
}

/// A placement at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The placement, and what is most visited after it.
    pub moves: Vec<Move>,
    /// Simulations that went through it, those of earlier searches included.
    pub visits: u32,
    /// Its mean value from 0 to 1, in which the margin has a share and similar games too.
    pub value: f64,
    /// Its share of the prior.
    pub prior: f64,
    /// The share of this search's games that it won, a draw being half a win; none without games.
    pub wins: Option<f64>,
    /// The cells by which it won them on average.
    pub margin: Option<f64>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The best move; a pass where no tile can be placed.
    pub turn: Move,
    /// What exact play found, if it was tried and came to an end.
    pub solved: Option<Solved>,
    /// The placements that were considered, the best first, then the most visited; none where exact play
    /// decided.
    pub lines: Vec<Line>,
    /// How many simulations were made.
    pub simulations: u64,
    /// How many simulations of earlier searches are known.
    pub known: u32,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Whether the memory was full, so that the tree grew no more.
    pub full: bool,
    /// How long it took.
    pub time: Duration,
}

impl Engine {
    /// An engine with these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            trunk: Trunk::default(),
        }
    }

    /// What was chosen.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes a setting; what is known of a game stays.
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        self.settings.set(key, value)
    }

    /// Makes random choices depend on this number and on what follows alone.
    pub fn seed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.trunk.clear();
    }

    /// Forgets what is known of a game.
    pub fn begin(&mut self) {
        self.trunk.clear();
    }

    /// Chooses a move within the limit: at once where there is no choice or where exact play finds
    /// it, else by searching.
    pub fn choose(&mut self, board: &DuoBoard, limit: Limit) -> Found {
        self.think(board, limit, false)
    }

    /// As [`choose`](Self::choose), but searches in any case, and never ends early.
    pub fn analyse(&mut self, board: &DuoBoard, limit: Limit) -> Found {
        self.think(board, limit, true)
    }

    fn think(&mut self, board: &DuoBoard, limit: Limit, whole: bool) -> Found {
        let begin = Instant::now();
        let mut found = Found {
            turn: Move::Pass,
            solved: None,
            lines: Vec::new(),
            simulations: 0,
            known: 0,
            nodes: 0,
            full: false,
            time: Duration::ZERO,
        };
        let mut legal = board.legal();
        let first = legal.next();
        let alone = legal.next().is_none();
        if let Some(first) = first {
            found.turn = Move::Place(first);
            if whole || !alone {
                found.solved = self.solve(board, begin, limit);
                if let Some(solved) = found.solved {
                    found.turn = solved.turn;
                }
                if whole || found.solved.is_none() {
                    self.search(board, begin, limit, whole, &mut found);
                }
            }
        }
        found.time = begin.elapsed();
        found
    }

    fn solve(&self, board: &DuoBoard, begin: Instant, limit: Limit) -> Option<Solved> {
        let s = &self.settings;
        if choices(board) > s.endgame {
            return None;
        }
        let deadline = match limit {
            Limit::Time(limit) => Some(begin + limit.mul_f64(SHARE)),
            Limit::Simulations(_) => None,
        };
        let effort = Effort {
            nodes: s.endgame_nodes,
            deadline,
        };
        solve(board, s.pass, effort)
    }

    fn search(
        &mut self,
        board: &DuoBoard,
        begin: Instant,
        limit: Limit,
        whole: bool,
        found: &mut Found,
    ) {
        let s = &self.settings;
        if !s.keep {
            self.trunk.clear();
        }
        self.trunk.go_to(board, &s.parameters);
        found.known = self.trunk.tree.nodes[0].visits;
        let task = Task {
            parameters: &s.parameters,
            root: Position::new(board),
            seed: s.seed,
            threads: s.threads,
            memory: s.memory << 20,
            begin,
            limit,
            early: s.early && !whole,
        };
        // Without a choice, nothing is gained by searching.
        let done = if self.trunk.tree.children(0).len() > 1 {
            run(&mut self.trunk.tree, &task)
        } else {
            Done::default()
        };
        found.lines = self.lines(&done);
        if let (None, Some(best)) = (found.solved, found.lines.first()) {
            found.turn = best.moves[0];
        }
        found.simulations = done.simulations;
        found.nodes = self.trunk.tree.nodes.len();
        found.full = done.full;
    }

    fn lines(&self, done: &Done) -> Vec<Line> {
        let share = |number: u32| f64::from(number) / f64::from(ONE);
        let tree = &self.trunk.tree;
        let line = |i: usize| {
            let child = &tree.children(0)[i];
            let tally = done.tallies.get(i).filter(|tally| tally.games > 0);
            let mean = |sum: f64, tally: &Tally| sum / f64::from(tally.games);
            Line {
                moves: self.trunk.line(i),
                visits: child.visits,
                value: share(child.value()),
                prior: share(child.prior),
                wins: tally.map(|tally| mean(f64::from(tally.halves) / 2.0, tally)),
                margin: tally.map(|tally| mean(tally.margin as f64, tally)),
            }
        };
        tree.ranking(0).into_iter().map(line).collect()
    }
}

impl Line {
    /// The placement.
    pub fn placement(&self) -> Placement {
        self.moves[0].placement().expect("a line begins with one")
    }
}

impl Found {
    /// From 0, a lost game, to 1 for the player to move; none where nothing is known.
    pub fn value(&self) -> Option<f64> {
        match self.solved {
            Some(solved) => Some(f64::from(solved.margin.signum() + 1) / 2.0),
            None => self.lines.first()?.wins,
        }
    }
}

#[cfg(test)]
mod tests;
