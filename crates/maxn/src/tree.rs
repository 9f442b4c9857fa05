//! Search tree: nodes, children as columns of one store, selection and backup.

use crate::playout::SimulatedPly;
use crate::position::Key;
use crate::rules::BySeat;

/// Link of a child without a node.
pub const NO_NODE: u32 = u32::MAX;

/// Node: a position in which a colour has a placement.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Index of its first child.
    pub first: usize,
    /// Number of its children.
    pub len: usize,
    /// Visit count.
    pub visits: u32,
    /// Index of the colour to move.
    pub colour: u8,
    /// Index of the seat that decides.
    pub seat: u8,
}

impl Node {
    /// Returns the indices of the children.
    #[inline(always)]
    pub fn children(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

/// Child of a new node: its placement, its prior and its initial value for the seat that plays it.
#[derive(Clone, Copy, Debug)]
pub struct NewChild {
    /// The placement.
    pub key: Key,
    /// Prior, from 0 to 1.
    pub prior: f32,
    /// Initial value, from 0 to 1.
    pub value: f32,
}

/// Step of a simulation down the tree.
#[derive(Clone, Copy, Debug)]
pub struct PathStep {
    /// Index of the node.
    pub node: usize,
    /// Index of the child that was selected.
    pub child: usize,
}

/// Constants of selection and backup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeParameters {
    /// Factor of the exploration term.
    pub exploration: f32,
    /// Weight of the initial value, in visits.
    pub fpu_weight: f32,
    /// Weight of a RAVE update from the next ply, in visits; it falls linearly to 0 at the end of
    /// the simulation.
    pub rave_weight: f32,
    /// Value count above which a child gets no RAVE updates.
    pub rave_child_max: f32,
    /// Visit count above which a node makes no RAVE updates.
    pub rave_parent_max: u32,
}

/// Search tree. Child `i` is entry `i` of each column.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes, the root first.
    pub nodes: Vec<Node>,
    /// Placement of each child; within a node, by orientation.
    pub keys: Vec<Key>,
    /// Prior, from 0 to 1.
    pub priors: Vec<f32>,
    /// Mean value for the seat that plays the child.
    pub values: Vec<f32>,
    /// Value count: weight behind the value, in visits.
    pub counts: Vec<f32>,
    /// Visit count.
    pub visits: Vec<u32>,
    /// Index of the node below, or [`NO_NODE`].
    pub links: Vec<u32>,
}

