//! MCTS simulations: selection, expansion, playout and backup.

use std::collections::VecDeque;

use duoforge_rules::{Colour, DuoBoard, Placement};

use super::amaf::AmafTable;
use super::arithmetic::MAX_VALUE;
use super::parameters::SearchParameters;
use super::playout;
use super::position::Position;
use super::prior::{self, Candidate};
use super::replies::Replies;
use super::result::Results;
use super::tree::{ChildLink, PathStep, Tree};
use super::weighted::DrawMemory;
use crate::Rng;

/// Monte-Carlo tree search for one move.
#[derive(Clone, Debug)]
pub struct Search {
    parameters: SearchParameters,
    tree: Tree,
    lanes: Vec<Rng>,
    in_flight: VecDeque<Simulation>,
    amaf: AmafTable,
    seed: u64,
    simulations: u64,
    backed_up: u64,
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
    /// Value of the result for the side to move at the root, from 0 to [`MAX_VALUE`].
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
}

impl Search {
    /// Creates a search; equal seeds give equal results.
    pub fn new(parameters: SearchParameters, seed: u64) -> Self {
        Self {
            lanes: Vec::new(),
            tree: Tree::default(),
            in_flight: VecDeque::new(),
            amaf: AmafTable::default(),
            seed,
            simulations: 0,
            backed_up: 0,
            results: Results::default(),
            replies: Vec::new(),
            draw_memory: DrawMemory::default(),
            parameters,
        }
    }

    /// Searches the position while `go_on` returns true for the number of simulations so far. The
    /// search also ends once the root is solved.
    pub fn run(&mut self, board: &DuoBoard, go_on: impl FnMut(u64) -> bool) -> SearchResult {
        self.run_traced(board, go_on, |_| ())
    }

    /// Searches like [`think`](Self::run), and calls `tell` with every simulation in the order in
    /// which they start.
    pub fn run_traced(
        &mut self,
        board: &DuoBoard,
        mut go_on: impl FnMut(u64) -> bool,
        mut tell: impl FnMut(&Simulation),
    ) -> SearchResult {
        let root = Position::new(board);
        self.tree.clear();
        self.simulations = 0;
        self.backed_up = 0;
        self.results = Results::default();
        let p = &self.parameters;
        let lanes = 0..p.lanes as u64;
        self.replies = vec![Replies::new(p.formulas.replies); p.lanes];
        self.lanes = lanes.map(|lane| Rng::new(self.seed ^ lane << 32)).collect();
        let candidates = prior::top_candidates(&root, &p.weights, p.children);
        self.tree
            .add_node(root.to_move(), &candidates, MAX_VALUE / 2, p);
        let mut solved = false;
        if candidates.len() > 1 {
            while !solved && go_on(self.simulations) {
                if self.in_flight.len() == self.parameters.lanes {
                    let simulation = self.in_flight.pop_front().expect("lanes");
                    self.update(&simulation);
                }
                let simulation = self.simulate(&root);
                tell(&simulation);
                solved = simulation.path[0].solved;
                self.in_flight.push_back(simulation);
                self.simulations += 1;
            }
            while let Some(simulation) = self.in_flight.pop_front() {
                self.update(&simulation);
            }
        }
        let children = self.tree.children(0);
        let line = |i: usize| RootMove {
            placement: children[i].placement,
            visits: children[i].visits,
            value: children[i].value(),
            proven: children[i].is_proven(),
        };
        let lines = self.tree.ranking_with(0, &self.parameters.formulas);
        let lines = lines.into_iter().map(line).collect();
        SearchResult {
            lines,
            solved,
            simulations: self.simulations,
        }
    }

