//! The tree's memory: nodes, and the children of each in one block.

use duoforge_rules::{Placement, Player};

use super::arithmetic::{ONE, Reciprocal, halves, root16};
use super::parameters::Parameters;
use super::prior::Scored;

/// Bits of a mean behind those of a value.
const FRACTION: u32 = 8;

/// What a child leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing yet.
    Leaf,
    /// A node.
    Node(u32),
    /// The end of the game: nobody can place a tile.
    End,
}

/// A placement at a node, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The placement.
    pub placement: Placement,
    /// Its prior, of 2^16.
    pub prior: u32,
    /// Simulations that went through it, those under way included.
    pub visits: u32,
    /// What its mean rests on, in 16ths of a visit.
    pub count: u32,
    /// Its mean value for the player who makes it, of 2^24.
    pub mean: u32,
    /// What it leads to.
    pub next: Next,
}

impl Child {
    /// The mean value, of [`ONE`].
    pub fn value(&self) -> u32 {
        self.mean >> FRACTION
    }

    /// Takes a result into the mean, with a weight in 16ths of a visit.
    pub fn learn(&mut self, value: u32, weight: u32) {
        self.count += weight;
        let step = (i64::from(value << FRACTION) - i64::from(self.mean)) * i64::from(weight);
        let mean = i64::from(self.mean) + Reciprocal::of(self.count).times(step);
        self.mean = mean.clamp(0, i64::from(ONE << FRACTION)) as u32;
    }
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Who has to place a tile.
    pub player: Player,
    /// Its first child.
    pub first: u32,
    /// How many children there are.
    pub len: u32,
    /// Simulations that went through it.
    pub visits: u32,
}

/// All nodes and children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub children: Vec<Child>,
}

impl Tree {
    /// Makes a node of these placements; `value` is that of the position for its player.
    pub fn add(&mut self, player: Player, scored: &[Scored], value: u32, p: &Parameters) -> u32 {
        let first = self.children.len() as u32;
        self.children.extend(scored.iter().map(|scored| {
            let loss = halves((scored.behind * p.first_bias / 16).min(255));
            Child {
                placement: scored.placement,
                prior: scored.prior,
                visits: 0,
                count: p.first_count,
                mean: ((u64::from(value) * u64::from(loss)) >> 16 << FRACTION) as u32,
                next: Next::Leaf,
            }
        }));
        self.nodes.push(Node {
            player,
            first,
            len: scored.len() as u32,
            visits: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// The children of a node.
    pub fn children(&self, node: u32) -> &[Child] {
        let Node { first, len, .. } = self.nodes[node as usize];
        &self.children[first as usize..][..len as usize]
    }

    /// The children of a node.
    pub fn children_mut(&mut self, node: u32) -> &mut [Child] {
        let Node { first, len, .. } = self.nodes[node as usize];
        &mut self.children[first as usize..][..len as usize]
    }

    /// The child of a node that is tried next: the one with the best sum of its value and of what may
    /// still be in it. Of equal ones the first.
    pub fn select(&self, node: u32, p: &Parameters) -> usize {
        let visits = self.nodes[node as usize].visits;
        let root = i64::from(root16(visits + 1));
        let log = i64::from(log16(visits + 1));
        // 64ths, 16ths and 16ths.
        let explore = (i64::from(p.explore) * root * log) >> 8;
        let mut best = (i64::MIN, 0);
        for (i, child) in self.children(node).iter().enumerate() {
            let reciprocal = Reciprocal::of(child.visits + 1);
            let hope = reciprocal.times((explore * i64::from(child.prior)) >> 6);
            let score = i64::from(child.value()) + hope;
            if score > best.0 {
                best = (score, i);
            }
        }
        best.1
    }
}

/// The logarithm to base 2 of a positive number in 16ths, between powers of two on a straight line.
fn log16(number: u32) -> u32 {
    let whole = number.ilog2();
    let rest = (u64::from(number) << 4 >> whole) as u32 & 15;
    16 * whole + rest
}
