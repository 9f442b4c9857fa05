//! Engine: runs simulations from a position and chooses a move.

use std::ops::ControlFlow;
use std::time::Instant;

use duoforge_rules::{Game, Move};
use duoforge_twin::Rng;
use duoforge_twin::search::Limit;

use crate::playout::{MAX_PLIES, SimulatedPly, finish};
use crate::position::{Position, placement};
use crate::prior::Expander;
use crate::result::{MaxnProgress, MaxnResult, RootCandidate};
use crate::reuse::{RootPosition, descend, graft};
use crate::rules::BySeat;
use crate::settings::MaxnSettings;
use crate::tree::{NO_NODE, PathStep, Tree};
use crate::value::ResultValues;
use crate::weights::Weights;

/// Number of simulations between two calls of the progress function.
const PROGRESS: u64 = 256;

/// Number of simulations between two readings of the clock.
const CLOCK: u64 = 8;

/// Memory of a child of a node, in bytes.
const CHILD_BYTES: usize = 24;

/// Engine that chooses moves in games of every variant.
///
/// ```
/// use duoforge_maxn::{MaxnEngine, MaxnSettings};
/// use duoforge_rules::{Game, GameVariant};
///
/// let mut engine = MaxnEngine::new(&"sims=200,seed=3".parse()?);
/// let mut game = Game::new(&GameVariant::CLASSIC);
/// for seat in 0..4 {
///     let result = engine.choose(&game).expect("the game is not over");
///     println!("seat {seat}: {} of value {:.2}", result.mv, result.values[seat]);
///     game.play(result.mv).expect("a legal move");
/// }
/// # Ok::<(), duoforge_twin::search::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MaxnEngine {
    settings: MaxnSettings,
    rng: Rng,
    tree: Tree,
    expander: Expander,
    values: ResultValues,
    path: Vec<PathStep>,
    plies: Vec<SimulatedPly>,
    /// By root child: sums of the seats' values, and the number of simulations of this search.
    sums: Vec<(BySeat<f64>, u32)>,
    /// Tree of the last search while the next one copies a part of it.
    old: Tree,
    /// Position of the tree, if a later search may reuse it.
    root: Option<RootPosition>,
    is_full: bool,
}

impl MaxnEngine {
    /// Creates an engine with these settings.
    #[must_use]
    pub fn new(settings: &MaxnSettings) -> Self {
        Self {
            rng: Rng::new(settings.seed),
            settings: settings.clone(),
            tree: Tree::default(),
            expander: Expander::default(),
            values: ResultValues::default(),
            path: Vec::with_capacity(MAX_PLIES),
            plies: Vec::with_capacity(MAX_PLIES),
            sums: Vec::new(),
            old: Tree::default(),
            root: None,
            is_full: false,
        }
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &MaxnSettings {
        &self.settings
    }

    /// Makes the choices that follow depend only on this seed and the positions.
    pub fn seed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.root = None;
        self.rng = Rng::new(seed);
    }

    /// Chooses a move for the colour to move within the limit of the settings; `None` if the game
    /// is over.
    pub fn choose(&mut self, game: &Game) -> Option<MaxnResult> {
        self.choose_while(game, self.settings.limit, |_| ControlFlow::Continue(()))
    }

    /// Chooses a move within a limit, and earlier if `progress` breaks. It is called after each 256
    /// simulations.
    ///
    /// At least one simulation runs, unless there is only one legal move. Such a move is returned
    /// at once.
    pub fn choose_while(
        &mut self,
        game: &Game,
        limit: Limit,
        mut progress: impl FnMut(&MaxnProgress) -> ControlFlow<()>,
    ) -> Option<MaxnResult> {
        let begin = Instant::now();
        game.to_move()?;
        let root = Position::new(game);
        self.start(game, &root);
        let mut simulations = 0;
        while self.has_choice() {
            self.simulate(&root);
            simulations += 1;
            let is_done = match limit {
                Limit::Simulations(limit) => simulations >= limit,
                Limit::Time(limit) => simulations % CLOCK == 0 && begin.elapsed() >= limit,
            };
            if is_done {
                break;
            }
            if simulations % PROGRESS == 0
                && progress(&self.progress(simulations, begin)).is_break()
            {
                break;
            }
        }
        Some(self.result(simulations, begin))
    }

    /// Prepares the tree for a new root position.
    fn start(&mut self, game: &Game, root: &Position) {
        let kept = self.kept(game, root);
        if kept.is_some() {
            std::mem::swap(&mut self.tree, &mut self.old);
        } else {
            self.values = ResultValues::new(root.rules(), self.settings.margin as f32 / 100.0);
        }
        self.tree.clear();
        self.is_full = false;
        self.expand(root, usize::MAX, true);
        if let Some(node) = kept {
            graft(&mut self.tree, &self.old, node);
        }
        self.root = self.settings.reuse_tree.then(|| RootPosition::new(game));
        self.sums.clear();
        let children = self.tree.nodes[0].len;
        self.sums.resize(children, ([0.0; _], 0));
    }

