//! Ranking of the children of a node: the final move first.

use std::cmp::Reverse;

use super::formulas::Formulas;
use super::tree::{Child, Tree};

impl Tree {
    /// Returns the child that the side to move plays: the most visited one without a proven value,
    /// or the best proven one if its value is at least as high. Ties go to the first child.
    pub fn best_child(&self, node: u32) -> usize {
        self.best_by(node, |child| child.visits.into())
    }

    /// Returns the child that the side to move plays, like [`best_child`](Self::best_child), by
    /// another key than the visit count.
    fn best_by(&self, node: u32, key: impl Fn(&Child) -> u64) -> usize {
        let [open, proven] = self.best_two(node, |child| match child.is_proven() {
            true => child.value().into(),
            false => key(child),
        });
        match (open, proven) {
            (Some((_, open)), Some((value, proven))) => {
                let tried = &self.children(node)[open];
                if value >= u64::from(tried.value()) {
                    proven
                } else {
                    open
                }
            }
            (Some((_, i)), None) | (None, Some((_, i))) => i,
            (None, None) => unreachable!("a node has a child"),
        }
    }

    /// Returns the child with the highest key among those without a proven value, and among those
    /// with one. Ties go to the first child.
    fn best_two(&self, node: u32, key: impl Fn(&Child) -> u64) -> [Option<(u64, usize)>; 2] {
        let mut best = [None; 2];
        for (i, child) in self.children(node).iter().enumerate() {
            let (best, key) = (&mut best[usize::from(child.is_proven())], key(child));
            if best.is_none_or(|(most, _)| key > most) {
                *best = Some((key, i));
            }
        }
        best
    }

    /// Returns the indices of the children of a node: the [best](Self::best_child) first, the
    /// others by visit count.
    pub fn ranking(&self, node: u32) -> Vec<usize> {
        self.ranking_from(node, |tree| tree.best_child(node))
    }

    /// Returns the child that the side to move plays, like [`best_child`](Self::best_child), by the
    /// key that the formulas choose.
    pub fn best_child_with(&self, node: u32, formulas: &Formulas) -> usize {
        self.best_by(node, |child| match formulas.final_wins {
            true => u64::from(child.visits) * u64::from(child.value()),
            false => child.visits.into(),
        })
    }

    /// Returns the indices of the children of a node like [`ranking`](Self::ranking); the formulas
    /// choose the first one.
    pub fn ranking_with(&self, node: u32, formulas: &Formulas) -> Vec<usize> {
        self.ranking_from(node, |tree| tree.best_child_with(node, formulas))
    }

    fn ranking_from(&self, node: u32, best: impl Fn(&Self) -> usize) -> Vec<usize> {
        let children = self.children(node);
        let mut ranking: Vec<_> = (0..children.len()).collect();
        if !children.is_empty() {
            let best = best(self);
            ranking.sort_by_key(|&i| (i != best, Reverse(children[i].visits)));
        }
        ranking
    }
}
