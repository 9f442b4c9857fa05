//! Search tree in memory: nodes, and the children of each node in one block.

use duoforge_rules::{Colour, Placement};

use super::amaf::AmafTable;
use super::arithmetic::{MAX_VALUE, Reciprocal, exp2_neg, exploration_scale};
use super::formulas::Formulas;
use super::parameters::SearchParameters;
use super::prior::Candidate;

/// Fraction bits of a mean beyond those of a value.
const FRACTION: u32 = 8;

/// Maximum mean.
const FULL: i64 = ((1 << FRACTION) * (MAX_VALUE as i64 + 1)) - 1;

/// Value count that marks a proven value.
const PROVEN: u32 = (1 << 16) - 1;

/// Distance of the maximum value count from the greatest number of its width. Above the maximum the
/// weight of the mean stays constant, and old results fade. In hardware no weight exceeds 63, so
/// other counts stay below [`PROVEN`].
const BELOW: u32 = 64;

/// Maximum of the exploration term: 16 times the maximum value.
const MOST: i64 = (1 << 20) - 1;

/// Successor of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildLink {
    /// Leaf: not expanded yet.
    Leaf,
    /// Node with this index.
    Node(u32),
    /// End of the game: neither side has a legal placement.
    End,
}

/// Child of a node: a placement with its statistics.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The placement.
    pub placement: Placement,
    /// Prior, in units of 2^-16 (16 bits).
    pub prior: u32,
    /// Visit count: simulations through this child, in-flight visits included.
    pub visits: u32,
    /// Value count: weight of the mean in 16ths of a visit (16 bits); all ones if the value is
    /// proven.
    pub value_count: u32,
    /// Mean value for the side that plays the placement, in units of 2^-24 (24 bits).
    pub mean: u32,
    /// Successor in the tree.
    pub next: ChildLink,
}

impl Child {
    /// Returns the mean value, from 0 to [`MAX_VALUE`].
    pub fn value(&self) -> u32 {
        self.mean >> FRACTION
    }

    /// Returns the divisor of the exploration term: visit count (in-flight visits included) plus
    /// value count, in visits.
    ///
    /// The value count is at least 1 and is capped at `value_count_cap`. RAVE updates therefore
    /// reduce the exploration of a child. Without the cap, they could suppress it for all of a long
    /// search.
    pub fn exploration_visits(&self, value_count_cap: u32) -> u32 {
        self.visits + (self.value_count >> 4).min(value_count_cap)
    }

    /// True if the value is proven: the result of best play by both sides.
    pub fn is_proven(&self) -> bool {
        self.value_count == PROVEN
    }

    /// Sets the proven value; a value that is proven already stays.
    pub fn set_proven(&mut self, value: u32) {
        if !self.is_proven() {
            self.value_count = PROVEN;
            self.mean = value << FRACTION;
        }
    }

    /// Updates the mean with a result of the given weight, in 16ths of a visit; a proven value
    /// stays.
    pub fn update(&mut self, value: u32, weight: u32, formulas: &Formulas) {
        self.grow(weight, formulas);
        self.move_mean(value, weight, formulas);
    }

    /// Adds a weight to the value count.
    fn grow(&mut self, weight: u32, formulas: &Formulas) {
        let end = 1 << formulas.value_count_bits;
        if self.is_proven() || self.value_count >= end - BELOW {
            return;
        }
        self.value_count = (self.value_count + weight).min(end - 2);
        // With more than 16 bits, the mark of a proven value is skipped.
        if self.value_count == PROVEN {
            self.value_count += 1;
        }
    }

    /// Moves the mean towards a result whose weight the value count includes.
    fn move_mean(&mut self, value: u32, weight: u32, formulas: &Formulas) {
        if self.is_proven() {
            return;
        }
        let Reciprocal { factor, shift } = Reciprocal::of(self.value_count);
        // Dropping the six lowest bits of the difference keeps the product short.
        let difference = (i64::from(value << FRACTION) - i64::from(self.mean)) >> 6;
        let half = match formulas.value_count_bits {
            16 => 0,
            _ => 1 << (shift - 7),
        };
        let step = (difference * i64::from(weight * factor) + half) >> (shift - 6);
        self.mean = (i64::from(self.mean) + step).clamp(0, FULL) as u32;
    }
}

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
    pub children: Vec<Child>,
}

