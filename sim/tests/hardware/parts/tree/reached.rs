//! Which limits of the tree's counters and tables a bench has reached, by the twin's numbers.

use duoforge_engine::search::Parameters;
use duoforge_engine::search::arithmetic::{ONE, Reciprocal, spread};
use duoforge_engine::search::tree::{Child, Tree};

use crate::support::coverage::{Counted, covered};

/// Exploration terms are cut off here, in units of a value: 20 bits.
const MOST: u64 = (1 << 20) - 1;

/// Entries of the table of exploration that a counter of 18 bits can address: 16 for each power of two. For the
/// powers below 16 some are never read, which leaves 239.
const EXPLORATIONS: usize = 18 * 16;

/// Entries of the table of reciprocals.
const RECIPROCALS: usize = 256;

/// Limits that were reached.
#[derive(Debug)]
pub struct Reached {
    /// Most visits of a node.
    pub node_visits: u32,
    /// Most visits of a child.
    pub child_visits: u32,
    /// Largest divisor of a selection.
    pub divisor: u32,
    /// Largest value count of an estimate, in 16ths.
    pub count: u32,
    /// Most children of a node.
    pub children: usize,
    /// Most nodes.
    pub nodes: usize,
    /// Proven children that a selection saw.
    pub proven: u64,
    /// Exploration terms that were cut off.
    pub cut_off: u64,
    /// Selections after 65,536 visits of their node that would be others without exploration.
    pub explored: u64,
    /// Children whose mean was 0, and such with the largest mean.
    pub means: [u64; 2],
    /// Entries of the table of exploration that were read.
    explorations: Counted,
    /// Entries of the table of reciprocals that were read in selections.
    reciprocals: Counted,
}

impl Default for Reached {
    fn default() -> Self {
        Self {
            node_visits: 0,
            child_visits: 0,
            divisor: 0,
            count: 0,
            children: 0,
            nodes: 0,
            proven: 0,
            cut_off: 0,
            explored: 0,
            means: [0; 2],
            explorations: Counted::new(EXPLORATIONS),
            reciprocals: Counted::new(RECIPROCALS),
        }
    }
}

impl Reached {
    /// Notes a selection at a node that is about to be made.
    pub fn selecting(&mut self, tree: &Tree, node: u32, p: &Parameters) {
        let visits = tree.nodes[node as usize].visits + 1;
        let children = tree.children(node);
        let exponent = visits.ilog2();
        let below = (visits << 4 >> exponent) & 15;
        self.explorations.note((16 * exponent + below) as usize);
        self.node_visits = self.node_visits.max(visits);
        self.nodes = self.nodes.max(tree.nodes.len());
        self.children = self.children.max(children.len());
        for child in children {
            self.scoring(child, visits, p);
        }
        if visits > 1 << 16 {
            let blind = Parameters {
                explore: 0,
                ..p.clone()
            };
            let other = tree.select(node, &blind).child != tree.select(node, p).child;
            self.explored += u64::from(other);
        }
    }

    /// Notes a child that a selection scores.
    fn scoring(&mut self, child: &Child, visits: u32, p: &Parameters) {
        self.child_visits = self.child_visits.max(child.visits + 1);
        self.means[0] += u64::from(child.mean == 0);
        self.means[1] += u64::from(child.value() == ONE);
        if child.is_sure() {
            self.proven += 1;
            return;
        }
        self.count = self.count.max(child.count);
        let known = child.known(p.rest);
        self.divisor = self.divisor.max(known);
        let zeros = known.leading_zeros();
        self.reciprocals
            .note(((known << zeros) >> 23) as usize - RECIPROCALS);
        let Reciprocal { factor, shift } = Reciprocal::of(known);
        let share = (spread(p.explore, visits) * u64::from(child.prior)) >> 10;
        self.cut_off += u64::from((share * u64::from(factor)) >> (shift - 4) > MOST);
    }

    /// Compares limits with their rows in docs/coverage.md.
    ///
    /// # Panics
    /// If one of them has no such row, or another value there.
    pub fn cover(&self, names: &[&str]) {
        let rows = self.rows();
        for name in names {
            let row = rows.iter().find(|(what, _)| what == name);
            let (_, value) = row.unwrap_or_else(|| panic!("no limit is called '{name}'"));
            covered(name, value);
        }
    }

    /// All limits by their names.
    fn rows(&self) -> [(&'static str, String); 13] {
        [
            ("tree: nodes", self.nodes.to_string()),
            ("tree: children of a node", self.children.to_string()),
            ("tree: visits of a node", self.node_visits.to_string()),
            ("tree: visits of a child", self.child_visits.to_string()),
            ("tree: divisor of a selection", self.divisor.to_string()),
            ("tree: value count of an estimate", self.count.to_string()),
            ("tree: table of exploration", self.explorations.to_string()),
            ("tree: table of reciprocals", self.reciprocals.to_string()),
            (
                "tree: proven children in selections",
                self.proven.to_string(),
            ),
            (
                "tree: exploration terms at their limit",
                self.cut_off.to_string(),
            ),
            (
                "tree: choices that exploration decides after 65,536 visits",
                self.explored.to_string(),
            ),
            ("tree: means of 0", self.means[0].to_string()),
            ("tree: means of 2^16 - 1", self.means[1].to_string()),
        ]
    }
}
