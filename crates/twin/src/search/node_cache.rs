//! Write-back cache of nodes, for a tree in external memory.
//!
//! A cache has a number of lines, one node each, and a number of ways. With one way it is the twin
//! of the hardware's cache, access by access.

use std::collections::VecDeque;

/// Transfers of a node between the cache and the memory that an access needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfers {
    /// Node that is written to the memory first, since its line is replaced.
    pub write_back: Option<u32>,
    /// True if the node is then read from the memory.
    pub read: bool,
}

/// Node in the cache.
#[derive(Clone, Copy, Debug)]
struct CachedNode {
    node: u32,
    is_dirty: bool,
}

/// Write-back cache of nodes: sets of lines. The least recently used line of a set is replaced.
#[derive(Clone, Debug)]
pub struct NodeCache {
    ways: usize,
    sets: Vec<VecDeque<CachedNode>>,
    reads: u64,
    write_backs: u64,
}

impl NodeCache {
    /// Creates an empty cache of `lines` lines in `ways` ways.
    ///
    /// # Panics
    /// If `ways` is 0 or does not divide `lines`, or if `lines` is 0.
    pub fn new(lines: usize, ways: usize) -> Self {
        assert!(lines > 0 && ways > 0 && lines.is_multiple_of(ways));
        Self {
            ways,
            sets: vec![VecDeque::new(); lines / ways],
            reads: 0,
            write_backs: 0,
        }
    }

    /// Accesses a node, and writes to it if `writes`. A new node has no content in the memory: it
    /// needs no read, and is written back even if no access wrote to it.
    pub fn access(&mut self, node: u32, is_new: bool, writes: bool) -> Transfers {
        let index = node as usize % self.sets.len();
        let set = &mut self.sets[index];
        let mut transfers = Transfers::default();
        let mut cached = CachedNode {
            node,
            is_dirty: is_new || writes,
        };
        if let Some(at) = set.iter().position(|cached| cached.node == node) {
            cached.is_dirty |= set.remove(at).is_some_and(|cached| cached.is_dirty);
        } else {
            transfers.read = !is_new;
            if set.len() == self.ways {
                let replaced = set.pop_back().filter(|cached| cached.is_dirty);
                transfers.write_back = replaced.map(|cached| cached.node);
            }
        }
        set.push_front(cached);
        self.reads += u64::from(transfers.read);
        self.write_backs += u64::from(transfers.write_back.is_some());
        transfers
    }

    /// Removes all nodes without writing them.
    pub fn clear(&mut self) {
        for set in &mut self.sets {
            set.clear();
        }
    }

    /// Returns the number of nodes that were read from the memory.
    pub fn reads(&self) -> u64 {
        self.reads
    }

    /// Returns the number of nodes that were written to the memory.
    pub fn write_backs(&self) -> u64 {
        self.write_backs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfers(write_back: Option<u32>, read: bool) -> Transfers {
        Transfers { write_back, read }
    }

    #[test]
    fn a_line_is_replaced_by_another_node_of_its_set() {
        let mut cache = NodeCache::new(4, 1);
        assert_eq!(cache.access(1, true, false), transfers(None, false));
        assert_eq!(cache.access(2, false, false), transfers(None, true));
        assert_eq!(cache.access(1, false, true), transfers(None, false));
        assert_eq!(cache.access(5, false, false), transfers(Some(1), true));
        // A clean line is dropped.
        assert_eq!(cache.access(1, false, false), transfers(None, true));
        assert_eq!(cache.access(5, true, true), transfers(None, false));
        assert_eq!((cache.reads(), cache.write_backs()), (3, 1));
        cache.clear();
        assert_eq!(cache.access(5, false, false), transfers(None, true));
    }

    #[test]
    fn the_least_recently_used_line_of_a_set_is_replaced() {
        let mut cache = NodeCache::new(4, 2);
        for node in [0, 2, 0] {
            cache.access(node, false, true);
        }
        assert_eq!(cache.access(4, false, true), transfers(Some(2), true));
        assert_eq!(cache.access(0, false, false), transfers(None, false));
        assert_eq!(cache.access(2, false, false), transfers(Some(4), true));
    }
}
