//! Slow model of a search, which follows its simulations.

use std::collections::{HashMap, VecDeque};

use duoforge_rules::{Colour, DuoBoard, Move, Placement};
use duoforge_twin::Rng;
use duoforge_twin::search::tree::PathStep;
use duoforge_twin::search::{
    DrawMemory, Position, Replies, Results, SearchParameters, Simulation, playout, prior,
};

use super::node::{MAX, ModelNode, Next, floor};

/// Events of a search that a test should meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Met {
    pub alternatives: u32,
    pub solved: u32,
    pub ends: u32,
    pub forced_passes: u32,
    pub full: u32,
}

/// Model of a search.
pub struct Model<'p> {
    p: &'p SearchParameters,
    root: DuoBoard,
    pub nodes: Vec<ModelNode>,
    pub in_flight: VecDeque<Simulation>,
    lanes: Vec<Rng>,
    replies: Vec<Replies>,
    results: Results,
    started: usize,
    backed_up: usize,
    pub met: Met,
}

/// Places a tile for a side; the other side passes if it is its turn.
fn place(board: &mut DuoBoard, player: Colour, placement: Placement) {
    if board.to_move() != player {
        board.play(Move::Pass).expect("a pass");
    }
    board.play(Move::Place(placement)).expect("legal");
}

impl<'p> Model<'p> {
    pub fn new(p: &'p SearchParameters, seed: u64, root: &DuoBoard) -> Self {
        let candidates = prior::top_candidates(&Position::new(root), &p.weights, p.children);
        let lanes = (0..p.lanes as u64).map(|lane| Rng::new(seed ^ (lane * (1 << 32))));
        Self {
            p,
            root: root.clone(),
            nodes: vec![ModelNode::new(root.to_move(), &candidates, 32_767, p)],
            in_flight: VecDeque::new(),
            lanes: lanes.collect(),
            replies: vec![Replies::new(p.formulas.replies); p.lanes],
            results: Results::default(),
            started: 0,
            backed_up: 0,
            met: Met::default(),
        }
    }

    /// Checks the next simulation.
    pub fn follow(&mut self, simulation: &Simulation) {
        if self.in_flight.len() == self.p.lanes {
            let oldest = self.in_flight.pop_front().expect("a lane");
            self.back_up(&oldest);
        }
        let p = self.p;
        let mut board = self.root.clone();
        let (mut node, mut proving) = (0, false);
        let mut path = Vec::new();
        let mut moves = Vec::new();
        loop {
            let player = self.nodes[node].player;
            let (child, alternative, solved) = self.nodes[node].select(p);
            path.push(PathStep {
                node: node as u32,
                child,
                proven_alternative: alternative,
                solved,
            });
            self.met.alternatives += u32::from(alternative.is_some());
            self.met.solved += u32::from(solved);
            proving |= alternative.is_some();
            self.nodes[node].visits += 1;
            let selected = &mut self.nodes[node].children[child];
            selected.visits += 1;
            if p.formulas.value_count_divisor {
                selected.grow(16, &p.formulas);
            }
            let (placement, value, visits) =
                (selected.placement, selected.value(), selected.visits);
            let mut next = selected.next;
            self.met.forced_passes += u32::from(board.to_move() != player);
            place(&mut board, player, placement);
            moves.push((player, placement));
            let further = floor(
                i128::from(p.formulas.expand_ply) * (path.len() as i128 - 1),
                16,
            );
            let at_threshold = i128::from(visits) > i128::from(p.expand_threshold) + further;
            if next == Next::Leaf && (proving || at_threshold) {
                if self.nodes.len() < p.nodes {
                    next = self.expand(&board, player, value);
                    self.nodes[node].children[child].next = next;
                } else {
                    self.met.full += 1;
                }
            }
            match next {
                Next::Node(index) => node = index,
                Next::Leaf => break,
                Next::End => {
                    self.met.ends += 1;
                    break;
                }
            }
        }
        assert_eq!(simulation.path, path, "simulation {}", self.started);
        let lane = self.started % p.lanes;
        let mut position = Position::new(&board);
        let (rng, replies) = (&mut self.lanes[lane], &self.replies[lane]);
        playout::finish(
            &mut position,
            p,
            rng,
            replies,
            &mut DrawMemory::default(),
            &mut moves,
        );
        assert_eq!(simulation.moves, moves, "simulation {}", self.started);
        for &(player, placement) in &moves[path.len()..] {
            place(&mut board, player, placement);
        }
        let me = self.root.to_move();
        let cells = [me, me.opponent()].map(|player| board.cells(player).len() as i32);
        let margin = cells[0] - cells[1];
        let formulas = &p.formulas;
        let value = match formulas.margin_bonus + formulas.length_bonus {
            0 => p.value(margin),
            _ => self.results.value(margin, moves.len(), formulas),
        };
        assert_eq!(simulation.value, value, "simulation {}", self.started);
        self.started += 1;
        self.in_flight.push_back(simulation.clone());
    }

