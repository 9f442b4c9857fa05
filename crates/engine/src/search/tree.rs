//! The tree's memory: nodes, and the children of each in one block.

use std::cmp::Reverse;

use duoforge_rules::{Placement, Player};

use super::arithmetic::{ONE, Reciprocal, halves, spread};
use super::marks::Marks;
use super::parameters::Parameters;
use super::prior::Scored;

/// Bits of a mean behind those of a value.
const FRACTION: u32 = 8;

/// The largest mean.
const FULL: i64 = ((1 << FRACTION) * (ONE as i64 + 1)) - 1;

/// What a child's mean rests on whose value is sure.
const SURE: u32 = (1 << 16) - 1;

/// Once a mean rests on this much, it counts for no more, and old results fade. In hardware no weight is
/// more than 63, so that other counts stay below [`SURE`].
const LONGEST: u32 = SURE - 63;

/// The most that is hoped for: sixteen wins.
const MOST: i64 = (1 << 20) - 1;

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
    /// Its prior, of 2^16, 16 bits.
    pub prior: u32,
    /// Simulations that went through it, those under way included.
    pub visits: u32,
    /// What its mean rests on, in 16ths of a visit, 16 bits; all of them ones where its value is sure.
    pub count: u32,
    /// Its mean value for the player who makes it, of 2^24, 24 bits.
    pub mean: u32,
    /// What it leads to.
    pub next: Next,
}

impl Child {
    /// The mean value, of [`ONE`].
    pub fn value(&self) -> u32 {
        self.mean >> FRACTION
    }

    /// How much is known of it: its visits, those under way included, and what its mean rests on, in
    /// visits, which is one at least and counts for `rest` at most. So what it learned from others makes it
    /// less worth a try; but were there no limit, what others say would in a long search be all that is ever
    /// known of it.
    pub fn known(&self, rest: u32) -> u32 {
        self.visits + (self.count >> 4).min(rest)
    }

    /// Whether its value is that of best play by both sides to the end.
    pub fn is_sure(&self) -> bool {
        self.count == SURE
    }

    /// Takes this for its sure value, which stays.
    pub fn settle(&mut self, value: u32) {
        if !self.is_sure() {
            self.count = SURE;
            self.mean = value << FRACTION;
        }
    }

    /// Takes a result into the mean, with a weight in 16ths of a visit, unless its value is sure.
    pub fn learn(&mut self, value: u32, weight: u32) {
        if self.is_sure() {
            return;
        }
        if self.count < LONGEST {
            self.count = (self.count + weight).min(SURE - 1);
        }
        let Reciprocal { factor, shift } = Reciprocal::of(self.count);
        // The difference without its six lowest bits keeps the product short.
        let difference = (i64::from(value << FRACTION) - i64::from(self.mean)) >> 6;
        let step = (difference * i64::from(weight * factor)) >> (shift - 6);
        self.mean = (i64::from(self.mean) + step).clamp(0, FULL) as u32;
    }
}

