//! Simulations: down the tree, on to the end of the game, and back up.

use std::collections::VecDeque;

use duoforge_rules::{DuoBoard, Placement, Player};

use super::arithmetic::ONE;
use super::marks::Marks;
use super::parameters::Parameters;
use super::playout;
use super::position::Position;
use super::prior::{self, Scored};
use super::tree::{Next, Step, Tree};
use crate::Rng;

/// A search for a move.
#[derive(Clone, Debug)]
pub struct Search {
    parameters: Parameters,
    tree: Tree,
    lanes: Vec<Rng>,
    flights: VecDeque<Flight>,
    marks: Marks,
    seed: u64,
    simulations: u64,
}

/// One simulation.
///
/// Where nothing is placed after the path, the game was over with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Each step down the tree.
    pub path: Vec<Step>,
    /// All placements, those of the path first.
    pub moves: Vec<(Player, Placement)>,
    /// The result for the player who has to move at the root.
    pub value: u32,
}

/// A placement at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The placement.
    pub placement: Placement,
    /// Simulations that went through it.
    pub visits: u32,
    /// Its mean value, of 2^16: 0 is lost, 2^16 is won with the largest margin.
    pub value: u32,
    /// Whether that is its value by best play of both sides to the end.
    pub sure: bool,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// All placements that were considered, none where none is legal: the [best](Tree::best) first, then the
    /// most visited.
    pub lines: Vec<Line>,
    /// Whether the values of all of them are sure.
    pub settled: bool,
    /// How many simulations were made.
    pub simulations: u64,
}

impl Search {
    /// A search that is equal for equal seeds.
    pub fn new(parameters: Parameters, seed: u64) -> Self {
        Self {
            lanes: Vec::new(),
            tree: Tree::default(),
            flights: VecDeque::new(),
            marks: Marks::default(),
            seed,
            simulations: 0,
            parameters,
        }
    }

    /// Searches the position until `go_on`, which is given the number of simulations so far, says no, or
    /// nothing is left to find out.
    pub fn think(&mut self, board: &DuoBoard, go_on: impl FnMut(u64) -> bool) -> Found {
        self.think_and_tell(board, go_on, |_| ())
    }

    /// As [`think`](Self::think), and tells every simulation to `tell`, in the order in which they
    /// begin.
    pub fn think_and_tell(
        &mut self,
        board: &DuoBoard,
        mut go_on: impl FnMut(u64) -> bool,
        mut tell: impl FnMut(&Flight),
    ) -> Found {
        let root = Position::new(board);
        self.tree.nodes.clear();
        self.tree.children.clear();
        self.simulations = 0;
        let p = &self.parameters;
        let lanes = 0..p.lanes as u64;
        self.lanes = lanes.map(|lane| Rng::new(self.seed ^ lane << 32)).collect();
        let scored = prior::best(&root, &p.weights, p.children);
        self.tree.add(root.to_move(), &scored, ONE / 2, p);
        let mut settled = false;
        if scored.len() > 1 {
            while !settled && go_on(self.simulations) {
                if self.flights.len() == self.parameters.lanes {
                    let flight = self.flights.pop_front().expect("lanes");
                    self.learn(&flight);
                }
                let flight = self.fly(&root);
                tell(&flight);
                settled = flight.path[0].settled;
                self.flights.push_back(flight);
                self.simulations += 1;
            }
            while let Some(flight) = self.flights.pop_front() {
                self.learn(&flight);
            }
        }
        let children = self.tree.children(0);
        let line = |i: usize| Line {
            placement: children[i].placement,
            visits: children[i].visits,
            value: children[i].value(),
            sure: children[i].is_sure(),
        };
        let lines = self.tree.ranking(0).into_iter().map(line).collect();
        Found {
            lines,
            settled,
            simulations: self.simulations,
        }
    }