    /// Adds the node after a placement of `mover`, whose value for that side is given.
    fn expand(&mut self, board: &DuoBoard, mover: Colour, value: i128) -> Next {
        let p = self.p;
        let value = match p.formulas.fpu_root {
            true => i128::from(self.results.mean(mover, self.nodes[0].player)),
            false => value,
        };
        let mut board = board.clone();
        for value in [MAX - value, value] {
            if board.has_legal() {
                let position = Position::new(&board);
                let found = prior::top_candidates(&position, &p.weights, p.children);
                let node = ModelNode::new(board.to_move(), &found, value, p);
                self.nodes.push(node);
                return Next::Node(self.nodes.len() - 1);
            }
            if board.play(Move::Pass).is_err() {
                break;
            }
        }
        Next::End
    }

    pub fn back_up(&mut self, simulation: &Simulation) {
        let p = self.p;
        let searcher = self.nodes[0].player;
        let plies: HashMap<_, _> = simulation.moves.iter().copied().zip(0_i128..).collect();
        let mut value = i128::from(simulation.value);
        let mut proven = simulation.moves.len() == simulation.path.len();
        for (ply, step) in simulation.path.iter().enumerate().rev() {
            let node = &mut self.nodes[step.node as usize];
            let (player, open) = (node.player, node.open(&p.formulas));
            let turned = |value: i128| match player == searcher {
                true => value,
                false => MAX - value,
            };
            let result = turned(value);
            if let Some(alternative) = step.proven_alternative {
                value = turned(alternative.into());
            }
            let child = &mut node.children[step.child];
            if proven {
                child.prove(result);
            } else {
                if !p.formulas.value_count_divisor {
                    child.grow(16, &p.formulas);
                }
                child.approach(result, 16, &p.formulas);
            }
            proven = step.solved;
            if p.rave_weight_max == 0 || node.visits > p.rave_parent_max {
                continue;
            }
            for (i, child) in node.children[..open].iter_mut().enumerate() {
                let is_known = child.count > i128::from(16 * p.rave_child_max);
                let later = plies.get(&(player, child.placement));
                if let Some(&later) = later.filter(|_| i != step.child && !is_known) {
                    let fall = floor((later - ply as i128) * i128::from(p.rave_decay), 256);
                    let weight = i128::from(p.rave_weight_max) - fall;
                    let weight = weight.max(p.rave_weight_min.into());
                    child.grow(weight, &p.formulas);
                    child.approach(result, weight, &p.formulas);
                }
            }
        }
        self.results.add(simulation.value);
        if p.formulas.replies > 0 {
            let replies = &mut self.replies[self.backed_up % p.lanes];
            replies.record_result(&simulation.moves, simulation.value, searcher);
        }
        self.backed_up += 1;
    }
}
