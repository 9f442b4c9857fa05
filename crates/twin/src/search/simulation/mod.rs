//! MCTS simulations: selection, expansion, playout and backup.

use std::collections::VecDeque;

use duoforge_rules::{Colour, DuoBoard, Move, Placement};

use super::amaf::AmafTable;
use super::arithmetic::MAX_VALUE;
use super::draw::DrawMemory;
use super::parameters::SearchParameters;
use super::playout;
use super::position::Position;
use super::prior::{self, Candidate};
use super::replies::Replies;
use super::result::Results;
use super::tree::{ChildLink, PathStep, Tree};
use crate::Rng;

/// Monte-Carlo tree search for one move, also during the opponent's time.
#[derive(Clone, Debug)]
pub struct Search {
    parameters: SearchParameters,
    tree: Tree,
    /// Node of the position that is searched.
    root: u32,
    /// Side for which placements are chosen: the one to move, or its opponent while pondering.
    searcher: Colour,
    /// Position of the tree's first node, if the next search may continue in the tree.
    pondered: Option<DuoBoard>,
    lanes: Vec<Rng>,
    in_flight: VecDeque<Simulation>,
    amaf: AmafTable,
    seed: u64,
    simulations: u64,
    backed_up: u64,
    solved: bool,
    results: Results,
    /// Last good replies of each lane.
    replies: Vec<Replies>,
    draw_memory: DrawMemory,
}

/// Trace of one MCTS simulation.
///
/// If `moves` is as long as `path`, the game ended with the last placement of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// Steps of the selection, from the root down.
    pub path: Vec<PathStep>,
    /// All placements of the simulation, starting with those of the path.
    pub moves: Vec<(Colour, Placement)>,
    /// Value of the result for the side that searches, from 0 to [`MAX_VALUE`].
    pub value: u32,
}

/// Root move: a placement at the root with its statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// Placement.
    pub placement: Placement,
    /// Visit count: simulations through this placement.
    pub visits: u32,
    /// Mean value for the side to move, in units of 2^-16: 0 is a loss and [`MAX_VALUE`] a win,
    /// both with the largest margin.
    pub value: u32,
    /// True if the value is proven: the result of best play by both sides.
    pub proven: bool,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Root moves that were considered; empty if no placement is legal. The
    /// [best](Tree::best_child) comes first, the others follow by visit count.
    pub lines: Vec<RootMove>,
    /// True if the root is solved: the values of all its legal moves are proven.
    pub solved: bool,
    /// Number of simulations.
    pub simulations: u64,
    /// True if the search continued in the tree of one in the opponent's time, whose visits count
    /// too.
    pub continued: bool,
}

impl SearchResult {
    /// Returns the result for a placement of the opening book, which has no visits and an even value.
    pub(crate) fn of_book(placement: Placement) -> Self {
        let line = RootMove {
            placement,
            visits: 0,
            value: MAX_VALUE / 2,
            proven: false,
        };
        Self {
            lines: vec![line],
            solved: false,
            simulations: 0,
            continued: false,
        }
    }
}

impl Search {
    /// Creates a search; equal seeds give equal results.
    pub fn new(parameters: SearchParameters, seed: u64) -> Self {
        Self {
            lanes: Vec::new(),
            tree: Tree::default(),
            root: 0,
            searcher: Colour(0),
            pondered: None,
            in_flight: VecDeque::new(),
            amaf: AmafTable::default(),
            seed,
            simulations: 0,
            backed_up: 0,
            solved: false,
            results: Results::default(),
            replies: Vec::new(),
            draw_memory: DrawMemory::default(),
            parameters,
        }
    }

    /// Searches the position while `go_on` returns true for the number of simulations so far. The
    /// search also ends once the root is solved.
    ///
    /// If [`ponder`](Self::ponder) has searched the position before the opponent's reply, and that
    /// reply has a node in the tree, the search continues there.
    pub fn run(&mut self, board: &DuoBoard, go_on: impl FnMut(u64) -> bool) -> SearchResult {
        self.run_traced(board, go_on, |_| ())
    }