impl Tree {
    /// Removes all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        self.priors.clear();
        self.values.clear();
        self.counts.clear();
        self.visits.clear();
        self.links.clear();
    }

    /// Adds a node with children in the order of their orientations; returns its index.
    pub fn add(
        &mut self,
        colour: usize,
        seat: usize,
        children: &[NewChild],
        fpu_weight: f32,
    ) -> usize {
        debug_assert!(children.is_sorted_by_key(|child| child.key >> 16));
        let node = Node {
            first: self.keys.len(),
            len: children.len(),
            visits: 0,
            colour: colour as u8,
            seat: seat as u8,
        };
        self.nodes.push(node);
        let len = self.keys.len() + children.len();
        self.keys.extend(children.iter().map(|child| child.key));
        self.priors.extend(children.iter().map(|child| child.prior));
        self.values.extend(children.iter().map(|child| child.value));
        self.counts.resize(len, fpu_weight);
        self.visits.resize(len, 0);
        self.links.resize(len, NO_NODE);
        self.nodes.len() - 1
    }

    /// Returns the child with the greatest sum of value and exploration term; of equal ones the
    /// first.
    #[inline(always)]
    pub fn select(&self, node: usize, exploration: f32) -> usize {
        const LANES: usize = 8;
        let node = &self.nodes[node];
        let n = node.visits as f32;
        let scale = exploration * n.sqrt() * log(node.visits + 1);
        let range = node.children();
        let (values, priors, counts) = (
            &self.values[range.clone()],
            &self.priors[range.clone()],
            &self.counts[range.clone()],
        );
        let mut best = [f32::MIN; LANES];
        let mut index = [0_u32; LANES];
        let whole = values.len() / LANES * LANES;
        for start in (0..whole).step_by(LANES) {
            let (values, priors, counts): (&[f32; LANES], &[f32; LANES], &[f32; LANES]) = (
                values[start..start + LANES]
                    .try_into()
                    .expect("whole lanes"),
                priors[start..start + LANES]
                    .try_into()
                    .expect("whole lanes"),
                counts[start..start + LANES]
                    .try_into()
                    .expect("whole lanes"),
            );
            for lane in 0..LANES {
                let score = values[lane] + scale * priors[lane] / counts[lane];
                let is_better = score > best[lane];
                best[lane] = if is_better { score } else { best[lane] };
                index[lane] = if is_better { start as u32 } else { index[lane] };
            }
        }
        let mut winner = (f32::MIN, usize::MAX);
        for lane in 0..LANES {
            let i = index[lane] as usize + lane;
            if best[lane] > winner.0 || best[lane] == winner.0 && i < winner.1 {
                winner = (best[lane], i);
            }
        }
        for i in whole..values.len() {
            let score = values[i] + scale * priors[i] / counts[i];
            if score > winner.0 {
                winner = (score, i);
            }
        }
        range.start + winner.1
    }

    /// Adds a result to a child with a weight in visits.
    #[inline(always)]
    fn update(&mut self, child: usize, value: f32, weight: f32) {
        self.counts[child] += weight;
        self.values[child] += (value - self.values[child]) * weight / self.counts[child];
    }

    /// Backs up a result: adds each seat's value to the children that it selected, and with smaller
    /// weights to their siblings whose placements the same colour and seat played later (RAVE).
    ///
    /// `plies` are all placements of the simulation; step `i` of the path is ply `i`.
    pub fn backup(
        &mut self,
        path: &[PathStep],
        plies: &[SimulatedPly],
        values: &BySeat<f32>,
        p: &TreeParameters,
    ) {
        for (i, step) in path.iter().enumerate() {
            let node = self.nodes[step.node];
            let value = values[usize::from(node.seat)];
            self.nodes[step.node].visits += 1;
            self.visits[step.child] += 1;
            self.update(step.child, value, 1.0);
            if p.rave_weight == 0.0 || node.visits > p.rave_parent_max {
                continue;
            }
            let fall = p.rave_weight / (plies.len() - i) as f32;
            for (j, ply) in plies.iter().enumerate().skip(i + 1) {
                if (ply.colour, ply.seat) != (node.colour, node.seat) {
                    continue;
                }
                if let Some(child) = self.find(&node, ply.key)
                    && self.counts[child] <= p.rave_child_max
                {
                    let weight = p.rave_weight - fall * (j - i) as f32;
                    self.update(child, value, weight);
                }
            }
        }
    }

    /// Returns the child with a placement.
    #[inline(always)]
    pub fn find(&self, node: &Node, key: Key) -> Option<usize> {
        let keys = &self.keys[node.children()];
        let orientation = key >> 16;
        let start = keys.partition_point(|&other| other >> 16 < orientation);
        let same = keys[start..]
            .iter()
            .take_while(|&&other| other >> 16 == orientation);
        let offset = same.into_iter().position(|&other| other == key)?;
        Some(node.first + start + offset)
    }
}

