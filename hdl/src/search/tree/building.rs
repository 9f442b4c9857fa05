//! Constructor of the tree.

use duoforge_twin::search::SearchParameters;

use super::bank::{Bank, NODES};
use super::exploration::Exploration;
use super::node_allocator::NodeAllocator;
use super::pair_control::PairControl;
use super::selection::Selection;
use super::{CHILDREN, Tree, TreeParts};
use crate::memory::Memory;

impl Tree {
    /// Creates a tree with the number of nodes that the parameters give.
    ///
    /// # Panics
    /// If the parameters have more nodes than [`NODES`], more children than [`CHILDREN`], or
    /// numbers wider than their registers.
    pub fn new(p: &SearchParameters) -> Self {
        assert!(
            (1..=NODES).contains(&p.nodes),
            "there are 1 to {NODES} nodes"
        );
        assert!(p.children <= CHILDREN, "a node has {CHILDREN} children");
        assert!(
            (16..0xffff).contains(&p.fpu_weight),
            "a count has 16 bits, not all of them ones, and is one visit at least"
        );
        assert!(p.value_count_cap > 0, "a value count is one visit at least");
        let nodes = p.nodes.next_power_of_two().max(2);
        Self::from(TreeParts {
            nodes: Memory::new(nodes),
            banks: [Bank::new(nodes, p), Bank::new(nodes, p)],
            exploration: Exploration::new(p.exploration),
            node_allocator: NodeAllocator::new(p),
            pair_control: PairControl::new(p),
            selection: Selection::new(p.children),
        })
    }
}
