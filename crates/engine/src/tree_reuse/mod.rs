//! Tree reuse: keeps the subtree of the position from move to move.

use duoforge_rules::{Cell, Colour, DuoBoard, Move, Placement};
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::tree::{ChildLink, Tree};
use duoforge_twin::search::{Position, SearchParameters};

use super::expansion::candidates;
use super::network::Network;

/// Search tree with the position of its root.
#[derive(Clone, Debug, Default)]
pub struct ReusedTree {
    pub tree: Tree,
    root: Option<Root>,
}

/// Root position, identified by start cells and moves.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Root {
    starts: [Cell; 2],
    moves: Vec<Move>,
}

impl ReusedTree {
    /// Discards the tree.
    pub fn clear(&mut self) {
        self.root = None;
    }

    /// Makes the position of a board the root. Keeps its subtree if all moves since the last root
    /// are in the tree; else starts a new tree. The side to move must have a legal placement.
    pub fn go_to(&mut self, board: &DuoBoard, p: &SearchParameters, network: Option<&Network>) {
        match self.find(board) {
            Some(node) => self.tree.reduce_to(node, p),
            None => {
                let root = Position::new(board);
                let (candidates, value) = candidates(&root, p, network);
                self.tree.clear();
                let value = value.unwrap_or(MAX_VALUE / 2);
                self.tree.add_node(root.to_move(), &candidates, value, p);
            }
        }
        self.root = Some(Root {
            starts: starts(board),
            moves: board.moves().to_vec(),
        });
    }

    /// Returns the node of the position of a board, if the tree contains it.
    fn find(&self, board: &DuoBoard) -> Option<u32> {
        let root = self.root.as_ref()?;
        let since = board.moves().strip_prefix(&root.moves[..])?;
        if root.starts != starts(board) {
            return None;
        }
        let mut node = 0;
        for (i, mv) in since.iter().enumerate() {
            let mover = Colour(((root.moves.len() + i) % 2) as u8);
            let has_turn = self.tree.nodes[node as usize].player == mover;
            match mv {
                // A side without a legal placement has no node.
                Move::Pass if !has_turn => {}
                Move::Place(placement) if has_turn => node = self.after(node, *placement)?,
                _ => return None,
            }
        }
        (self.tree.nodes[node as usize].player == board.to_move()).then_some(node)
    }

    fn after(&self, node: u32, placement: Placement) -> Option<u32> {
        let mut children = self.tree.children(node).iter();
        match children.find(|child| child.placement == placement)?.next {
            ChildLink::Node(next) => Some(next),
            ChildLink::Leaf | ChildLink::End => None,
        }
    }
}

fn starts(board: &DuoBoard) -> [Cell; 2] {
    [Colour(0), Colour(1)].map(|player| board.start(player))
}

#[cfg(test)]
mod tests;