/// A step down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: u32,
    /// Which of its children.
    pub child: usize,
    /// The sure value of another child from which the node's player can hope for more. This one is tried
    /// all the same, to become sure too, but the nodes above learn the other's value.
    pub better: Option<u32>,
    /// Whether the values of all the node's children were sure, and these are all that its player can
    /// do: then the best of them is the node's value.
    pub settled: bool,
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
    /// The nodes, the root first.
    pub nodes: Vec<Node>,
    /// The children of all nodes, each node's side by side.
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
                prior: scored.prior.min(ONE),
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

    /// What comes after a leaf that has this value for the player who has just moved: a node of who
    /// is next and its placements, or the end.
    pub fn follow(
        &mut self,
        mover: Player,
        value: u32,
        found: Option<(Player, Vec<Scored>)>,
        p: &Parameters,
    ) -> Next {
        let Some((player, scored)) = found else {
            return Next::End;
        };
        let value = if player == mover { value } else { ONE - value };
        Next::Node(self.add(player, &scored, value, p))
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

    /// The child of a node that is tried next: of those whose value is not sure, the one with the best
    /// sum of its value and of what may still be in it, which is the less the more [is
    /// known](Child::known); else the best. Of equal ones the first.
    pub fn select(&self, node: u32, p: &Parameters) -> Step {
        let spread = spread(p.explore, self.nodes[node as usize].visits + 1);
        let [open, sure] = self.best_two(node, |child| {
            let value = i64::from(child.value());
            if child.is_sure() {
                return value;
            }
            // In 2^-12 first, then of `ONE`.
            let share = (spread * u64::from(child.prior)) >> 10;
            let Reciprocal { factor, shift } = Reciprocal::of(child.known(p.rest));
            let hope = ((share * u64::from(factor)) >> (shift - 4)) as i64;
            value + hope.min(MOST)
        });
        // With as many children as a node can have, there may be others that it could not keep.
        let whole = self.children(node).len() < p.children;
        let (child, better, settled) = match (open, sure) {
            (Some((hope, i)), Some((value, _))) if value > hope => (i, Some(value as u32), false),
            (Some((_, i)), _) => (i, None, false),
            (None, Some((_, i))) => (i, None, whole),
            (None, None) => unreachable!("a node has a child"),
        };
        Step {
            node,
            child,
            better,
            settled,
        }
    }

    /// The children of a node with the highest keys, of those whose value is not sure and of the others; of
    /// equal ones the first.
    fn best_two<K: Copy + PartialOrd>(
        &self,
        node: u32,
        key: impl Fn(&Child) -> K,
    ) -> [Option<(K, usize)>; 2] {
        let mut best = [None; 2];
        for (i, child) in self.children(node).iter().enumerate() {
            let (best, key) = (&mut best[usize::from(child.is_sure())], key(child));
            if best.is_none_or(|(most, _)| key > most) {
                *best = Some((key, i));
            }
        }
        best
    }

    /// The child of a node that its player takes: the most visited one of those whose value is not sure,
    /// or the best one of the others if it is no worse. Of equal ones the first.
    pub fn best(&self, node: u32) -> usize {
        let [open, sure] = self.best_two(node, |child| match child.is_sure() {
            true => child.value(),
            false => child.visits,
        });
        match (open, sure) {
            (Some((_, open)), Some((value, sure))) => {
                let tried = &self.children(node)[open];
                if value >= tried.value() { sure } else { open }
            }
            (Some((_, i)), None) | (None, Some((_, i))) => i,
            (None, None) => unreachable!("a node has a child"),
        }
    }

    /// The children of a node by their numbers: the [best](Self::best) first, then the most visited.
    pub fn ranking(&self, node: u32) -> Vec<usize> {
        let children = self.children(node);
        let mut ranking: Vec<_> = (0..children.len()).collect();
        if !children.is_empty() {
            let best = self.best(node);
            ranking.sort_by_key(|&i| (i != best, Reverse(children[i].visits)));
        }
        ranking
    }

    /// Goes to the child that is tried next, and counts the visit; the child as it is then.
    pub fn step(&mut self, node: u32, p: &Parameters) -> (Step, Child) {
        let step = self.select(node, p);
        self.nodes[node as usize].visits += 1;
        let child = &mut self.children_mut(node)[step.child];
        child.visits += 1;
        (step, *child)
    }

    /// Takes a result, that of the player at the root, up a path; `marks` holds all placements of the
    /// simulation. Where the game was `over` with the path's last placement, its value is sure; and so
    /// is that of a placement with which a settled node was reached, since the path goes on with the
    /// best of its children.
    pub fn learn(&mut self, path: &[Step], value: u32, over: bool, marks: &Marks, p: &Parameters) {
        let searcher = self.nodes[0].player;
        let (mut value, mut sure) = (value, over);
        for (ply, step) in path.iter().enumerate().rev() {
            let (node, chosen) = (step.node, step.child);
            let Node { player, visits, .. } = self.nodes[node as usize];
            let turned = |value| {
                if player == searcher {
                    value
                } else {
                    ONE - value
                }
            };
            let result = turned(value);
            // For the nodes above.
            value = step.better.map_or(value, turned);
            let children = self.children_mut(node);
            if sure {
                children[chosen].settle(result);
            } else {
                children[chosen].learn(result, 16);
            }
            sure = step.settled;
            if p.rave_near == 0 || visits > p.rave_parent {
                continue;
            }
            for (i, child) in children.iter_mut().enumerate() {
                if i == chosen || child.count > 16 * p.rave_child {
                    continue;
                }
                // What can be placed here was not placed before.
                let Some(later) = marks.get(child.placement, player) else {
                    continue;
                };
                let fall = ((later - ply as u32) * p.rave_drop) >> 8;
                let weight = p.rave_near.saturating_sub(fall).max(p.rave_far);
                child.learn(result, weight);
            }
        }
    }
}