    /// Searches like [`run`](Self::run), and calls `tell` with every simulation in the order in
    /// which they start.
    pub fn run_traced(
        &mut self,
        board: &DuoBoard,
        go_on: impl FnMut(u64) -> bool,
        tell: impl FnMut(&Simulation),
    ) -> SearchResult {
        let before = self.pondered.take();
        let reply = before.and_then(|before| self.reply_node(&before, board));
        match reply {
            Some(node) => self.root = node,
            None => self.begin(board, board.to_move()),
        }
        self.search(board, go_on, tell);
        let children = self.tree.children(self.root);
        let line = |i: usize| RootMove {
            placement: children[i].placement,
            visits: children[i].visits,
            value: children[i].value(),
            proven: children[i].is_proven(),
        };
        let lines = self.tree.ranking_with(self.root, &self.parameters.formulas);
        let lines: Vec<_> = lines.into_iter().map(line).collect();
        SearchResult {
            lines,
            solved: self.solved,
            simulations: self.simulations,
            continued: reply.is_some(),
        }
    }

    /// Searches the position of the opponent, in the opponent's time, with at most `simulations`; without
    /// any, nothing is searched. The next search continues in the tree. Returns the number of simulations.
    pub fn ponder(&mut self, board: &DuoBoard, simulations: u64) -> u64 {
        if simulations == 0 {
            return 0;
        }
        self.ponder_traced(board, |done| done < simulations, |_| ())
    }

    /// Searches like [`ponder`](Self::ponder) while `go_on` returns true for the number of simulations
    /// so far, and calls `tell` with every simulation in the order in which they start.
    pub fn ponder_traced(
        &mut self,
        board: &DuoBoard,
        go_on: impl FnMut(u64) -> bool,
        tell: impl FnMut(&Simulation),
    ) -> u64 {
        self.begin(board, board.to_move().opponent());
        self.search(board, go_on, tell);
        self.pondered = Some(board.clone());
        self.simulations
    }

    /// Returns the node of `board`, the position after one of the opponent's replies to `before`. The
    /// reply must have a node of the tree, in which the side that searches has to move.
    fn reply_node(&self, before: &DuoBoard, board: &DuoBoard) -> Option<u32> {
        if board.to_move() != self.searcher {
            return None;
        }
        self.tree.children(0).iter().find_map(|child| {
            let ChildLink::Node(node) = child.next else {
                return None;
            };
            let mut after = before.clone();
            after.play(Move::Place(child.placement)).ok()?;
            let continues =
                after == *board && self.tree.nodes[node as usize].player == self.searcher;
            continues.then_some(node)
        })
    }

    /// Begins a tree with the position as its first node.
    fn begin(&mut self, board: &DuoBoard, searcher: Colour) {
        let root = Position::new(board);
        self.pondered = None;
        self.searcher = searcher;
        self.root = 0;
        self.tree.clear();
        self.results = Results::default();
        let p = &self.parameters;
        self.replies = vec![Replies::new(p.formulas.replies); p.lanes];
        let lanes = 0..p.lanes as u64;
        self.lanes = lanes.map(|lane| Rng::new(self.seed ^ lane << 32)).collect();
        let candidates = prior::node_candidates(&root, p);
        self.tree
            .add_node(root.to_move(), &candidates, MAX_VALUE / 2, p);
    }

    /// Runs simulations from the root's node on.
    fn search(
        &mut self,
        board: &DuoBoard,
        mut go_on: impl FnMut(u64) -> bool,
        mut tell: impl FnMut(&Simulation),
    ) {
        let root = Position::new(board);
        self.simulations = 0;
        self.backed_up = 0;
        self.solved = false;
        if self.tree.children(self.root).len() < 2 {
            return;
        }
        while !self.solved && go_on(self.simulations) {
            if self.in_flight.len() == self.parameters.lanes {
                let simulation = self.in_flight.pop_front().expect("lanes");
                self.update(&simulation);
            }
            let simulation = self.simulate(&root);
            tell(&simulation);
            self.solved = simulation.path[0].solved;
            self.in_flight.push_back(simulation);
            self.simulations += 1;
        }
        while let Some(simulation) = self.in_flight.pop_front() {
            self.update(&simulation);
        }
    }

