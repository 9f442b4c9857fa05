//! Constructor of the tree.

use duoforge_twin::search::SearchParameters;

use super::bank::{Bank, END, NODES};
use super::exploration::Exploration;
use super::node_allocator::NodeAllocator;
use super::pair_control::PairControl;
use super::selection::Selection;
use super::{CHILDREN, Tree, TreeParts};
use crate::memory::Memory;

impl Tree {
    /// Creates a tree with the number of nodes that the parameters give, all in block RAM.
    ///
    /// # Panics
    /// As [`Self::with_lines`]; a tree in block RAM has [`NODES`] nodes at most.
    pub fn new(p: &SearchParameters) -> Self {
        assert!(
            (1..=NODES).contains(&p.nodes),
            "there are 1 to {NODES} nodes"
        );
        Self::with_lines(p, p.nodes.next_power_of_two().max(2))
    }

    /// Creates a tree of which `lines` nodes are in block RAM, a power of two. All of them are, if
    /// there are no more nodes.
    ///
    /// # Panics
    /// If there are more lines than [`NODES`], or the parameters have more nodes than [`END`], more
    /// children than [`CHILDREN`], or numbers wider than their registers.
    pub fn with_lines(p: &SearchParameters, lines: usize) -> Self {
        assert!(
            (2..=NODES).contains(&lines),
            "block RAM has 2 to {NODES} nodes"
        );
        assert!(
            (1..=usize::from(END)).contains(&p.nodes),
            "there are 1 to {END} nodes"
        );
        assert!(p.children <= CHILDREN, "a node has {CHILDREN} children");
        assert!(
            (16..0xffff).contains(&p.fpu_weight),
            "a count has 16 bits, not all of them ones, and is one visit at least"
        );
        assert!(p.value_count_cap > 0, "a value count is one visit at least");
        Self::from(TreeParts {
            nodes: Memory::new(lines),
            node_tops: Memory::new(lines),
            banks: [Bank::new(lines, p), Bank::new(lines, p)],
            exploration: Exploration::new(p.exploration),
            node_allocator: NodeAllocator::new(p, lines),
            pair_control: PairControl::new(p),
            selection: Selection::new(p.children),
        })
    }
}