impl Tree {
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

    /// Returns the children of a node, mutable.
    pub fn children_mut(&mut self, node: u32) -> &mut [Child] {
        let Node { first, len, .. } = self.nodes[node as usize];
        &mut self.children[first as usize..][..len as usize]
    }

    /// Selects the next child of a node by PUCT.
    ///
    /// Among the children without a proven value, selects the one with the highest sum of value and
    /// exploration term. The divisor of that term is [`Child::exploration_visits`], or the value
    /// count with [`Formulas::value_count_divisor`]. If all values are proven, selects the best
    /// one. Ties go to the first child.
    pub fn select(&self, node: u32, p: &SearchParameters) -> PathStep {
        let Node { visits, len, .. } = self.nodes[node as usize];
        let scale = exploration_scale(p.exploration, visits + 1);
        let score = |child: &Child| {
            let value = i64::from(child.value());
            if child.is_proven() {
                return value;
            }
            // In units of 2^-12 first, then in units of 2^-16.
            let share = (scale * u64::from(child.prior)) >> 10;
            // The value count is in 16ths of a visit.
            let (divisor, more) = match p.formulas.value_count_divisor {
                false => (child.exploration_visits(p.value_count_cap), 0),
                true => (child.value_count, 4),
            };
            let Reciprocal { factor, shift } = Reciprocal::of(divisor);
            let exploration = ((share * u64::from(factor)) >> (shift - 4 - more)) as i64;
            value + exploration.min(MOST)
        };
        let mut selectable = p.formulas.open_children(len as usize, visits);
        let [open, proven] = loop {
            let best = self.best_two(node, selectable, score);
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

    /// Returns the child with the highest key among those without a proven value, and among those
    /// with one, of the first `selectable` children. Ties go to the first child.
    pub(super) fn best_two<K: Copy + PartialOrd>(
        &self,
        node: u32,
        selectable: usize,
        key: impl Fn(&Child) -> K,
    ) -> [Option<(K, usize)>; 2] {
        let mut best = [None; 2];
        for (i, child) in self.children(node)[..selectable].iter().enumerate() {
            let (best, key) = (&mut best[usize::from(child.is_proven())], key(child));
            if best.is_none_or(|(most, _)| key > most) {
                *best = Some((key, i));
            }
        }
        best
    }

    /// Selects the next child, counts the visit and returns the step and the updated child.
    pub fn select_and_visit(&mut self, node: u32, p: &SearchParameters) -> (PathStep, Child) {
        let step = self.select(node, p);
        self.nodes[node as usize].visits += 1;
        let child = &mut self.children_mut(node)[step.child];
        child.visits += 1;
        if p.formulas.value_count_divisor {
            // The in-flight visit counts in the divisor.
            child.grow(16, &p.formulas);
        }
        (step, *child)
    }

    /// Backs up the result `value`, for the side to move at the root, along a path. `amaf` holds
    /// all placements of the simulation.
    ///
    /// If the game was `over` after the last placement of the path, its value is proven. A
    /// placement that leads to a solved node is proven too: the path continues with the best child
    /// of that node.
    pub fn backup(
        &mut self,
        path: &[PathStep],
        value: u32,
        over: bool,
        amaf: &AmafTable,
        p: &SearchParameters,
    ) {
        let searcher = self.nodes[0].player;
        let (mut value, mut proven) = (value, over);
        for (ply, step) in path.iter().enumerate().rev() {
            let (node, chosen) = (step.node, step.child);
            let Node { player, visits, .. } = self.nodes[node as usize];
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
            let children = self.children_mut(node);
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
            proven = step.solved;
            if p.rave_weight_max == 0 || visits > p.rave_parent_max {
                continue;
            }
            for (i, child) in children[..selectable].iter_mut().enumerate() {
                if i == chosen || child.value_count > 16 * p.rave_child_max {
                    continue;
                }
                // A placement that is legal here was not played earlier in the simulation.
                let Some(later) = amaf.get(child.placement, player) else {
                    continue;
                };
                let fall = ((later - ply as u32) * p.rave_decay) >> 8;
                let weight = p
                    .rave_weight_max
                    .saturating_sub(fall)
                    .max(p.rave_weight_min);
                child.update(result, weight, &p.formulas);
            }
        }
    }
}
