//! Memory of the tree: room for further nodes, and the reduction to a subtree.

use super::super::parameters::SearchParameters;
use super::{Child, ChildLink, Node, ScoreTerms, Tree};

impl Tree {
    /// Bytes of a node.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// Bytes of a child, with the terms of its score and the code of its placement.
    pub const CHILD_BYTES: usize = size_of::<Child>() + size_of::<ScoreTerms>() + size_of::<u16>();

    /// Returns the number of bytes of all nodes and children.
    pub fn memory(&self) -> usize {
        self.nodes.len() * Self::NODE_BYTES + self.children.len() * Self::CHILD_BYTES
    }

    /// Reserves memory for another node with this number of children; returns false if the limit
    /// of `memory` bytes is reached.
    pub fn reserve(&mut self, children: usize, memory: usize) -> bool {
        let nodes = (self.nodes.len() + 1) * Self::NODE_BYTES;
        let needed = self.children.len() + children;
        let most = memory.saturating_sub(nodes) / Self::CHILD_BYTES;
        if needed > most {
            return false;
        }
        if needed > self.children.capacity() {
            // Doubles the capacity, as a vector would, but stays within the limit.
            let wanted = (2 * self.children.capacity()).clamp(needed, most);
            self.children.reserve_exact(wanted - self.children.len());
            self.terms.reserve_exact(wanted - self.terms.len());
            self.codes.reserve_exact(wanted - self.codes.len());
        }
        true
    }

    /// Reduces the tree to the subtree of a node, in the same order; the node becomes the root.
    pub fn reduce_to(&mut self, root: u32, p: &SearchParameters) {
        // A node always has a larger index than its parent.
        let mut numbers = vec![None; self.nodes.len()];
        numbers[root as usize] = Some(0);
        let (mut nodes, mut children) = (0, 0);
        for i in root as usize..self.nodes.len() {
            if numbers[i].is_none() {
                continue;
            }
            numbers[i] = Some(nodes);
            let node = self.nodes[i];
            let block = node.first as usize..(node.first + node.len) as usize;
            for child in &self.children[block.clone()] {
                if let ChildLink::Node(next) = child.next {
                    numbers[next as usize] = Some(0);
                }
            }
            self.children.copy_within(block, children as usize);
            self.nodes[nodes as usize] = Node {
                first: children,
                ..node
            };
            nodes += 1;
            children += node.len;
        }
        self.nodes.truncate(nodes as usize);
        self.children.truncate(children as usize);
        for child in &mut self.children {
            if let ChildLink::Node(next) = &mut child.next {
                *next = numbers[*next as usize].expect("what follows is kept");
            }
        }
        self.index_children(0, p);
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{Colour, DuoBoard};

    use super::*;

    #[test]
    fn room_doubles_within_the_limit() {
        let child = |placement| Child {
            placement,
            prior: 0,
            visits: 0,
            value_count: 16,
            mean: 0,
            next: ChildLink::Leaf,
        };
        let children: Vec<_> = DuoBoard::duo().legal().take(40).map(child).collect();
        let mut tree = Tree::with_root(Colour(0), children, &SearchParameters::default());
        tree.children.shrink_to_fit();
        let capacity = tree.children.capacity();
        assert!(tree.reserve(1, usize::MAX));
        assert!(tree.children.capacity() >= 2 * capacity);
        // The limit has room for two more children after a further node.
        tree.children.shrink_to_fit();
        let length = tree.children.len();
        let memory = tree.memory() + Tree::NODE_BYTES + 2 * Tree::CHILD_BYTES;
        assert!(tree.reserve(1, memory));
        assert!((length + 1..=length + 2).contains(&tree.children.capacity()));
        assert!(tree.reserve(2, memory));
        assert!(!tree.reserve(3, memory));
    }
}