    /// Goes down the tree and on to the end of a game.
    fn fly(&mut self, root: &Position) -> Flight {
        let lane = (self.simulations % self.parameters.lanes as u64) as usize;
        let mut position = *root;
        let mut path = Vec::with_capacity(16);
        let mut moves = Vec::with_capacity(42);
        let (mut node, mut proving) = (0, false);
        loop {
            let (step, child) = self.tree.step(node, &self.parameters);
            path.push(step);
            proving |= step.better.is_some();
            moves.push((position.to_move(), child.placement));
            position.place(child.placement);
            let next = match child.next {
                Next::Leaf if proving || child.visits > self.parameters.threshold => {
                    let next = self.expand(&position, child.value());
                    self.tree.children_mut(node)[step.child].next = next;
                    next
                }
                next => next,
            };
            match next {
                Next::Node(next) => {
                    node = next;
                    position.set_to_move(self.tree.nodes[node as usize].player);
                }
                // After the end nothing can be placed; asking makes it one case less.
                Next::Leaf | Next::End => {
                    let rng = &mut self.lanes[lane];
                    let local = self.parameters.local;
                    playout::finish(&mut position, local, rng, |player, placement| {
                        moves.push((player, placement));
                    });
                    break;
                }
            }
        }
        Flight {
            path,
            moves,
            value: self.parameters.value(position.margin(root.to_move())),
        }
    }

    /// What follows a leaf of this value for the player who has just moved.
    fn expand(&mut self, position: &Position, value: u32) -> Next {
        let p = &self.parameters;
        if self.tree.nodes.len() >= p.nodes {
            return Next::Leaf;
        }
        let found = following(position, p);
        self.tree
            .follow(position.to_move().rival(), value, found, p)
    }

    /// Takes a result up the tree.
    fn learn(&mut self, flight: &Flight) {
        let p = &self.parameters;
        self.marks.set_all(&flight.moves);
        let over = flight.moves.len() == flight.path.len();
        self.tree
            .learn(&flight.path, flight.value, over, &self.marks, p);
        self.marks.clear_all(&flight.moves);
    }
}

/// Who places a tile next in a position, and the best placements; none where the game is over.
pub fn following(position: &Position, p: &Parameters) -> Option<(Player, Vec<Scored>)> {
    let player = position.to_move();
    [player, player.rival()].into_iter().find_map(|player| {
        let mut position = *position;
        position.set_to_move(player);
        let scored = prior::best(&position, &p.weights, p.children);
        (!scored.is_empty()).then_some((player, scored))
    })
}

#[cfg(test)]
mod tests {
    use duoforge_rules::Move;

    use super::*;

    fn search(lanes: usize) -> Search {
        let parameters = Parameters {
            threshold: 4,
            lanes,
            ..Parameters::default()
        };
        Search::new(parameters, 5)
    }

    #[test]
    fn games_of_searched_moves_are_legal_to_their_end() {
        let mut board = DuoBoard::duo();
        let mut search = search(1);
        while !board.is_over() {
            let found = search.think(&board, |done| done < 200);
            let legal = board.count_legal() as usize;
            assert!(found.lines.len() <= legal && found.lines.is_empty() == (legal == 0));
            if found.lines.len() > 1 {
                assert!(found.simulations == 200 || found.settled);
                let visits: u32 = found.lines.iter().map(|line| line.visits).sum();
                assert_eq!(u64::from(visits), found.simulations);
            } else {
                assert_eq!(found.simulations, 0);
            }
            let best = found.lines.first();
            let turn = best.map_or(Move::Pass, |line| Move::Place(line.placement));
            board.play(turn).expect("the search knows the rules");
        }
    }

    #[test]
    fn equal_seeds_make_equal_searches_for_any_number_of_lanes() {
        let board = DuoBoard::duo();
        for lanes in [1, 3] {
            let think = || search(lanes).think(&board, |done| done < 500);
            assert_eq!(think(), think());
        }
    }

    #[test]
    fn a_full_memory_ends_the_growth_and_not_the_search() {
        let parameters = Parameters {
            threshold: 0,
            nodes: 5,
            ..Parameters::default()
        };
        let mut search = Search::new(parameters, 1);
        let found = search.think(&DuoBoard::duo(), |done| done < 300);
        assert_eq!((found.simulations, search.tree.nodes.len()), (300, 5));
    }

    #[test]
    fn more_simulations_win() {
        // The first player looks further in one game, the second in the other.
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
                let found = search.think(&board, |done| done < limit);
                let best = found.lines.first();
                let turn = best.map_or(Move::Pass, |line| Move::Place(line.placement));
                board.play(turn).expect("legal");
            }
            let margin = board.score(Player(0)) - board.score(Player(1));
            margins.push(if deep == 0 { margin } else { -margin });
        }
        assert!(margins.iter().sum::<i32>() > 0, "{margins:?}");
    }
}
