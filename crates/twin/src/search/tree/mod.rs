//! Search tree in memory: nodes, and the children of each node in one block.

use duoforge_rules::Colour;

use super::amaf::{AmafTable, placement_code};
use super::arithmetic::{MAX_VALUE, exp2_neg, exploration_scale};
use super::parameters::SearchParameters;
use super::prior::Candidate;
use child::FRACTION;
use score_terms::ScoreTerms;

mod child;
mod memory;
mod score_terms;

pub use child::{Child, ChildLink};

/// Step of a path down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Index of the node.
    pub node: u32,
    /// Index of the selected child within the node.
    pub child: usize,
    /// Proven value of another child, if it exceeds the score of this one; ancestors back up that
    /// value instead. The selected child is still searched, so that its value is proven too.
    pub proven_alternative: Option<u32>,
    /// True if the node is solved: the values of all children are proven, and the children are all
    /// legal moves. The best of these values is the value of the node.
    pub solved: bool,
}

/// Node of the tree: a position in which a side has to place a tile.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Side that has to place a tile.
    pub player: Colour,
    /// Index of the first child.
    pub first: u32,
    /// Number of children.
    pub len: u32,
    /// Visit count: simulations through this node.
    pub visits: u32,
}

/// Search tree: all nodes and children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Nodes, starting with the root.
    pub nodes: Vec<Node>,
    /// Children of all nodes; those of a node are contiguous.
    children: Vec<Child>,
    /// Terms of the scores of these children.
    terms: Vec<ScoreTerms>,
    /// Codes of the placements of these children.
    codes: Vec<u16>,
}

impl Tree {
    /// Creates a tree of one node, which was not visited.
    pub fn with_root(player: Colour, children: Vec<Child>, p: &SearchParameters) -> Self {
        let root = Node {
            player,
            first: 0,
            len: children.len() as u32,
            visits: 0,
        };
        let mut tree = Self {
            nodes: vec![root],
            children,
            ..Self::default()
        };
        tree.index_children(0, p);
        tree
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.terms.clear();
        self.codes.clear();
    }

    /// Computes the score terms and the placement codes of the children from `first` on.
    fn index_children(&mut self, first: usize, p: &SearchParameters) {
        self.terms.truncate(first);
        self.codes.truncate(first);
        let children = &self.children[first..];
        let terms = children.iter().map(|child| ScoreTerms::of(child, p));
        self.terms.extend(terms);
        let codes = children.iter().map(|child| placement_code(child.placement));
        self.codes.extend(codes);
    }