    /// Runs one simulation: selection, expansion and playout.
    fn simulate(&mut self, root: &Position) -> Simulation {
        let lane = (self.simulations % self.parameters.lanes as u64) as usize;
        let mut position = *root;
        let mut path = Vec::with_capacity(16);
        let mut moves = Vec::with_capacity(42);
        let (mut node, mut proving) = (0, false);
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
                    playout::finish_with_replies(
                        &mut position,
                        p,
                        rng,
                        replies,
                        memory,
                        &mut moves,
                    );
                    break;
                }
            }
        }
        let margin = position.margin(root.to_move());
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
            true => self.results.mean(mover, self.tree.nodes[0].player),
        };
        self.tree.add_expansion(mover, value, found, p)
    }

    /// Backs up the result of a simulation.
    fn update(&mut self, simulation: &Simulation) {
        let p = &self.parameters;
        self.amaf.set_all(&simulation.moves);
        let over = simulation.moves.len() == simulation.path.len();
        self.tree
            .backup(&simulation.path, simulation.value, over, &self.amaf, p);
        self.amaf.clear();
        let lane = (self.backed_up % p.lanes as u64) as usize;
        self.backed_up += 1;
        self.results.add(simulation.value);
        if p.formulas.replies > 0 {
            let searcher = self.tree.nodes[0].player;
            self.replies[lane].record_result(&simulation.moves, simulation.value, searcher);
        }
    }
}

/// Returns the side that places the next tile in a position, with its candidates; `None` if the
/// game is over.
pub fn expand(position: &Position, p: &SearchParameters) -> Option<(Colour, Vec<Candidate>)> {
    expand_by(position, |position| {
        prior::top_candidates(position, &p.weights, p.children)
    })
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
mod tests {
    use duoforge_rules::Move;

    use super::*;

    fn search(lanes: usize) -> Search {
        let parameters = SearchParameters {
            expand_threshold: 4,
            lanes,
            ..SearchParameters::default()
        };
        Search::new(parameters, 5)
    }

    #[test]
    fn games_of_searched_moves_are_legal_to_their_end() {
        let mut board = DuoBoard::duo();
        let mut search = search(1);
        while !board.is_over() {
            let found = search.run(&board, |done| done < 200);
            let legal = board.count_legal() as usize;
            assert!(found.lines.len() <= legal && found.lines.is_empty() == (legal == 0));
            if found.lines.len() > 1 {
                assert!(found.simulations == 200 || found.solved);
                let visits: u32 = found.lines.iter().map(|line| line.visits).sum();
                assert_eq!(u64::from(visits), found.simulations);
            } else {
                assert_eq!(found.simulations, 0);
            }
            let best = found.lines.first();
            let mv = best.map_or(Move::Pass, |line| Move::Place(line.placement));
            board.play(mv).expect("the search knows the rules");
        }
    }

    #[test]
    fn equal_seeds_make_equal_searches_for_any_number_of_lanes() {
        let board = DuoBoard::duo();
        for lanes in [1, 3] {
            let think = || search(lanes).run(&board, |done| done < 500);
            assert_eq!(think(), think());
        }
    }

    #[test]
    fn a_full_memory_ends_the_growth_and_not_the_search() {
        let parameters = SearchParameters {
            expand_threshold: 0,
            nodes: 5,
            ..SearchParameters::default()
        };
        let mut search = Search::new(parameters, 1);
        let found = search.run(&DuoBoard::duo(), |done| done < 300);
        assert_eq!((found.simulations, search.tree.nodes.len()), (300, 5));
    }

    #[test]
    fn more_simulations_win() {
        // Player 0 searches deeper in one game, player 1 in the other.
        let mut margins = Vec::new();
        for deep in [0, 1] {
            let mut board = DuoBoard::duo();
            let mut search = search(1);
            while !board.is_over() {
                let limit = if board.to_move().index() == deep {
                    1500
                } else {
                    30
                };
                let found = search.run(&board, |done| done < limit);
                let best = found.lines.first();
                let mv = best.map_or(Move::Pass, |line| Move::Place(line.placement));
                board.play(mv).expect("legal");
            }
            let margin = board.score(Colour(0)) - board.score(Colour(1));
            margins.push(if deep == 0 { margin } else { -margin });
        }
        assert!(margins.iter().sum::<i32>() > 0, "{margins:?}");
    }
}