    /// Returns the node of the last tree that has the position of the game, if it may be reused.
    fn kept(&self, game: &Game, position: &Position) -> Option<usize> {
        let plies = self.root.as_ref()?.since(game)?;
        let index = descend(&self.tree, plies)?;
        let node = self.tree.nodes.get(index)?;
        let turn = (position.colour() as u8, position.seat() as u8);
        ((node.colour, node.seat) == turn).then_some(index)
    }

    /// True if the root has at least two children.
    fn has_choice(&self) -> bool {
        self.tree.nodes[0].len > 1
    }

    /// Adds the node of a position; returns its index.
    fn expand(&mut self, position: &Position, limit: usize, all: bool) -> usize {
        let s = &self.settings;
        let seat = position.seat();
        let value = self.values.mean(seat);
        let weights = Weights::for_size(position.rules().size);
        let children = self.expander.expand(position, weights, limit, all, value);
        self.tree
            .add(position.colour(), seat, children, s.tree.fpu_weight)
    }

    /// True if the tree has memory for another node.
    fn has_memory(&mut self) -> bool {
        let bytes = (self.tree.keys.len() + self.settings.children) * CHILD_BYTES;
        self.is_full |= bytes > self.settings.memory << 20;
        !self.is_full
    }

    /// Runs one simulation.
    fn simulate(&mut self, root: &Position) {
        let mut position = *root;
        self.path.clear();
        self.plies.clear();
        let mut node = 0;
        loop {
            let child = self.tree.select(node, self.settings.tree.exploration);
            self.path.push(PathStep { node, child });
            self.plies.push(SimulatedPly {
                colour: position.colour() as u8,
                seat: position.seat() as u8,
                key: self.tree.keys[child],
            });
            position.play(self.tree.keys[child]);
            if !position.find_decision() {
                break;
            }
            let link = self.tree.links[child];
            if link != NO_NODE {
                node = link as usize;
                continue;
            }
            // The deeper a leaf, the more visits it needs: 1 below the root, half a visit more for
            // each ply.
            let depth = self.path.len() as u32;
            if 2 * self.tree.visits[child] < depth + 1 || !self.has_memory() {
                break;
            }
            node = self.expand(&position, self.settings.children, false);
            self.tree.links[child] = node as u32;
        }
        finish(&mut position, &mut self.rng, &mut self.plies);
        let values = self.values.add(&position);
        self.tree
            .backup(&self.path, &self.plies, &values, &self.settings.tree);
        let (sums, count) = &mut self.sums[self.path[0].child];
        *count += 1;
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += f64::from(value);
        }
    }

    /// Returns the root children, the best first: by wins, then by visit count and prior.
    fn ranking(&self) -> Vec<usize> {
        let tree = &self.tree;
        let mut ranking: Vec<usize> = tree.nodes[0].children().collect();
        let wins = |child: usize| tree.values[child] * tree.visits[child] as f32;
        ranking.sort_by(|&a, &b| {
            let visits = tree.visits[b].cmp(&tree.visits[a]);
            visits.then(tree.priors[b].total_cmp(&tree.priors[a]))
        });
        let best = ranking.iter().enumerate();
        let best = best.max_by(|a, b| wins(*a.1).total_cmp(&wins(*b.1)).then(b.0.cmp(&a.0)));
        if let Some((i, _)) = best {
            ranking[..=i].rotate_right(1);
        }
        ranking
    }

    fn progress(&self, simulations: u64, begin: Instant) -> MaxnProgress {
        let tree = &self.tree;
        let best = self.ranking()[0];
        MaxnProgress {
            simulations,
            time: begin.elapsed(),
            best: placement(tree.keys[best]),
            visits: tree.visits[best],
            value: tree.values[best].into(),
        }
    }

    fn result(&self, simulations: u64, begin: Instant) -> MaxnResult {
        let tree = &self.tree;
        let ranking = self.ranking();
        let candidate = |&child: &usize| RootCandidate {
            placement: placement(tree.keys[child]),
            visits: tree.visits[child],
            prior: tree.priors[child].into(),
            value: tree.values[child].into(),
        };
        let candidates: Vec<RootCandidate> = ranking.iter().map(candidate).collect();
        let best = candidates.first();
        let visits = best.map_or(0, |best| best.visits);
        let seats = self.values.seats();
        let values = match ranking.first().map(|&best| &self.sums[best]) {
            _ if simulations == 0 => Vec::new(),
            Some((sums, count)) if *count > 0 => {
                let mean = |sum: &f64| sum / f64::from(*count);
                sums[..seats].iter().map(mean).collect()
            }
            // Only the last search has visited the move.
            _ => (0..seats)
                .map(|seat| self.values.mean(seat).into())
                .collect(),
        };
        MaxnResult {
            mv: best.map_or(Move::Pass, |best| Move::Place(best.placement)),
            visits,
            values,
            candidates,
            simulations,
            nodes: tree.nodes.len(),
            is_full: self.is_full,
            time: begin.elapsed(),
        }
    }
}