    /// Adds a node with these candidates and returns its index; `value` is the value of the
    /// position for `player`.
    pub fn add_node(
        &mut self,
        player: Colour,
        candidates: &[Candidate],
        value: u32,
        p: &SearchParameters,
    ) -> u32 {
        let first = self.children.len() as u32;
        self.children.extend(candidates.iter().map(|candidate| {
            let loss = exp2_neg((candidate.score_gap * p.fpu_reduction / 16).min(255));
            Child {
                placement: candidate.placement,
                prior: candidate.prior.min(MAX_VALUE),
                visits: 0,
                value_count: p.fpu_weight,
                mean: ((u64::from(value) * u64::from(loss)) >> 16 << FRACTION) as u32,
                next: ChildLink::Leaf,
            }
        }));
        self.index_children(first as usize, p);
        self.nodes.push(Node {
            player,
            first,
            len: candidates.len() as u32,
            visits: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// Adds the successor of a leaf: a node for the next side and its candidates, or the end of the
    /// game. `value` is the value of the leaf for the side that has just moved.
    pub fn add_expansion(
        &mut self,
        mover: Colour,
        value: u32,
        found: Option<(Colour, Vec<Candidate>)>,
        p: &SearchParameters,
    ) -> ChildLink {
        let Some((player, candidates)) = found else {
            return ChildLink::End;
        };
        let value = if player == mover {
            value
        } else {
            MAX_VALUE - value
        };
        ChildLink::Node(self.add_node(player, &candidates, value, p))
    }

    /// Returns the children of a node.
    pub fn children(&self, node: u32) -> &[Child] {
        let Node { first, len, .. } = self.nodes[node as usize];
        &self.children[first as usize..][..len as usize]
    }

    /// Makes a child of a node lead to `next`.
    pub fn link(&mut self, node: u32, child: usize, next: ChildLink) {
        let Node { first, len, .. } = self.nodes[node as usize];
        self.children[first as usize..][..len as usize][child].next = next;
    }

    /// Selects the next child of a node by PUCT.
    ///
    /// Among the children without a proven value, selects the one with the highest sum of value and
    /// exploration term. The divisor of that term is [`Child::exploration_visits`], or the value
    /// count with [`value_count_divisor`](super::Formulas::value_count_divisor). If all values are
    /// proven, selects the best one. Ties go to the first child.
    pub fn select(&self, node: u32, p: &SearchParameters) -> PathStep {
        let Node {
            first, visits, len, ..
        } = self.nodes[node as usize];
        let scale = exploration_scale(p.exploration, visits + 1);
        let mut selectable = p.formulas.open_children(len as usize, visits);
        let terms = &self.terms[first as usize..][..len as usize];
        let [open, proven] = loop {
            let best = score_terms::best(&terms[..selectable], scale);
            // Another child, if the values of all these are proven.
            if best[0].is_some() || selectable == len as usize {
                break best;
            }
            selectable += 1;
        };
        // A node with the maximum number of children may have dropped legal moves.
        let whole = self.children(node).len() < p.children;
        let (child, better, solved) = match (open, proven) {
            (Some((score, i)), Some((value, _))) if value > score => (i, Some(value as u32), false),
            (Some((_, i)), _) => (i, None, false),
            (None, Some((_, i))) => (i, None, whole),
            (None, None) => unreachable!("a node has a child"),
        };
        PathStep {
            node,
            child,
            proven_alternative: better,
            solved,
        }
    }

    /// Selects the next child, counts the visit and returns the step and the updated child.
    pub fn select_and_visit(&mut self, node: u32, p: &SearchParameters) -> (PathStep, Child) {
        let step = self.select(node, p);
        let node = &mut self.nodes[node as usize];
        node.visits += 1;
        let index = node.first as usize + step.child;
        let child = &mut self.children[index];
        child.visits += 1;
        if p.formulas.value_count_divisor {
            // The in-flight visit counts in the divisor.
            child.grow(16, &p.formulas);
        }
        self.terms[index] = ScoreTerms::of(child, p);
        (step, *child)
    }

    /// Backs up a result, its value for a side, along a path. `amaf` holds all placements of the
    /// simulation.
    ///
    /// If the game was `over` after the last placement of the path, its value is proven. A
    /// placement that leads to a solved node is proven too: the path continues with the best child
    /// of that node.
    pub fn backup(
        &mut self,
        path: &[PathStep],
        (searcher, value): (Colour, u32),
        over: bool,
        amaf: &AmafTable,
        p: &SearchParameters,
    ) {
        let (mut value, mut proven) = (value, over);
        for (ply, step) in path.iter().enumerate().rev() {
            let (node, chosen) = (step.node, step.child);
            let Node {
                player,
                first,
                len,
                visits,
            } = self.nodes[node as usize];
            let turned = |value| {
                if player == searcher {
                    value
                } else {
                    MAX_VALUE - value
                }
            };
            let result = turned(value);
            // Value that the ancestors back up.
            value = step.proven_alternative.map_or(value, turned);
            let children = &mut self.children[first as usize..][..len as usize];
            let terms = &mut self.terms[first as usize..][..len as usize];
            let codes = &self.codes[first as usize..][..len as usize];
            let selectable = p.formulas.open_children(children.len(), visits);
            if proven {
                children[chosen].set_proven(result);
            } else {
                let child = &mut children[chosen];
                if !p.formulas.value_count_divisor {
                    child.grow(16, &p.formulas);
                }
                child.move_mean(result, 16, &p.formulas);
            }
            terms[chosen] = ScoreTerms::of(&children[chosen], p);
            proven = step.solved;
            if p.rave_weight_max == 0 || visits > p.rave_parent_max {
                continue;
            }
            // A placement that is legal here was not played earlier in the simulation.
            amaf.find(player, &codes[..selectable], |i, later| {
                let child = &mut children[i];
                if i == chosen || child.value_count > 16 * p.rave_child_max {
                    return;
                }
                let fall = ((later - ply as u32) * p.rave_decay) >> 8;
                let weight = p
                    .rave_weight_max
                    .saturating_sub(fall)
                    .max(p.rave_weight_min);
                child.update(result, weight, &p.formulas);
                terms[i] = ScoreTerms::of(child, p);
            });
        }
    }
}