/// Natural logarithm of a positive integer, by additions and multiplications alone: every processor
/// returns the same bits.
fn log(n: u32) -> f32 {
    const LN_2: f32 = std::f32::consts::LN_2;
    let exponent = n.ilog2();
    // From 1 to 2; with t = (m - 1) / (m + 1), ln m = 2 (t + t^3 / 3 + t^5 / 5 + ...).
    let mantissa = n as f32 / (1_u64 << exponent) as f32;
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let squared = t * t;
    let series =
        t * (1.0 + squared * (1.0 / 3.0 + squared * (0.2 + squared * (1.0 / 7.0 + squared / 9.0))));
    exponent as f32 * LN_2 + 2.0 * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        for n in (1..5_000).chain([65_535, 1 << 24, u32::MAX]) {
            let expected = f64::from(n).ln();
            let error = (f64::from(log(n)) - expected).abs();
            assert!(error < 2e-5 * expected.max(1.0), "{n}: {error}");
        }
    }

    fn child(key: Key) -> NewChild {
        NewChild {
            key,
            prior: 0.5,
            value: 0.5,
        }
    }

    fn ply(seat: u8, key: Key) -> SimulatedPly {
        SimulatedPly {
            colour: seat,
            seat,
            key,
        }
    }

    const PLAIN: TreeParameters = TreeParameters {
        exploration: 0.0,
        fpu_weight: 1.0,
        rave_weight: 0.0,
        rave_child_max: 2_000.0,
        rave_parent_max: 25_000,
    };

    const A: Key = 1 << 16;
    const B: Key = 2 << 16;

    /// Three seats; seat 0 at the root, seat 1 below its first child. By hand: the child of the
    /// root keeps seat 0's values, those of the node below seat 1's.
    #[test]
    fn each_seat_keeps_its_own_value() {
        let mut tree = Tree::default();
        let root = tree.add(0, 0, &[child(A), child(B)], PLAIN.fpu_weight);
        let below = tree.add(1, 1, &[child(A), child(B)], PLAIN.fpu_weight);
        let step = |node, child| PathStep { node, child };
        let path = [step(root, 0), step(below, 2)];
        let plies = [ply(0, A), ply(1, A), ply(2, A)];
        tree.backup(&path, &plies, &[1.0, 0.0, 0.25, 0.0], &PLAIN);
        tree.backup(&path, &plies, &[0.0, 0.6, 0.25, 0.0], &PLAIN);
        let path = [step(root, 0), step(below, 3)];
        tree.backup(&path, &plies, &[0.3, 0.9, 0.25, 0.0], &PLAIN);
        // Means with the initial value 0.5 of weight 1: (0.5 + 1 + 0 + 0.3) / 4 for seat 0,
        // (0.5 + 0 + 0.6) / 3 and (0.5 + 0.9) / 2 for seat 1.
        let expected = [0.45, 0.5, 1.1 / 3.0, 0.7];
        for (found, expected) in tree.values.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{:?}", tree.values);
        }
        assert_eq!(tree.visits, [3, 0, 2, 1]);
        assert_eq!([tree.nodes[0].visits, tree.nodes[1].visits], [3, 3]);
        // Seat 1 maximises its own value.
        assert_eq!([tree.select(root, 0.0), tree.select(below, 0.0)], [1, 3]);
    }

    /// Simulation of four plies. By hand: B is seat 0's third ply, two plies after the root's, so
    /// its weight is 0.5 * (1 - 2 / 4); the same placement of seat 1 does not count.
    #[test]
    fn siblings_that_the_seat_plays_later_are_updated() {
        let p = TreeParameters {
            rave_weight: 0.5,
            ..PLAIN
        };
        let mut tree = Tree::default();
        let root = tree.add(0, 0, &[child(A), child(B)], p.fpu_weight);
        let path = [PathStep {
            node: root,
            child: 0,
        }];
        let values = [1.0, 0.0, 0.0, 0.0];
        let plies = [ply(0, A), ply(1, 9), ply(0, B), ply(1, 8)];
        tree.backup(&path, &plies, &values, &p);
        assert_eq!(tree.counts, [2.0, 1.25]);
        assert_eq!(tree.values, [0.75, 0.5 + 0.5 * 0.25 / 1.25]);
        let plies = [ply(0, A), ply(1, B), ply(0, 7), ply(1, 8)];
        tree.backup(&path, &plies, &values, &p);
        assert_eq!(tree.counts, [3.0, 1.25]);
        assert_eq!(tree.visits, [2, 0]);
        // A shared colour that another seat plays later is not the seat's.
        let other = SimulatedPly {
            colour: 0,
            seat: 1,
            key: B,
        };
        tree.backup(&path, &[ply(0, A), other], &values, &p);
        assert_eq!(tree.counts, [4.0, 1.25]);
    }

    #[test]
    fn selection_finds_the_first_best_child_at_every_index() {
        let keys: Vec<NewChild> = (0..37).map(|i| child(i << 16)).collect();
        let mut tree = Tree::default();
        tree.add(0, 0, &keys, 1.0);
        assert_eq!(tree.select(0, 1.0), 0);
        for best in (0..37).rev() {
            tree.values[best] = 0.75;
            assert_eq!(tree.select(0, 1.0), best);
        }
    }
}