    /// Runs one simulation: selection, expansion and playout.
    fn simulate(&mut self, root: &Position) -> Simulation {
        let lane = (self.simulations % self.parameters.lanes as u64) as usize;
        let mut position = *root;
        let mut path = Vec::with_capacity(16);
        let mut moves = Vec::with_capacity(42);
        let (mut node, mut proving) = (self.root, false);
        loop {
            let (step, child) = self.tree.select_and_visit(node, &self.parameters);
            path.push(step);
            proving |= step.proven_alternative.is_some();
            moves.push((position.to_move(), child.placement));
            position.place(child.placement);
            let next = match child.next {
                ChildLink::Leaf
                    if proving || self.parameters.may_expand(child.visits, path.len()) =>
                {
                    let next = self.expand(&position, child.value());
                    self.tree.link(node, step.child, next);
                    next
                }
                next => next,
            };
            match next {
                ChildLink::Node(next) => {
                    node = next;
                    position.set_to_move(self.tree.nodes[node as usize].player);
                }
                // At the end of the game the playout places nothing; both cases share this arm.
                ChildLink::Leaf | ChildLink::End => {
                    let rng = &mut self.lanes[lane];
                    let (p, replies) = (&self.parameters, &self.replies[lane]);
                    let memory = &mut self.draw_memory;
                    playout::finish(&mut position, p, rng, replies, memory, &mut moves);
                    break;
                }
            }
        }
        let margin = position.margin(self.searcher);
        let formulas = &self.parameters.formulas;
        // Simulations end in the order in which they start, so the statistics are those of all
        // earlier simulations.
        let value = match formulas.has_bonus() {
            true => self.results.value(margin, moves.len(), formulas),
            false => self.parameters.value(margin),
        };
        Simulation { path, moves, value }
    }

    /// Expands a leaf; `value` is its value for the side that has just moved.
    fn expand(&mut self, position: &Position, value: u32) -> ChildLink {
        let p = &self.parameters;
        if self.tree.nodes.len() >= p.nodes {
            return ChildLink::Leaf;
        }
        let found = expand(position, p);
        let mover = position.to_move().opponent();
        let value = match p.formulas.fpu_root {
            false => value,
            true => self.results.mean(mover, self.searcher),
        };
        self.tree.add_expansion(mover, value, found, p)
    }

    /// Backs up the result of a simulation.
    fn update(&mut self, simulation: &Simulation) {
        let p = &self.parameters;
        self.amaf.set_all(&simulation.moves);
        let over = simulation.moves.len() == simulation.path.len();
        self.tree.backup(
            &simulation.path,
            (self.searcher, simulation.value),
            over,
            &self.amaf,
            p,
        );
        self.amaf.clear();
        let lane = (self.backed_up % p.lanes as u64) as usize;
        self.backed_up += 1;
        self.results.add(simulation.value);
        if p.formulas.replies > 0 {
            self.replies[lane].record_result(&simulation.moves, simulation.value, self.searcher);
        }
    }
}

/// Returns the side that places the next tile in a position, with its candidates; `None` if the
/// game is over.
pub fn expand(position: &Position, p: &SearchParameters) -> Option<(Colour, Vec<Candidate>)> {
    expand_by(position, |position| prior::node_candidates(position, p))
}

/// Expands a position like [`expand`], with the candidates that `find` returns for the side to move.
pub fn expand_by(
    position: &Position,
    mut find: impl FnMut(&Position) -> Vec<Candidate>,
) -> Option<(Colour, Vec<Candidate>)> {
    let player = position.to_move();
    [player, player.opponent()].into_iter().find_map(|player| {
        let mut position = *position;
        position.set_to_move(player);
        let candidates = find(&position);
        (!candidates.is_empty()).then_some((player, candidates))
    })
}

#[cfg(test)]
mod tests;
