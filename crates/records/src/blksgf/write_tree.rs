use std::fmt::Write as _;

use duoforge_rules::{Move, Notation};

use super::write::{Heading, SgfWriteError, escaped, put};
use super::{PASSES, colours, passes_before};
use crate::lawful::pass_if_forced;
use crate::tree::{Annotations, GameTree, Positions};

/// Writes game trees as blksgf, with all variations, comments and properties. Pentobi reads only
/// files with a single game.
///
/// A tree without variations is written as [`write_blksgf`](crate::write_blksgf) writes its record,
/// unless it has annotations that a record does not have.
///
/// # Errors
/// [`SgfWriteError::Variant`].
pub fn write_blksgf_trees(trees: &[GameTree]) -> Result<String, SgfWriteError> {
    let mut out = String::new();
    for tree in trees {
        Writer {
            tree,
            positions: Positions::new(tree),
            notation: Notation::of_size(tree.variant().size()),
            out: &mut out,
        }
        .write()?;
    }
    Ok(out)
}

/// Part of a tree that is still to be written.
enum Step {
    Node(usize),
    Open,
    Close,
}

struct Writer<'t, 'o> {
    tree: &'t GameTree,
    positions: Positions,
    notation: Notation,
    out: &'o mut String,
}

impl Writer<'_, '_> {
    fn write(mut self) -> Result<(), SgfWriteError> {
        let tree = self.tree;
        let heading = Heading {
            variant: tree.variant(),
            players: &tree.players,
            facts: &tree.facts,
            comment: &tree.node(0).notes.comment,
        };
        heading.write(self.out)?;
        let mut steps = vec![Step::Node(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Open => self.out.push_str("\n("),
                Step::Close => self.out.push_str("\n)"),
                Step::Node(node) => {
                    let branches = self.node(node);
                    if let [only] = branches[..] {
                        steps.push(Step::Node(only));
                        continue;
                    }
                    for branch in branches.into_iter().rev() {
                        steps.extend([Step::Close, Step::Node(branch), Step::Open]);
                    }
                }
            }
        }
        self.out.push_str("\n)\n");
        Ok(())
    }

    /// Writes a node; returns the nodes that follow it in the file.
    fn node(&mut self, node: usize) -> Vec<usize> {
        let game = self.positions.at(self.tree, node);
        let passes = passes_before(game);
        let forced = pass_if_forced(&mut game.clone());
        let colour = game.plies().last().map_or(0, |ply| ply.colour.index());
        let entry = self.tree.node(node);
        match entry.mv() {
            None if node == 0 => annotate(self.out, &entry.notes, false),
            None => {
                self.out.push_str("\n;");
                annotate(self.out, &entry.notes, true);
            }
            Some(Move::Pass) => {
                put!(self.out, "\n;{PASSES}[{passes}]");
                annotate(self.out, &entry.notes, true);
                // The number of passes is stated: none is implied.
                return self.branches(node);
            }
            Some(mv) => {
                let colour = colours(self.tree.variant())[colour];
                put!(self.out, "\n;{colour}[{}]", self.notation.write(mv));
                annotate(self.out, &entry.notes, true);
            }
        }
        let is_apart = entry.mv().is_none() && node != 0;
        match self.passes_to_leaf(node) {
            Some(after) if after == forced => Vec::new(),
            Some(after) if !is_apart => {
                put!(self.out, "{PASSES}[{after}]");
                Vec::new()
            }
            Some(0) => {
                put!(self.out, "{PASSES}[{passes}]");
                Vec::new()
            }
            _ => self.branches(node),
        }
    }

    /// Returns the number of passes after a node, if nothing else follows it and none of them has
    /// annotations.
    fn passes_to_leaf(&self, node: usize) -> Option<usize> {
        let mut end = node;
        let mut passes = 0;
        loop {
            match self.tree.node(end).children() {
                [] => return Some(passes),
                &[next] if self.is_plain_pass(next) => {
                    passes += 1;
                    end = next;
                }
                _ => return None,
            }
        }
    }

    fn is_plain_pass(&self, node: usize) -> bool {
        let node = self.tree.node(node);
        node.mv() == Some(Move::Pass) && node.notes.is_empty()
    }

    /// True for a pass that the moves after it imply.
    fn is_implied(&self, node: usize) -> bool {
        let children = self.tree.node(node).children();
        let has_move = |&child: &usize| self.tree.node(child).mv().is_some();
        self.is_plain_pass(node) && !children.is_empty() && children.iter().all(has_move)
    }

    /// Returns the nodes that follow a node in the file: its children, and in place of an implied
    /// pass those that follow the pass. A reader joins an implied pass to a pass before it.
    fn branches(&self, node: usize) -> Vec<usize> {
        let mut branches = Vec::new();
        let mut open = self.children(node);
        while let Some((next, is_after_pass)) = open.pop() {
            if !is_after_pass && self.is_implied(next) {
                open.extend(self.children(next));
            } else {
                branches.push(next);
            }
        }
        branches
    }

    /// Returns the children of a node, the last one first, each with a flag that is true after a
    /// pass without annotations.
    fn children(&self, node: usize) -> Vec<(usize, bool)> {
        let mut is_after_pass = false;
        let children = self.tree.node(node).children().iter().map(|&child| {
            let before = std::mem::replace(&mut is_after_pass, self.is_plain_pass(child));
            (child, before)
        });
        let mut children: Vec<_> = children.collect();
        children.reverse();
        children
    }
}

/// Writes annotations; a root has its comment in the heading.
fn annotate(out: &mut String, notes: &Annotations, comment: bool) {
    if let Some(value) = notes.value {
        put!(out, "V[{value}]");
    }
    if comment && !notes.comment.is_empty() {
        put!(out, "C[{}]", escaped(&notes.comment));
    }
    for property in &notes.properties {
        out.push_str(&property.name);
        for value in &property.values {
            put!(out, "[{}]", escaped(value));
        }
    }
}
